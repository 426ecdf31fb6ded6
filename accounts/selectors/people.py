"""Reading people: by role, with their grants and history."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import ApiToken, RoleEvent, User


def people_with_role(*, role: str) -> QuerySet[User]:
    """Active people who hold `role`, in order of joining."""
    return User.objects.filter(is_active=True, grants__role=role).order_by("id")


def people_with_grants(*, search: str = "") -> QuerySet[User]:
    """People and their grants for the roles page; searched by e-mail or pseudonym."""
    people = User.objects.prefetch_related("grants__granted_by").order_by("id")
    if search:
        people = people.filter(email__icontains=search) | people.filter(pseudonym__icontains=search)
    return people


def find_person(*, public_id: UUID) -> User | None:
    """The person with this public id."""
    return User.objects.filter(public_id=public_id).first()


def role_history(*, limit: int = 50) -> Iterable[RoleEvent]:
    """The latest changes of roles, newest first."""
    return RoleEvent.objects.select_related("user", "by")[:limit]


def tokens_of(*, user: User) -> QuerySet[ApiToken]:
    """The person's tokens, newest first."""
    return ApiToken.objects.filter(user=user)
