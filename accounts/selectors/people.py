"""Reading people: by role, with their grants and history."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import ApiToken, RoleEvent, User


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Some people, and the cursor of the next page or ''."""

    people: list[User]
    next_cursor: str


def people_with_role(*, role: str) -> QuerySet[User]:
    """Active people who hold `role`, in order of joining."""
    return User.objects.filter(is_active=True, grants__role=role).order_by("id")


def people_page(*, search: str = "", after: str = "", size: int = 50) -> PeoplePage:
    """People with their grants, by e-mail address; `after` is the last address of the page before."""
    # PostgreSQL refuses U+0000 in a text, which anybody can type into an address as %00.
    people = User.objects.filter(email__gt=after.replace("\x00", "")).prefetch_related("grants").order_by("email")
    if search:
        people = people.filter(Q(email__icontains=search) | Q(pseudonym__icontains=search))
    # One row more than the page shows tells whether a next page exists, without counting everybody. The cursor is the
    # last address shown, not an offset: somebody who joins meanwhile shifts nobody off the pages.
    matches = list(people[: size + 1])
    return PeoplePage(matches[:size], matches[size - 1].email if len(matches) > size else "")


def find_person(*, public_id: UUID) -> User | None:
    """The person with this public id."""
    return User.objects.filter(public_id=public_id).first()


def role_history(*, limit: int = 50) -> Iterable[RoleEvent]:
    """The latest changes of roles, newest first."""
    return RoleEvent.objects.select_related("user", "by")[:limit]


def tokens_of(*, user: User) -> QuerySet[ApiToken]:
    """The person's tokens, newest first."""
    return ApiToken.objects.filter(user=user)
