"""Figures of a campaign: progress with a forecast, reviewers' workload, cost.

Reads Audit, Route, SegmentOutcome, Seat, Vote, Posting, ChatCall.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db.models import Aggregate, Count, F, Max, Min, Q, QuerySet, Subquery, Sum, TextField, Value
from django.db.models.functions import Cast, Concat, TruncDay, TruncHour

from accounts.models import User
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Campaign, Posting, Route, Seat, SegmentOutcome, Vote
from auditing.selectors.gold.decoys import ordinary_audits
from auditing.selectors.kept import MANY_BY_PERSON, kept
from hdag.models import ChatCall

PACE = timedelta(days=7)  # the forecast goes on at the pace of so many last days
OVER = ("recorded", "failed", "withdrawn")


@dataclass(frozen=True, slots=True)
class Decided:
    """Segments decided within one hour or day: all of them, and of those of the last days all and by auditors."""

    at: datetime  # when it began
    count: int
    lately: int
    by_auditors: int
    first: datetime | None  # by auditors


@dataclass(frozen=True, slots=True)
class Progress:
    """Audits by stage and outcome, segments decided, and when the last will be, at the pace of the last days."""

    audits: int
    recorded: int
    over: int
    stages: tuple[tuple[str, int], ...]
    outcomes: tuple[tuple[str, int], ...]
    segments: int
    decided: int
    a_day: float
    done_at: datetime | None
    deadline: datetime | None
    is_late: bool  # the deadline has passed, or the forecast or a standstill of a day misses it
    step: timedelta  # an hour in a young campaign, so that one of one afternoon is a line and no dot; else a day
    decisions: tuple[Decided, ...]  # by steps
    routed: tuple[tuple[datetime, int], ...]  # segments by the day on which their audit was handed in
    outcomes_by_day: tuple[tuple[datetime, str, int], ...]

    @property
    def share(self) -> float:
        """Recorded audits of all, 0 to 1."""
        return self.recorded / self.audits if self.audits else 0.0

    @property
    def left(self) -> int:
        """Segments that wait for an outcome."""
        return max(0, self.segments - self.decided)


@dataclass(frozen=True, slots=True)
class Work:
    """One reviewer's seats in a campaign."""

    person: User
    waiting: int
    in_hand: int
    sealed: int
    silent: int
    given_back: int
    oldest: datetime | None
    last_vote: datetime | None
    right: int
    of: int

    @property
    def share(self) -> float | None:
        """Votes as the outcome, of those that can be compared."""
        return self.right / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Cost:
    """Points posted to auditors and money spent on models; the forecast is that of all audits at the price so far."""

    points: int
    money: Decimal
    points_in_all: int | None
    money_in_all: Decimal | None


def progress_of(*, campaign: Campaign, now: datetime) -> Progress:
    """The figures of a campaign at `now`: three grouped queries, whatever its size."""
    # Counting by stage in the database: a campaign of 100,000 audits is seven rows here, not 100,000.
    audits = ordinary_audits().filter(campaign=campaign)
    day = TruncDay("trace_outcome__decided_at")
    by_stage = list(audits.values_list("stage", "outcome", day).annotate(Count("pk"), Min("created")).order_by())
    stages, outcomes, days = Counter[str](), Counter[str](), Counter[tuple[datetime, str]]()
    for stage, outcome, at, count, _ in by_stage:
        stages[stage] += count
        if outcome:
            outcomes[outcome] += count
            days[at, outcome] += count
    going = audits.exclude(stage__in=("failed", "withdrawn"))
    routed = Route.objects.filter(audit__in=going).annotate(day=TruncDay("audit__created"))
    by_day = tuple((at, count) for at, count in routed.values_list("day").annotate(Count("pk")).order_by("day"))
    segments = sum(count for _, count in by_day)
    step = timedelta(hours=1) if campaign.created > now - timedelta(days=3) else timedelta(days=1)
    decisions = _decisions(going, now, step)
    decided, lately = sum(each.count for each in decisions), sum(each.by_auditors for each in decisions)
    # A campaign of two days has no seven days behind it: the span begins with its first decision, one hour at least.
    # Example: 30 segments since the day before yesterday are 15 a day, not 30 / 7; 5 in two hours are 60 a day.
    first = min((each.first for each in decisions if each.first), default=None)
    span = max(now - first, timedelta(hours=1)) if first else PACE
    a_day = lately / (span / timedelta(days=1)) if campaign.paused_at is None else 0.0
    left = max(0, segments - decided)
    # beyond ten years a forecast is no date but a standstill
    done_at = now + timedelta(days=left / a_day) if left and a_day and left / a_day < 3650 else None
    over = sum(stages.get(name, 0) for name in OVER)
    # Nothing is late that is paused or empty; a standstill tells something once the oldest audit is a day old.
    stands = done_at is None and bool(by_stage) and min(row[4] for row in by_stage) < now - timedelta(days=1)
    deadline = campaign.deadline
    misses = deadline is not None and (deadline < now or stands or (done_at or now) > deadline)
    return Progress(
        sum(stages.values()),
        stages.get("recorded", 0),
        over,
        tuple(sorted(stages.items())),
        tuple(sorted(outcomes.items())),
        segments,
        decided,
        a_day,
        done_at,
        deadline,
        misses and over < sum(stages.values()) and campaign.paused_at is None,
        step,
        decisions,
        by_day,
        tuple((at, outcome, count) for (at, outcome), count in sorted(days.items())),
    )


def _decisions(going: QuerySet[Audit], now: datetime, step: timedelta) -> tuple[Decided, ...]:
    lately = Q(decided_at__gt=now - PACE)
    # Checkers answer at once: what they decided says nothing about the pace of what is left.
    by_auditors = lately & ~Q(round__tier=Tier.COMPUTER)
    bucket = (TruncHour if step < timedelta(days=1) else TruncDay)("decided_at")
    rows = SegmentOutcome.objects.filter(audit__in=going).annotate(at=bucket).values_list("at")
    # Django names no aggregate with a filter by itself.
    counted = rows.annotate(
        n_all=Count("pk"),
        n_lately=Count("pk", filter=lately),
        n_by_auditors=Count("pk", filter=by_auditors),
        first_by_auditors=Min("decided_at", filter=by_auditors),
    )
    return tuple(Decided(*row) for row in counted.order_by("at"))


def work_of(*, campaign: Campaign) -> list[Work]:
    """One row for each reviewer who is named or was drawn; whoever waits longest first. Never how anybody votes now."""
    rows = kept(name=f"people:{campaign.pk}", count=lambda: _seats_by_person(campaign), many=MANY_BY_PERSON)
    seats = {user: counts for user, *counts in rows}
    shown = Q(pk__in=set(seats) - {None}) | Q(pk__in=campaign.reviewers.values("pk"))
    people = User.objects.filter(shown, is_active=True)
    compared = {row["seat__auditor__user"]: row for row in _votes_by_person(campaign)}
    work = [_work(person, seats.get(person.pk, _NO_SEATS), compared.get(person.pk, {})) for person in people]
    return sorted(work, key=lambda row: (row.oldest is None, row.oldest or 0, -row.waiting, row.person.pseudonym))


_NO_SEATS = (0, 0, 0, 0, 0, None, None, 0)


def _seats_by_person(campaign: Campaign) -> Any:
    """(user, waiting, in hand, sealed, silent, given back, oldest, last vote, all) of whoever was drawn."""
    is_open = Q(round__stage=RoundStage.COMMITTING)
    waits = Q(stage=SeatStage.OFFERED) & is_open
    in_hand = Q(stage=SeatStage.HELD) & is_open
    return (
        Seat.objects.filter(round__audit__campaign=campaign, round__tier=Tier.HUMAN)
        # Seats that the system itself passed over were never shown to the person.
        .exclude(declined_because__startswith="passed over")
        .order_by()
        .values_list("auditor__user")
        .annotate(
            waiting=Count("pk", filter=waits),
            in_hand=Count("pk", filter=in_hand),
            sealed=Count("pk", filter=Q(commitment__isnull=False)),
            silent=Count("pk", filter=Q(stage=SeatStage.SILENT)),
            given_back=Count("pk", filter=Q(stage__in=(SeatStage.DECLINED, SeatStage.LAPSED))),
            oldest=Min("offered_at", filter=waits | in_hand),
            last_vote=Max("commitment__committed_at"),
            all=Count("pk"),
        )
    )


def _votes_by_person(campaign: Campaign) -> Any:
    """Votes on segments that are decided pass or fail, and how many were as the outcome."""
    # A join over (audit, segment), which one_outcome_a_segment makes unique: no vote is counted twice.
    final = Q(
        seat__round__segment__outcomes__audit=F("seat__round__audit"),
        seat__round__segment__outcomes__outcome__in=("pass", "fail"),
    )
    votes = Vote.objects.filter(
        final,
        seat__round__audit__campaign=campaign,
        seat__round__tier=Tier.HUMAN,
        choice__in=("pass", "fail"),
        seat__round__stage=RoundStage.TALLIED,
    )
    same = Q(choice=F("seat__round__segment__outcomes__outcome"))
    return votes.values("seat__auditor__user").annotate(of=Count("pk"), right=Count("pk", filter=same))


def _work(person: User, seats: Sequence[Any], votes: dict[str, Any]) -> Work:
    waiting, in_hand, sealed, silent, given_back, oldest, last_vote, _ = seats
    return Work(
        person=person,
        waiting=waiting,
        in_hand=in_hand,
        sealed=sealed,
        silent=silent,
        given_back=given_back,
        oldest=oldest,
        last_vote=last_vote,
        right=votes.get("right", 0),
        of=votes.get("of", 0),
    )


def cost_of(*, campaign: Campaign, progress: Progress) -> Cost:
    """So far, and for all audits if the rest costs what the decided part of their segments did."""
    posted = Posting.objects.filter(transfer__audit__campaign=campaign, account__auditor__isnull=False)
    # A call names the audit that pays for it as text, because hdag knows no audits.
    name = Concat(Value("audit:"), Cast("pk", TextField()), output_field=TextField())
    accounts = Audit.objects.filter(campaign=campaign).annotate(account=name)
    calls = ChatCall.objects.filter(account__in=accounts.values("account"))
    # Of those that progress counts, or a campaign with decoys would cost less in all than it has so far.
    decided = SegmentOutcome.objects.filter(audit__in=ordinary_audits().filter(campaign=campaign, stage="recorded"))
    # Three sums over three tables, side by side in one statement.
    sums = (_total(posted, Sum("amount")), _total(calls, Sum("cost")), _total(decided, Count("pk")))
    points, money, paid = Campaign.objects.filter(pk=campaign.pk).values_list(*sums).get()
    points, money = points or 0, money or Decimal(0)
    # Points are posted when an audit is recorded, money is spent as segments are decided: two bases of extrapolation.
    in_points = round(points * Fraction(progress.segments, paid)) if paid else None
    done = progress.decided
    in_money = (money * progress.segments / done).quantize(Decimal("0.0001")) if done else None
    return Cost(points, money, in_points, in_money)


def _total(rows: QuerySet[Any], value: Aggregate) -> Subquery:
    """One sum over all rows, as a column of another query."""
    return Subquery(rows.order_by().values(all=Value(1)).annotate(total=value).values("total"))
