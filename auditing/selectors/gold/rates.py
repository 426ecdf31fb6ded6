"""How much gold each reviewer has met, and how many tickets that gives in the draw of the next decoy.

A newcomer, and whoever has to calibrate again, counts votes on gold from there on. Reads Seat, Qualification,
ConductCase.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q

from auditing.core.conduct import ConductStep
from auditing.core.gold import tickets_for_gold
from auditing.core.policy import Policy
from auditing.core.values import Tier
from auditing.models import Auditor, Campaign, ConductCase, Qualification, Seat
from auditing.selectors.gold.decoys import UNSEEN
from auditing.selectors.kept import MANY_BY_PERSON, kept
from auditing.selectors.policy.versions import load_policy

IS_GOLD = Q(round__segment__gold_truth__isnull=False)
MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class GoldRate:
    """A reviewer's seats of people in one campaign, those of them on gold, and what the next draw of a decoy gives."""

    auditor: Auditor
    seats: int
    gold: int
    is_new: bool  # fewer votes on gold than the policy asks of a newcomer, or so few since a calibration lapsed
    tickets: int

    @property
    def share(self) -> float:
        """Gold seats over all seats; 0 before the first."""
        return self.gold / self.seats if self.seats else 0.0


def gold_tickets(*, campaign: Campaign, policy: Policy, auditors: Sequence[Auditor]) -> dict[UUID, int]:
    """Tickets of each in the draw of a decoy, without those who have one; nobody where the lot alone decides."""
    if not policy.gold_emphasis:
        return {}
    rates = gold_rates(campaign=campaign, policy=policy, auditors=auditors)
    return {rate.auditor.pk: rate.tickets for rate in rates if rate.tickets > 1}


def gold_rates(*, campaign: Campaign, policy: Policy, auditors: Sequence[Auditor]) -> list[GoldRate]:
    """What each has met in a campaign, and the tickets that follow, in the order of `auditors`."""
    theirs = Q(auditor__in=[auditor.pk for auditor in auditors])
    return _rates(_met(campaign, theirs), policy, auditors)


def _met(campaign: Campaign, theirs: Q) -> list[tuple[str, int, int, int]]:
    """(auditor, seats on gold, all seats that were met, all that were offered) in a campaign, of those who had any."""
    seats = Seat.objects.filter(theirs, round__tier=Tier.HUMAN, round__adjudicates=False)
    rows = seats.filter(round__audit__campaign=campaign).order_by().values_list("auditor")
    met = ~Q(stage__in=UNSEEN, taken_at__isnull=True)
    counts = rows.annotate(gold=Count("pk", filter=met & IS_GOLD), met=Count("pk", filter=met), all=Count("pk"))
    return [(str(auditor), *others) for auditor, *others in counts]


def _rates(met: Iterable[Sequence[Any]], policy: Policy, auditors: Sequence[Auditor]) -> list[GoldRate]:
    counts = {auditor: (gold, seats) for auditor, gold, seats, _ in met}
    votes, rates = _gold_votes(auditor.pk for auditor in auditors), []
    for auditor in auditors:
        gold, seats = counts.get(str(auditor.pk), (0, 0))
        is_new = votes[auditor.pk] < policy.newcomer_gold
        tickets = tickets_for_gold(
            seats=seats, gold=gold, share=policy.honeypot_share, emphasis=policy.gold_emphasis, is_new=is_new
        )
        rates.append(GoldRate(auditor, seats, gold, is_new, tickets))
    return rates


def rates_of_campaign(*, campaign: Campaign, policy: Policy | None = None) -> list[GoldRate]:
    """Those of a campaign's people who have sat in it, whom the next decoy would find first before the others."""
    sat = Seat.objects.filter(round__audit__campaign=campaign, round__tier=Tier.HUMAN).values("auditor")
    people = list(Auditor.objects.filter(pk__in=sat, user__is_active=True).select_related("user").order_by("pk"))
    policy = policy or load_policy(version=campaign.policy, domain=campaign.domain)
    # For a page, which may be half a minute old; a draw counts anew.
    rates = _rates(
        kept(name=f"gold:met:{campaign.pk}", count=lambda: _met(campaign, Q()), many=MANY_BY_PERSON), policy, people
    )
    return sorted(rates, key=lambda rate: (-rate.tickets, rate.share))[:MOST_SHOWN]


def _gold_votes(keys: Iterable[UUID]) -> dict[UUID, int]:
    """Votes of each on gold, in all campaigns, since the reviewer last had to calibrate again."""
    auditors = list(keys)
    since = _drifted_at(auditors)
    rows = Seat.objects.filter(IS_GOLD, auditor__in=auditors, commitment__isnull=False)
    counts: dict[UUID, int] = defaultdict(int)
    for auditor, at in rows.values_list("auditor", "commitment__committed_at"):
        counts[auditor] += auditor not in since or at > since[auditor]
    return counts


def _drifted_at(auditors: Iterable[Any]) -> dict[UUID, datetime]:
    """When each last calibrated again, or was told to by a person; whoever never had to is left out."""
    lapses = Qualification.objects.filter(auditor__in=auditors, attempt__gt=1)
    asked = ConductCase.objects.filter(auditor__in=auditors, decision=ConductStep.RETRAIN)
    moments: dict[UUID, datetime] = {}
    for rows, moment in ((lapses, "at"), (asked.exclude(ruling=ConductStep.LIFTED), "created")):
        for auditor, at in rows.order_by().values_list("auditor").annotate(at_last=Max(moment)):
            moments[auditor] = max(at, moments.get(auditor, at))
    return moments
