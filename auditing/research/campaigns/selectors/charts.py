"""A campaign in charts: its burn-up with a forecast, outcomes by day, seconds a vote, its queue by tier.

Reads Audit, Route, SegmentOutcome, TraceOutcome, Seat, Commitment.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from math import inf, sqrt

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncDay, TruncHour

from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Campaign, Commitment, Route, Seat, SegmentOutcome, TraceOutcome
from auditing.research.campaigns.selectors.figures import PACE, Progress
from auditing.selectors.gold.decoys import ordinary_audits
from hdag.rendering.charts.chart import Chart
from hdag.rendering.charts.lines import Axes, Band, Mark, Series, line_chart
from hdag.rendering.charts.marks import Bar, bar_chart

DAYS = 30  # of outcomes shown
CERTAIN = 1.96
FARTHEST = timedelta(days=120)  # a forecast beyond is a standstill
COLORS = (("pass", "pass"), ("fail", "fail"), ("undecided", "undecided"), ("hung", "hung"))
TIER_WORDS = {Tier.LLM: "models", Tier.HUMAN: "people"}
SECONDS = (0, 15, 30, 60, 120, 240, 480, 960, inf)
LAST_VOTES = 2000


def burn_up(*, campaign: Campaign, progress: Progress, now: datetime) -> Chart | None:
    """Segments decided against those routed, and where the pace of the last days leads; None before a decision.

    The band: counts of a Poisson process, n decisions in the last days being n plus and minus 1.96 sqrt(n).
    """
    going = ordinary_audits().filter(campaign=campaign).exclude(stage__in=("failed", "withdrawn"))
    outcomes = SegmentOutcome.objects.filter(audit__in=going)
    # By hours at first, so that a campaign of one afternoon is a line and no dot.
    is_young = campaign.created > now - timedelta(days=3)
    bucket = (TruncHour if is_young else TruncDay)("decided_at")
    counts = list(outcomes.annotate(at=bucket).values_list("at").annotate(n=Count("pk")).order_by("at"))
    if not counts:
        return None
    step = timedelta(hours=1) if is_young else timedelta(days=1)
    # Until the end of the present hour or day: a chart that changed with every second would be drawn for every reader.
    now = _end_of(now, step)
    # A point stands at the end of its hour or day, when its last decision was made.
    decided = [(counts[0][0].timestamp(), 0.0)]
    for at, count in counts:
        decided.append((min(at + step, now).timestamp(), decided[-1][1] + count))
    decided.append((now.timestamp(), decided[-1][1]))
    if progress.done_at is not None:
        progress = replace(progress, done_at=_end_of(progress.done_at, step))
    ends = _ends(progress, now, outcomes.filter(decided_at__gt=now - PACE).count())
    series = [Series("decided", decided), Series("to decide", _routed(going, decided[0][0], now), color="ink-soft")]
    if progress.done_at is not None and progress.done_at < now + FARTHEST:
        end = (progress.done_at.timestamp(), float(progress.segments))
        series.append(Series("at the pace of the last days", [decided[-1], end], color="accent"))
    deadline = [Mark(campaign.deadline.timestamp(), "deadline")] if campaign.deadline else []
    return line_chart(
        name="burn-up",
        title="Segments decided",
        axes=Axes(x="time (UTC)", y="segments", is_time=True),
        series=series,
        bands=ends,
        marks=deadline,
        note="The band: the same pace, were chance to speed it up or slow it down (95 %)." if ends else "",
    )


def outcomes_by_day(*, campaign: Campaign, now: datetime) -> Chart | None:
    """Audits by the day and the kind of their outcome, the last thirty days; None without one."""
    audits = ordinary_audits().filter(campaign=campaign)
    outcomes = TraceOutcome.objects.filter(audit__in=audits, decided_at__gt=now - timedelta(days=DAYS))
    rows = outcomes.annotate(day=TruncDay("decided_at")).values_list("day", "outcome").annotate(n=Count("pk"))
    bars = [Bar(f"{day:%m-%d}", count, outcome) for day, outcome, count in rows.order_by("day", "outcome")]
    if not bars:
        return None
    colors = [pair for pair in COLORS if any(bar.group == pair[0] for bar in bars)]
    return bar_chart(name="outcomes", title="Outcomes by day", axes=("day (UTC)", "audits"), bars=bars, colors=colors)


def queue_by_tier(*, campaign: Campaign) -> Chart | None:
    """Open seats of models and people: waiting, in hand, or before an adjudicator; None while nothing waits."""
    is_open = Q(round__stage=RoundStage.COMMITTING, stage__in=(SeatStage.OFFERED, SeatStage.HELD))
    seats = Seat.objects.filter(is_open, round__audit__campaign=campaign, round__tier__in=TIER_WORDS)
    rows = seats.values_list("round__tier", "round__adjudicates", "stage").annotate(n=Count("pk"))
    bars = [
        Bar(
            "adjudicators" if adjudicates else TIER_WORDS[Tier(tier)],
            count,
            "in hand" if stage == SeatStage.HELD else "waiting",
        )
        for tier, adjudicates, stage, count in rows.order_by("round__tier", "round__adjudicates", "stage")
    ]
    if not bars:
        return None
    colors = [("waiting", "hung"), ("in hand", "accent")]
    return bar_chart(name="queue", title="Queue by tier", axes=("tier", "seats"), bars=bars, colors=colors, lying=True)


def seconds_a_vote(*, campaign: Campaign) -> Chart | None:
    """How long people took for a vote, the page in use; None before enough votes to hide whose each is."""
    spans = Commitment.objects.filter(
        seat__round__audit__campaign=campaign, seat__round__tier=Tier.HUMAN, active_ms__gt=0
    )
    seconds = [ms / 1000 for ms in spans.order_by("-committed_at").values_list("active_ms", flat=True)[:LAST_VOTES]]
    if len(seconds) < 5:
        return None
    bars = [
        Bar(f"<{high}" if high < inf else f"{low}+", sum(low <= value < high for value in seconds))
        for low, high in pairwise(SECONDS)
    ]
    return bar_chart(name="seconds", title="Seconds a vote", axes=("seconds with the page in use", "votes"), bars=bars)


def _routed(going: QuerySet[Audit], begin: float, now: datetime) -> list[tuple[float, float]]:
    """Segments routed so far, by the day their audit was handed in."""
    routes = Route.objects.filter(audit__in=going).annotate(day=TruncDay("audit__created"))
    points: list[tuple[float, float]] = []
    total = 0
    for day, count in routes.values_list("day").annotate(n=Count("pk")).order_by("day"):
        total += count
        points.append((max(day.timestamp(), begin), float(total)))
    # Two days before the first decision fall on one x: the later total stands.
    return [*dict(points).items(), (now.timestamp(), float(total))]


def _ends(progress: Progress, now: datetime, lately: int) -> list[Band]:
    if progress.done_at is None or not lately or progress.done_at >= now + FARTHEST:
        return []
    spread = CERTAIN / sqrt(lately)
    days = (progress.done_at - now) / timedelta(days=1)
    begin, end = float(progress.decided), progress.done_at.timestamp()
    low = begin + progress.a_day * days * max(0.0, 1 - spread)
    high = min(begin + progress.a_day * days * (1 + spread), float(progress.segments))
    return [Band([(now.timestamp(), begin, begin), (end, low, high)])]


def _end_of(moment: datetime, step: timedelta) -> datetime:
    """The end of the hour or day in which a moment lies."""
    begin = moment.replace(minute=0, second=0, microsecond=0)
    return (begin if step < timedelta(days=1) else begin.replace(hour=0)) + step
