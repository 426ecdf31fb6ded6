"""Reading campaigns and how far they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from accounts.models import Role
from accounts.permissions import has_role
from auditing.models import Audit, Campaign

PAGE = 200


@dataclass(frozen=True, slots=True)
class CampaignProgress:
    """Audits by stage and by outcome."""

    audits: int
    recorded: int
    stages: tuple[tuple[str, int], ...]
    outcomes: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        """Recorded audits of all, 0 to 1."""
        return self.recorded / self.audits if self.audits else 0.0


def list_campaigns(*, user: Any, words: str = "", state: str = "") -> Sequence[Campaign]:
    """Campaigns that permissions.may_see_campaign shows `user`, newest first, with counts."""
    found = Campaign.objects.select_related("policy").annotate(
        total=Count("audits"), done=Count("audits", filter=Q(audits__stage="recorded"))
    )
    if not has_role(user, Role.ADMIN, Role.PROVIDER, Role.RESEARCHER):
        found = found.filter(Q(open_to_all=True) | Q(pk__in=user.reviews_for.values("pk")))
    if words:
        found = found.filter(Q(title__icontains=words) | Q(domain__icontains=words) | Q(pk=_uuid(words)))
    if state in Campaign.State.values:
        found = found.filter(state=state)
    return found.order_by("-created")[:PAGE]


def campaign_progress(*, campaign: Campaign) -> CampaignProgress:
    """Two grouped counts."""
    audits = Audit.objects.filter(campaign=campaign)
    stages = dict(audits.values_list("stage").annotate(Count("pk")).order_by())
    outcomes = dict(audits.exclude(outcome="").values_list("outcome").annotate(Count("pk")).order_by())
    return CampaignProgress(
        sum(stages.values()), stages.get("recorded", 0), tuple(sorted(stages.items())), tuple(sorted(outcomes.items()))
    )


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)
