"""A campaign in charts: its burn-up with a forecast, outcomes by day, seconds a vote, its queue by tier.

Works on the figures that were read; reads Seat, Commitment.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from math import inf, sqrt

from django.db.models import Count, Q

from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Campaign, Commitment, Seat
from auditing.research.campaigns.selectors.figures import Progress
from auditing.selectors.kept import kept
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
    if not progress.decisions:
        return None
    step, lately = progress.step, sum(each.lately for each in progress.decisions)
    # Until the end of the present hour or day: a chart that changed with every second would be drawn for every reader.
    now = _end_of(now, step)
    # A point stands at the end of its hour or day, when its last decision was made.
    decided = [(progress.decisions[0].at.timestamp(), 0.0)]
    for each in progress.decisions:
        decided.append((min(each.at + step, now).timestamp(), decided[-1][1] + each.count))
    decided.append((now.timestamp(), decided[-1][1]))
    if progress.done_at is not None:
        progress = replace(progress, done_at=_end_of(progress.done_at, step))
    ends = _ends(progress, now, lately)
    to_decide = _routed(progress.routed, decided[0][0], now)
    series = [Series("decided", decided), Series("to decide", to_decide, color="ink-soft")]
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


def outcomes_by_day(*, progress: Progress, now: datetime) -> Chart | None:
    """Audits by the day and the kind of their outcome, the last thirty days; None without one."""
    first = now - timedelta(days=DAYS)
    bars = [Bar(f"{day:%m-%d}", count, outcome) for day, outcome, count in progress.outcomes_by_day if day > first]
    if not bars:
        return None
    colors = [pair for pair in COLORS if any(bar.group == pair[0] for bar in bars)]
    return bar_chart(name="outcomes", title="Outcomes by day", axes=("day (UTC)", "audits"), bars=bars, colors=colors)


def queue_by_tier(*, campaign: Campaign) -> Chart | None:
    """Open seats of models and people: waiting, in hand, or before an adjudicator; None while nothing waits."""
    is_open = Q(round__stage=RoundStage.COMMITTING, stage__in=(SeatStage.OFFERED, SeatStage.HELD))
    seats = Seat.objects.filter(is_open, round__audit__campaign=campaign, round__tier__in=TIER_WORDS)
    rows = seats.values_list("round__tier", "round__adjudicates", "stage").annotate(n=Count("pk"))
    counted = rows.order_by("round__tier", "round__adjudicates", "stage")
    bars = [
        Bar(
            "adjudicators" if adjudicates else TIER_WORDS[Tier(tier)],
            count,
            "in hand" if stage == SeatStage.HELD else "waiting",
        )
        for tier, adjudicates, stage, count in kept(name=f"queue:{campaign.pk}", count=lambda: list(counted))
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


def _routed(routed: Iterable[tuple[datetime, int]], begin: float, now: datetime) -> list[tuple[float, float]]:
    """Segments routed so far, by the day their audit was handed in."""
    points: list[tuple[float, float]] = []
    total = 0
    for day, count in routed:
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
