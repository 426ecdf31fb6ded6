"""Gold among the audits, as admins see it: the share really placed by campaign, and the newest decoys.

Reads Campaign, Decoy, Round.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Sum

from auditing.core.gold import decoys_due
from auditing.core.values import Choice, Tier
from auditing.models import Audit, Campaign, Decoy, Round
from auditing.selectors.gold.decoys import GONE, SEATS, Placed, of_sort, reckoned
from auditing.selectors.kept import kept
from auditing.selectors.policy.versions import load_policy

NEWEST = 50


@dataclass(frozen=True, slots=True)
class CampaignGold:
    """What the policy of a campaign asks for beside what is in effect."""

    campaign: Campaign
    wanted: Decimal
    wanted_misleading: Decimal  # of it, gold that models fail on
    placed: Placed
    right: int
    wrong: int
    seats: int  # that one decoy takes

    @property
    def is_short(self) -> bool:
        """Whether one more decoy would not exceed what the policy's figures assume."""
        return self._is_due(self.placed.gold, self.wanted)

    @property
    def is_short_of_misleading(self) -> bool:
        """The same of gold that models fail on."""
        return self._is_due(self.placed.misleading, self.wanted_misleading)

    def _is_due(self, gold: int, share: Decimal) -> bool:
        return decoys_due(ordinary=self.placed.all - gold, gold=gold, share=share, seats=self.seats) > 0


def gold_by_campaign() -> list[CampaignGold]:
    """Every campaign that is not closed, oldest first; as many statements for a hundred of them as for one."""
    campaigns = Campaign.objects.exclude(state=Campaign.State.CLOSED).select_related("policy").order_by("created", "pk")
    audits = Audit.objects.filter(trace__decoy__in=of_sort(repeats=False)).exclude(stage__in=GONE)
    columns = ("campaign", "stage", "seats", "trace__decoy__misleads_models", "trace__decoy__truth", "trace")
    rows: dict[UUID, list[Sequence[Any]]] = defaultdict(list)
    for campaign, *row in audits.annotate(seats=SEATS).values_list(*columns):
        rows[campaign].append(row)
    totals = _seats_by_campaign()
    return [_campaign_gold(campaign, rows[campaign.pk], totals.get(campaign.pk, 0)) for campaign in campaigns]


def _seats_by_campaign() -> dict[UUID, int]:
    """Seats of people in each, as `reckon_seats` counts those of one."""
    rounds = Round.objects.filter(tier=Tier.HUMAN, adjudicates=False).exclude(audit__stage__in=GONE)
    sums = rounds.order_by().values_list("audit__campaign").annotate(Sum("k"))
    return {
        UUID(key): seats for key, seats in kept(name="seats:campaigns", count=lambda: [[str(k), n] for k, n in sums])
    }


def _campaign_gold(campaign: Campaign, rows: Sequence[Sequence[Any]], seats: int) -> CampaignGold:
    """rows: stage, seats, whether models fail on it, truth and trace of each decoy's audit."""
    policy = load_policy(version=campaign.policy, domain=campaign.domain)
    reckoning = reckoned(rows=[(stage, k, misleads) for stage, k, misleads, *_ in rows], seats=seats, policy=policy)
    truths = Counter({trace: truth for *_, truth, trace in rows}.values())
    return CampaignGold(
        campaign=campaign,
        wanted=policy.honeypot_share,
        wanted_misleading=policy.model_fail_share,
        seats=reckoning.each,
        placed=reckoning.placed,
        right=truths[Choice.PASS],
        wrong=truths[Choice.FAIL],
    )


def newest_decoys() -> Sequence[Decoy]:
    """The decoys that were planted last, with their traces."""
    return list(
        Decoy.objects.select_related("trace", "gold").prefetch_related("trace__audits").order_by("-created")[:NEWEST]
    )
