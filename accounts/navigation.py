"""The navigation in the masthead: one table of label, address name and roles; a missing page is left out."""

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
    NavItem("Home", ("auditing:home",), SIGNED_IN),
    NavItem("Desk", ("auditing:desk",), (Role.REVIEWER, Role.ADJUDICATOR)),
    NavItem("Adjudication", ("auditing:adjudication",), (Role.ADJUDICATOR, Role.ADMIN)),
    NavItem("Submit", ("auditing:submit",), (Role.PROVIDER, Role.ADMIN)),
    NavItem("Audits", ("auditing:audits",), SIGNED_IN),
    NavItem("Campaigns", ("auditing:campaigns",), tuple(role for role in Role if role != Role.CONSUMER)),
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
    """A link that this visitor may see."""

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
    """The links to the pages that this visitor's roles open, in the table's order."""
    # A request that was stopped before AuthenticationMiddleware has no user; it is shown what strangers see.
    user = getattr(request, "user", None)
    visible = [entry for entry in NAV_ITEMS if not entry.roles or has_role(user, *entry.roles)]  # type: ignore[arg-type]
    addresses = [(entry.label, find_address(entry.names)) for entry in visible]
    # A prefix, so that "Audits" is marked on the page of one audit as well.
    return [NavLink(label, url, request.path.startswith(url)) for label, url in addresses if url]
