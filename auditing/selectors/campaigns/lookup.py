"""Campaigns by id and by age."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Role, RoleGrant, User
from accounts.permissions import Person, has_role
from auditing.models import Campaign

STATES = Campaign.State.values


def find_campaign(*, key: UUID) -> Campaign | None:
    """The campaign with its policy and owner; None if unknown."""
    return Campaign.objects.select_related("policy", "owner").filter(pk=key).first()


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
    """Reviewers and providers of a campaign, to be ticked: one statement."""
    reviewing = campaign.reviewers.filter(pk=OuterRef("user"))
    providing = campaign.providers.filter(pk=OuterRef("user"))
    is_named = Q(Exists(reviewing), role=Role.REVIEWER) | Q(Exists(providing), role=Role.PROVIDER)
    grants = RoleGrant.objects.filter(role__in=(Role.REVIEWER, Role.PROVIDER), user__is_active=True)
    rows: list[Any] = [
        *grants.annotate(is_named=is_named).select_related("user").order_by("-is_named", "user__email")[: most + 1]
    ]
    return [
        Picker(
            str(role),
            tuple((row.user, bool(row.is_named)) for row in rows if row.role == role),
            len(rows) <= most,
        )
        for role in (Role.REVIEWER, Role.PROVIDER)
    ]


def newest_campaigns(*, most: int = 100) -> QuerySet[Campaign]:
    """Campaigns, the newest first."""
    return Campaign.objects.order_by("-created")[:most]


def open_campaigns(*, user: Person) -> QuerySet[Campaign]:
    """Campaigns that take traces from `user`, the newest first."""
    is_taken = Q() if has_role(user, Role.ADMIN) else Q(any_provider=True) | Q(providers=user.pk)
    return Campaign.objects.filter(is_taken, state=Campaign.State.OPEN).distinct().order_by("-created")
