"""Keeping and forgetting views of lists. Reads and writes SavedView."""

from django.db import transaction
from django.http import QueryDict

from accounts.models import SavedView, User

MOST = 20  # of one list: more are no shortcut
OF_ONE_VISIT = ("after", "before", "format", "csv")


class TooManyViewsError(Exception):
    """Twenty views of this list are kept; forget one first."""


def save_view(*, user: User, page: str, name: str, query: str) -> SavedView:
    """Keep a view under a name; the same name again means the new one. Raises TooManyViewsError."""
    values = QueryDict(query, mutable=True)
    # Where a page of the list began says nothing tomorrow.
    for visit in OF_ONE_VISIT:
        values.pop(visit, None)
    with transaction.atomic():
        # One person at two windows: both wait for the row of the person, so that twenty stay twenty.
        User.objects.select_for_update().get(pk=user.pk)
        others = SavedView.objects.filter(user=user, page=page).exclude(name=name)
        if others.count() >= MOST:
            raise TooManyViewsError(TooManyViewsError.__doc__)
        view, _ = SavedView.objects.update_or_create(
            user=user, page=page, name=name, defaults={"query": values.urlencode()[:1000]}
        )
    return view


def forget_view(*, user: User, key: int) -> bool:
    """False when this person keeps no such view."""
    return bool(SavedView.objects.filter(user=user, pk=key).delete()[0])
