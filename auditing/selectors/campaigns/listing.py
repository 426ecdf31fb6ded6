"""Reading campaigns: the list (figures of one: campaign_figures.py)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from accounts.models import Role
from accounts.permissions import has_role
from auditing.models import Campaign

PAGE = 200


def list_campaigns(*, user: Any, words: str = "", state: str = "") -> Sequence[Campaign]:
    """Campaigns that permissions.may_see_campaign shows `user`, newest first, with counts."""
    campaigns = Campaign.objects.select_related("policy").annotate(
        total=Count("audits"), done=Count("audits", filter=Q(audits__stage="recorded"))
    )
    if not has_role(user, Role.ADMIN, Role.PROVIDER, Role.RESEARCHER):
        campaigns = campaigns.filter(Q(open_to_all=True) | Q(pk__in=user.reviews_for.values("pk")))
    if words:
        campaigns = campaigns.filter(Q(title__icontains=words) | Q(domain__icontains=words) | Q(pk=_uuid(words)))
    if state in Campaign.State.values:
        campaigns = campaigns.filter(state=state)
    return campaigns.order_by("-created")[:PAGE]


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)
