"""The doors in the masthead: one table of label, address name and roles; a door not yet built is left out."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from accounts.models import Role
from accounts.permissions import has_role

EVERYONE: tuple[str, ...] = ()
SIGNED_IN = tuple(Role.values)


@dataclass(frozen=True, slots=True)
class NavItem:
    """One entry of the navigation: its label, the names its address may have, and who sees it."""

    label: str
    names: tuple[str, ...]
    roles: tuple[str, ...]


NAV_ITEMS = (
    NavItem("Desk", ("auditing:desk",), (Role.REVIEWER, Role.ADJUDICATOR)),
    NavItem("Adjudication", ("auditing:adjudication",), (Role.ADJUDICATOR, Role.ADMIN)),
    NavItem("Submit", ("auditing:submit",), (Role.PROVIDER, Role.ADMIN)),
    NavItem("Audits", ("auditing:audits",), SIGNED_IN),
    NavItem("Campaigns", ("auditing:campaigns",), (Role.PROVIDER, Role.RESEARCHER, Role.REVIEWER, Role.ADMIN)),
    NavItem("My record", ("auditing:record",), (Role.REVIEWER,)),
    NavItem("Points", ("auditing:points",), (Role.REVIEWER, Role.ADJUDICATOR)),
    NavItem("Research", ("auditing:research", "auditing:studies"), (Role.RESEARCHER, Role.ADMIN)),
    NavItem("Policies", ("auditing:policies",), (Role.ADMIN,)),
    NavItem("Models", ("auditing:endpoints",), (Role.ADMIN,)),
    NavItem("People", ("accounts:roles",), (Role.ADMIN,)),
    NavItem("Ledger", ("auditing:ledger", "auditing:ledger_home"), EVERYONE),
)


@dataclass(frozen=True, slots=True)
class NavLink:
    """A door this visitor may see."""

    label: str
    url: str
    is_here: bool


def find_address(names: tuple[str, ...]) -> str:
    """The address behind the first name that exists, or ''."""
    for name in names:
        try:
            return reverse(name)
        except NoReverseMatch:
            continue
    return ""


def nav_items(request: HttpRequest) -> list[NavLink]:
    """The doors that this visitor's roles open, in order."""
    user = getattr(request, "user", None)
    seen = [door for door in NAV_ITEMS if not door.roles or has_role(user, *door.roles)]  # type: ignore[arg-type]
    found = [(door.label, find_address(door.names)) for door in seen]
    return [NavLink(label, url, request.path.startswith(url)) for label, url in found if url]
