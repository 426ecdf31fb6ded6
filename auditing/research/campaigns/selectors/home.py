"""What a person finds after signing in, by role: work that waits, outcomes, what is late, what is new.

Reads Seat, Draft, Audit, Round, Campaign, Erasure, ConductCase, GoldDispute, GoldSegment, GoldAnswer, Qualification,
Endpoint, JoinRequest. A constant number of queries.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import median
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum, Value

from accounts.models import User
from accounts.selectors.joining import waiting_requests as requests_to_join
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Outcome, Tier
from auditing.models import (
    Audit,
    Auditor,
    Campaign,
    ConductCase,
    Erasure,
    GoldDispute,
    GoldSegment,
    Posting,
    Round,
)
from auditing.research.campaigns.selectors.queues import Queue, waiting_queues
from auditing.research.practice.selectors.attempts import Attempt, lacking_gold
from auditing.research.practice.selectors.calibrations import calibrations_to_pass
from auditing.research.reports.selectors.audits import readable
from auditing.research.reports.selectors.shortage import shortages
from auditing.selectors.conduct import standing_measures
from auditing.selectors.gold.decoys import NOT_DECOYS
from auditing.selectors.gold.lookup import practice_fields
from auditing.selectors.kept import kept
from auditing.selectors.model_tier.endpoints import is_left_alone
from auditing.selectors.points.record import VoteLine, last_votes
from hdag.models import ChatCall, Endpoint

NEWEST = 5
FIRST_STEPS = "first steps"  # a field of practice gold that every reviewer can judge
OVER = (AuditStage.RECORDED, AuditStage.FAILED, AuditStage.WITHDRAWN)
UNSEATED_FOR = timedelta(hours=1)  # a draw that takes longer lacks people
LATELY = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class ReviewerHome:
    """A reviewer's day. `minutes` rests on the own pace; None before the first vote with a measured time."""

    queues: tuple[Queue, ...]
    minutes: int | None
    drafts: int
    decided: tuple[VoteLine, ...]  # newest votes whose outcome is known
    to_calibrate: tuple[Attempt, ...]
    tour: str = ""  # field of the first items to try; "" once a vote is cast
    bar: ConductCase | None = None  # a decision that keeps them from seats

    @property
    def seats(self) -> int:
        """Seats that wait, over all queues."""
        return sum(queue.seats for queue in self.queues)

    @property
    def as_decided(self) -> int:
        """Votes of `decided` that were as the outcome."""
        return sum(vote.agrees is True for vote in self.decided)


@dataclass(frozen=True, slots=True)
class ProviderHome:
    """A provider's traces by outcome ("" while undecided), and the newest, failing ones first."""

    by_outcome: tuple[tuple[str, int], ...]
    audits: Sequence[Audit]


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing that an admin should look at: how many, of what, and the name of the page's address."""

    count: int
    what: str
    address: str


@dataclass(frozen=True, slots=True)
class Spent:
    """Points and money of some days."""

    points: int
    money: Decimal


def reviewer_home(*, auditor: Auditor) -> ReviewerHome:
    """What waits for a reviewer, and how the last votes ended."""
    queues, drafts = waiting_queues(auditor=auditor)
    votes = last_votes(auditor=auditor)
    return ReviewerHome(
        queues,
        _minutes(votes, sum(queue.seats for queue in queues)),
        drafts,
        tuple(vote for vote in votes if vote.agrees is not None)[: 2 * NEWEST],
        calibrations_to_pass(auditor=auditor),
        "" if votes else _tour(auditor),
        None if queues else standing_measures().filter(auditor=auditor).order_by("-until").first(),
    )


def _tour(auditor: Auditor) -> str:
    """The field that newcomers try first: the one made for them, else any that has practice segments."""
    fields = practice_fields(auditor=auditor)
    return FIRST_STEPS if FIRST_STEPS in fields else next(iter(fields), "")


def _minutes(votes: Sequence[VoteLine], seats: int) -> int | None:
    """The median active time of the newest votes, times the seats that wait; at least one minute."""
    times = [vote.active_ms for vote in votes if vote.active_ms]
    return max(1, round(median(times) * seats / 60_000)) if times and seats else None


def provider_home(*, user: User) -> ProviderHome:
    """A provider's own traces. An audit that an appeal opened stands for the one before it."""
    # By an EXISTS, whose rows PostgreSQL reckons well; by a join without a partner it would expect a single one.
    own = Audit.objects.filter(~Exists(Audit.objects.filter(follows=OuterRef("pk"))), trace__provider=user)
    by_outcome = own.values_list("outcome").annotate(Count("pk")).order_by("outcome")
    counts = kept(name=f"outcomes:{user.pk}", count=lambda: list(by_outcome))
    newest = own.select_related("trace", "campaign").order_by("-created", "-pk")
    failing = list(newest.filter(outcome=Outcome.FAIL)[:NEWEST])
    others = list(newest.exclude(outcome=Outcome.FAIL)[: NEWEST - len(failing)])
    return ProviderHome(tuple((outcome, count) for outcome, count in counts), failing + others)


def concerns(*, now: datetime) -> list[Concern]:
    """What an admin should look at; things that are well are left out."""
    going = Audit.objects.exclude(stage__in=OVER)
    late = Campaign.objects.filter(
        Exists(going.filter(campaign=OuterRef("pk"))), state=Campaign.State.OPEN, deadline__lt=now
    )
    contested = Round.objects.filter(adjudicates=True).exclude(stage=RoundStage.TALLIED)
    stopped = Audit.objects.filter(stage=AuditStage.FAILED, stage_since__gt=now - LATELY)
    failing = [row for row in Endpoint.objects.filter(enabled=True) if is_left_alone(endpoint=row, now=now)]
    erasures = Erasure.objects.filter(state=Erasure.State.WAITING)
    counts = _counts(
        late=late,
        contested=contested,
        paused=going.filter(paused_at__isnull=False),
        stopped=stopped,
        joining=requests_to_join(),
        erasures=erasures,
        appeals=ConductCase.objects.filter(appealed_at__isnull=False, ruling=""),
        **_before_editors(),
    )
    counted = (
        (counts["late"], "campaign|s past the deadline", "auditing:campaigns"),
        *_lacking_people(now),
        (counts["contested"], "contested segment|s before adjudicators", "auditing:adjudication"),
        (counts["paused"], "paused audit|s", "auditing:audits"),
        (counts["stopped"], "audit|s that stopped on an error within seven days", "auditing:audits"),
        (len(failing), "failing model endpoint|s", "auditing:endpoints"),
        (counts["joining"], "request|s for an account", "accounts:roles"),
        (counts["erasures"], "request|s for erasure", "auditing:erasures"),
        (counts["appeals"], "appeal|s against decisions about votes", "auditing:conduct"),
        *(
            (people, f"reviewer|s of {domain} who can calibrate only with {missing} more of its gold", "auditing:gold")
            for domain, people, missing in lacking_gold()
        ),
        *_for_editors(counts),
    )
    return [Concern(count, _numbered(count, what), address) for count, what, address in counted if count]


def editors_concerns(*, reader: User) -> list[Concern]:
    """What an adjudicator who is no admin may do for gold: review what others wrote, decide disputes."""
    waiting = _before_editors()
    counts = _counts(disputes=waiting["disputes"], gold=waiting["gold"].exclude(author=reader))
    return [Concern(count, _numbered(count, what), address) for count, what, address in _for_editors(counts) if count]


def _before_editors() -> dict[str, QuerySet[Any]]:
    """Gold that a second editor has to look at, without files of which one was refused; and open disputes."""
    refused = GoldSegment.objects.filter(file=OuterRef("file"), review=GoldSegment.Review.REFUSED).exclude(file="")
    waiting = GoldSegment.objects.filter(author__isnull=False, review="", original__erased_at__isnull=True)
    return {"disputes": GoldDispute.objects.filter(decision=""), "gold": waiting.exclude(Exists(refused))}


def _for_editors(counts: Counter[str]) -> tuple[tuple[int, str, str], ...]:
    return (
        (counts["disputes"], "dispute|s of gold, whose points are held until then", "auditing:disputes"),
        (counts["gold"], "segment|s of gold before a second editor", "auditing:gold_reviews"),
    )


def _counts(**rows: QuerySet[Any]) -> Counter[str]:
    """How many rows each query finds, all in one statement; one that finds nothing counts 0."""
    first, *others = [
        query.select_related(None).order_by().values(which=Value(name)).annotate(number=Count("pk"))
        for name, query in rows.items()
    ]
    return Counter({row["which"]: row["number"] for row in first.union(*others, all=True)})


def _numbered(count: int, what: str) -> str:
    """A phrase with its plural after the bar.

    >>> _numbered(1, "paused audit|s"), _numbered(2, "paused audit|s")
    ('paused audit', 'paused audits')
    """
    noun, _, tail = what.partition("|")
    return f"{noun}{tail if count != 1 else tail.removeprefix('s')}"


def spent_lately(*, now: datetime) -> Spent:
    """What the last seven days cost: points posted to auditors for audits, money paid for calls of models.

    What the treasury lends a newcomer to put at stake is no cost: no audit was made for it.
    """
    posted = Posting.objects.filter(
        transfer__created__gt=(since := now - LATELY), transfer__audit__isnull=False, account__auditor__isnull=False
    )
    money = ChatCall.objects.filter(created__gt=since).aggregate(total=Sum("cost"))["total"]
    return Spent(posted.aggregate(total=Sum("amount"))["total"] or 0, money or Decimal(0))


def _lacking_people(now: datetime) -> list[tuple[int, str, str]]:
    """Fields with fewer people than their passages ask for, and those whose draws have looked for an hour."""
    short = shortages(now=now)[:NEWEST]
    told = [
        (
            gap.passages,
            f"passage|s of {gap.domain or 'any field'} with too few people: {gap.wanted} asked for, {gap.there} there",
            "accounts:roles",
        )
        for gap in short
    ]
    domains = {gap.domain for gap in short}
    return told + [row for domain, row in _fields_without_people(now) if domain not in domains]


def _fields_without_people(now: datetime) -> list[tuple[str, tuple[int, str, str]]]:
    """Fields whose draws have looked for people for an hour: somebody of that field is missing."""
    unseated = Round.objects.filter(
        stage=RoundStage.DRAWING, tier=Tier.HUMAN, stage_since__lt=now - UNSEATED_FOR, audit__paused_at__isnull=True
    )
    by_field = unseated.values_list("audit__trace__domain").annotate(rounds=Count("pk")).order_by("-rounds")
    return [
        (domain, (count, f"segment|s waiting for a reviewer of {domain or 'any field'}", "accounts:roles"))
        for domain, count in by_field[:NEWEST]
    ]


def newest_recorded(*, user: User) -> QuerySet[Audit]:
    """The newest recorded audits that a person may read."""
    recorded = readable(user=user).filter(NOT_DECOYS, stage=AuditStage.RECORDED)
    return recorded.select_related("trace", "campaign").order_by("-created", "-pk")[:NEWEST]
