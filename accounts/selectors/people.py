"""Reading people: by role, with their grants and history."""

from collections.abc import Iterable
from uuid import UUID

from accounts.listing import Column, Filter, Query, RowPage, contains, page_of
from accounts.models import Role, RoleEvent, RoleGrant, User

COLUMNS = (
    Column("pseudonym", "Pseudonym", "pseudonym"),
    Column("email", "E-mail address", "email"),
    Column("roles", "Roles"),
    Column("change", "Give or take"),
)
FILTERS = (Filter("q", "E-mail address or pseudonym"), Filter("role", "Role", choices=tuple(Role.choices)))


def people_page(*, query: Query, after: str = "") -> RowPage[User]:
    """People with their grants, narrowed by a part of address or pseudonym and by a role that they hold."""
    people = User.objects.filter(grants__role=query["role"]) if query["role"] else User.objects.all()
    if words := query["q"]:
        people = people.filter(contains("email", words) | contains("pseudonym", words))
    return page_of(rows=people.prefetch_related("grants"), columns=COLUMNS, sort=query.sort, after=after)


def is_last_admin(*, user: User) -> bool:
    """Whether nobody else could give roles if this person left."""
    admins = RoleGrant.objects.filter(role=Role.ADMIN, user__is_active=True)
    return user.is_admin and not admins.exclude(user=user).exists()


def find_person(*, public_id: UUID) -> User | None:
    """The person with this public id."""
    return User.objects.filter(public_id=public_id).first()


def find_people(*, public_ids: Iterable[UUID]) -> list[User]:
    """Active people with these public ids, in order of joining."""
    return list(User.objects.filter(public_id__in=list(public_ids), is_active=True).order_by("pk"))


def role_history(*, limit: int = 50) -> Iterable[RoleEvent]:
    """The latest changes of roles, newest first."""
    return RoleEvent.objects.select_related("user", "by")[:limit]
