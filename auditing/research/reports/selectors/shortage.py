"""Open rounds of people that ask for more different people than there are, and what becomes of them.

Reads Round, Seat, Campaign, and who is at hand.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from auditing.core.stages import ACTIVE_SEATS, AuditStage, RoundStage
from auditing.core.values import Tier
from auditing.models import Audit, Campaign, Round, Seat
from auditing.research.policy_lab.selectors.people import at_hand
from hdag.rendering.numbers import counted

SOONEST = 500  # of the rounds that are due next, so many are looked at
LOOKED_FOR = timedelta(seconds=30)  # a draw that takes longer waits for something
MOST = 5  # fields of campaigns whose people are counted


@dataclass(frozen=True, slots=True)
class Shortage:
    """Passages of one field that ask `wanted` different people each, of whom `there` could be seated."""

    domain: str
    wanted: int
    there: int
    passages: int

    @property
    def missing(self) -> int:
        """How many people are missing."""
        return self.wanted - self.there

    @property
    def sentence(self) -> str:
        """What is missing, and what becomes of these passages without it."""
        asks = f"{counted(self.passages, 'passage|passages')} of {self.domain or 'any field'} " + (
            "asks" if self.passages == 1 else "ask"
        )
        people = f"{counted(self.wanted, 'person|different people')}{'' if self.passages == 1 else ' each'}"
        if not self.there:
            return f"{asks} {people}, and nobody there may judge: it waits until somebody may."
        return (
            f"{asks} {people}, and {counted(self.there, 'person may judge|people may judge')}: "
            f"{counted(self.missing, 'is missing|are missing')}. Those who are there are asked all the same; what so "
            "few cannot decide goes to an adjudicator, or ends undecided."
        )


def shortages(*, now: datetime, audit: Audit | None = None, campaign: Campaign | None = None) -> tuple[Shortage, ...]:
    """Where people are missing: in an audit, in a campaign, or anywhere; the worst of each field, worst first."""
    rounds = Round.objects.filter(
        tier=Tier.HUMAN,
        adjudicates=False,
        audit__stage=AuditStage.AUDITING,
        audit__paused_at__isnull=True,
        audit__campaign__paused_at__isnull=True,
        audit__trace__decoy__isnull=True,
    )
    if audit is not None:
        rounds = rounds.filter(audit=audit)
    if campaign is not None:
        rounds = rounds.filter(audit__campaign=campaign)
    provider = audit.trace.provider if audit is not None else None
    rows = _open(rounds)
    short = [*_seated(rows), *_looked_for(rows, now, provider)]
    worst = {domain: max(each, key=lambda lack: lack.missing) for domain, each in _by_domain(short).items()}
    passages = Counter[str]()
    for lack in short:
        passages[lack.domain] += lack.passages
    told = [Shortage(domain, lack.wanted, lack.there, passages[domain]) for domain, lack in worst.items()]
    return tuple(sorted(told, key=lambda lack: (-lack.missing, lack.domain)))


def _by_domain(short: Iterable[Shortage]) -> dict[str, list[Shortage]]:
    by_domain: dict[str, list[Shortage]] = defaultdict(list)
    for lack in short:
        by_domain[lack.domain].append(lack)
    return by_domain


def _open(rounds: QuerySet[Round]) -> list[Any]:
    """The open rounds that are due next, each with the seats that somebody holds: one statement."""
    stages = (RoundStage.DRAWING, RoundStage.COMMITTING)
    seats = Seat.objects.filter(round=OuterRef("pk"), stage__in=ACTIVE_SEATS).order_by().values("round")
    held = Coalesce(Subquery(seats.annotate(count=Count("pk")).values("count")), 0)
    soonest = rounds.filter(stage__in=stages).annotate(held=held, domain=F("audit__trace__domain")).order_by("due_at")
    names = ("stage", "stage_since", "redraws", "k", "held", "domain", "audit__campaign", "audit__follows")
    return list(soonest.values_list(*names, named=True)[:SOONEST])


def _seated(rows: Iterable[Any]) -> list[Shortage]:
    """Rounds under way with fewer seats than they ask for: the draw found nobody else."""
    under_way = [row for row in rows if row.stage == RoundStage.COMMITTING]
    return [Shortage(row.domain, row.k, row.held, 1) for row in under_way if row.held < row.k]


def _looked_for(rows: Iterable[Any], now: datetime, provider: User | None) -> list[Shortage]:
    """Rounds that still look for people, of fields in which too few are at hand."""
    # A redraw has only some places to fill.
    waiting = [row for row in rows if row.stage == RoundStage.DRAWING and not row.redraws]
    late = [row for row in waiting if row.stage_since < now - LOOKED_FOR]
    # A second audit counts for itself: whoever sat in the first is not there for it.
    groups = Counter((row.audit__campaign, row.domain, row.k, row.audit__follows) for row in late)
    largest = sorted(groups.items(), key=lambda group: (-group[0][2], group[0][3] is None))[:MOST]
    campaigns = Campaign.objects.in_bulk({campaign for (campaign, *_), _ in largest})
    short = []
    for (campaign, domain, wanted, follows), passages in largest:
        there = at_hand(campaign=campaigns[campaign], domain=domain, provider=provider, follows=follows).reviewers
        if there < wanted:
            short.append(Shortage(domain, wanted, there, passages))
    return short
