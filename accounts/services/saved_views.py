"""Keeping and forgetting views of lists. Reads and writes SavedView."""

from urllib.parse import parse_qsl, urlencode

from django.db import transaction

from accounts.models import SavedView, User

MOST = 20  # of one list: more are no shortcut
OF_ONE_VISIT = ("after", "before", "format", "csv")


class TooManyViewsError(Exception):
    """Twenty views of this list are kept; forget one first."""


def save_view(*, user: User, page: str, name: str, query: str) -> SavedView:
    """Keep a view under a name; the same name again means the new one. Raises TooManyViewsError."""
    # Where a page of the list began says nothing tomorrow.
    values = [(key, value) for key, value in parse_qsl(query, keep_blank_values=True) if key not in OF_ONE_VISIT]
    with transaction.atomic():
        # One person at two windows: both wait for the row of the person, so that twenty stay twenty.
        User.objects.select_for_update().get(pk=user.pk)
        others = SavedView.objects.filter(user=user, page=page).exclude(name=name)
        if others.count() >= MOST:
            raise TooManyViewsError(TooManyViewsError.__doc__)
        view, _ = SavedView.objects.update_or_create(
            user=user, page=page, name=name, defaults={"query": urlencode(values)[:1000]}
        )
    return view


def forget_view(*, user: User, key: int) -> bool:
    """False when this person keeps no such view."""
    return bool(SavedView.objects.filter(user=user, pk=key).delete()[0])
