"""Views of lists that a person keeps."""

from django.db.models import QuerySet

from accounts.models import SavedView, User


def views_of(*, user: User, page: str) -> QuerySet[SavedView]:
    """Those of one list, by name."""
    return SavedView.objects.filter(user=user, page=page).order_by("name")
