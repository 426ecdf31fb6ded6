"""Campaigns by id and by age."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from accounts.models import Role, RoleGrant, User
from accounts.permissions import Person, has_role
from auditing.models import Campaign

STATES = Campaign.State.values
PICKED = (Role.REVIEWER, Role.PROVIDER, Role.ADJUDICATOR)


def find_campaign(*, key: UUID) -> Campaign | None:
    """The campaign with its policy and owner, and how many manage it (`managed_by`); None if unknown."""
    campaigns = Campaign.objects.select_related("policy", "owner").annotate(managed_by=Count("managers"))
    return campaigns.filter(pk=key).first()


@dataclass(frozen=True, slots=True)
class Picker:
    """Who may be named in one role: (person, whether named), those named first; `is_whole`: nobody is left out."""

    role: str
    people: tuple[tuple[User, bool], ...]
    is_whole: bool

    @property
    def named(self) -> tuple[User, ...]:
        """Those who are named now."""
        return tuple(person for person, is_named in self.people if is_named)


def pickers_of(*, campaign: Campaign, most: int = 400) -> list[Picker]:
    """Reviewers, providers and adjudicators of a campaign, to be ticked: one statement."""
    is_named = Q(pk__in=[])
    for role, people in _named_in(campaign).items():
        is_named |= Q(Exists(people.filter(pk=OuterRef("user"))), role=role)
    grants = RoleGrant.objects.filter(role__in=PICKED, user__is_active=True)
    rows: list[Any] = [
        *grants.annotate(is_named=is_named).select_related("user").order_by("-is_named", "user__email")[: most + 1]
    ]
    return [
        Picker(
            str(role),
            tuple((row.user, bool(row.is_named)) for row in rows if row.role == role),
            len(rows) <= most,
        )
        for role in PICKED
    ]


def managers_picker(*, campaign: Campaign, most: int = 400) -> Picker:
    """Who may run a campaign: whoever has a role that is given, not taken."""
    people = User.objects.filter(is_active=True, grants__role__in=set(Role) - {Role.CONSUMER}).distinct()
    manages = Exists(campaign.managers.filter(pk=OuterRef("pk")))
    rows: list[Any] = [*people.annotate(is_named=manages).order_by("-is_named", "email")[: most + 1]]
    return Picker("manager", tuple((row, row.is_named) for row in rows), len(rows) <= most)


def _named_in(campaign: Campaign) -> dict[Role, QuerySet[User]]:
    people = (campaign.reviewers.all(), campaign.providers.all(), campaign.adjudicators.all())
    return dict(zip(PICKED, people, strict=True))


def named_people(*, campaign: Campaign) -> dict[str, dict[str, object]]:
    """Those named in each role, and whether everybody of the role counts because nobody is."""
    groups: dict[str, tuple[Any, bool]] = {
        "reviewer": (campaign.reviewers, campaign.open_to_all),
        "provider": (campaign.providers, campaign.any_provider),
        "adjudicator": (campaign.adjudicators, campaign.any_adjudicator),
        "manager": (campaign.managers, False),
    }
    return {
        role: {
            "everybody": is_open,
            "people": list(people.order_by("email").values("public_id", "pseudonym", "email")),
        }
        for role, (people, is_open) in groups.items()
    }


def newest_campaigns(*, most: int = 100) -> QuerySet[Campaign]:
    """Campaigns, the newest first."""
    return Campaign.objects.order_by("-created")[:most]


def open_campaigns(*, user: Person) -> QuerySet[Campaign]:
    """Campaigns that take traces from `user`, the newest first."""
    is_taken = (
        Q() if has_role(user, Role.ADMIN) else (Q(any_provider=True) | Q(providers=user.pk)) & ~Q(managers=user.pk)
    )
    return Campaign.objects.filter(is_taken, state=Campaign.State.OPEN).distinct().order_by("-created")
