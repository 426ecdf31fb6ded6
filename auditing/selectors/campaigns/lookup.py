"""Campaigns by id and by age."""

from uuid import UUID

from django.db.models import QuerySet

from auditing.models import Campaign

STATES = Campaign.State.values


def find_campaign(*, key: UUID) -> Campaign | None:
    """The campaign with its policy and owner; None if unknown."""
    return Campaign.objects.select_related("policy", "owner").filter(pk=key).first()


def newest_campaigns(*, most: int = 100) -> QuerySet[Campaign]:
    """Campaigns, the newest first."""
    return Campaign.objects.order_by("-created")[:most]


def open_campaigns() -> QuerySet[Campaign]:
    """Campaigns that take traces, the newest first."""
    return Campaign.objects.filter(state=Campaign.State.OPEN).order_by("-created")
