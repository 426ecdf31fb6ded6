"""Campaigns by id and by age."""

from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import Role
from accounts.permissions import Person, has_role
from auditing.models import Campaign

STATES = Campaign.State.values


def find_campaign(*, key: UUID) -> Campaign | None:
    """The campaign with its policy and owner; None if unknown."""
    return Campaign.objects.select_related("policy", "owner").filter(pk=key).first()


def newest_campaigns(*, most: int = 100) -> QuerySet[Campaign]:
    """Campaigns, the newest first."""
    return Campaign.objects.order_by("-created")[:most]


def open_campaigns(*, user: Person) -> QuerySet[Campaign]:
    """Campaigns that take traces from `user`, the newest first."""
    is_taken = Q() if has_role(user, Role.ADMIN) else Q(any_provider=True) | Q(providers=user.pk)
    return Campaign.objects.filter(is_taken, state=Campaign.State.OPEN).distinct().order_by("-created")
