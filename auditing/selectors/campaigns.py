"""Reading campaigns and how far they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, Sum

from accounts.models import Role
from accounts.permissions import has_role
from auditing.core.agreement import Coefficient, Estimate, measure_agreement, tabulate_votes
from auditing.core.stages import RoundStage
from auditing.core.values import Choice, Tier
from auditing.models import Audit, Campaign, Posting, Vote
from hdag.models import ChatCall

PAGE = 200
MOST_VOTES = 50_000


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


def campaign_agreement(*, campaign: Campaign) -> tuple[tuple[str, Estimate], ...]:
    """Agreement of people beyond chance over the campaign's tallied rounds: Gwet's AC1 and Krippendorff's alpha."""
    rows = Vote.objects.filter(
        seat__round__audit__campaign=campaign, seat__round__tier=Tier.HUMAN, seat__round__stage=RoundStage.TALLIED
    ).exclude(choice=Choice.ABSTAIN)
    cast = [
        (str(round), str(auditor), choice)
        for round, auditor, choice in rows.values_list("seat__round", "seat__auditor", "choice")[:MOST_VOTES]
    ]
    if not cast:
        return ()
    counts = tabulate_votes(votes=cast, categories=["fail", "pass"]).counts()
    found = measure_agreement(counts=counts)
    return (
        ("Gwet's AC1", found[Coefficient.GWET_AC1]),
        ("Krippendorff's alpha", found[Coefficient.ALPHA_NOMINAL]),
    )


def campaign_cost(*, campaign: Campaign) -> tuple[int, Decimal]:
    """(points posted to auditors, money spent on models) of a campaign."""
    points = Posting.objects.filter(transfer__audit__campaign=campaign, account__auditor__isnull=False)
    accounts = [f"audit:{key}" for key in Audit.objects.filter(campaign=campaign).values_list("pk", flat=True)]
    spent = ChatCall.objects.filter(account__in=accounts).aggregate(total=Sum("cost"))["total"]
    return points.aggregate(total=Sum("amount"))["total"] or 0, spent or Decimal(0)


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)
