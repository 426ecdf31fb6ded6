"""Preview of a policy's routing on stored traces, before it is published: seats, cost and load of each tier.

Reads Segment (never its text), Round, Auditor, Endpoint, ChatCall; six queries, whatever is stored.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Avg, Count, Q

from auditing.core.policy import Grain, Policy, for_domain
from auditing.core.routing.table import EVERY_TIER, READ_FEATURES, Load, Route, route
from auditing.core.values import Complexity, Level, Tier
from auditing.selectors.routing.tiers import tier_load
from hdag.core.values import Segment, Source
from hdag.models import ChatCall, Decomposition
from hdag.models import Segment as SegmentRow

TRACES = 100


@dataclass(frozen=True, slots=True)
class TierShare:
    """What one tier would get: segments it is asked first, seats of those rounds, points, money."""

    tier: Tier
    segments: int
    seats: int
    points: int
    money: Decimal | None  # what its seats cost at the price of the calls so far; None without a priced call
    moved: int  # of the segments: those that a crowded tier passed on to this one
    open_seats: int
    auditors: int  # people, or calls that the endpoints take at once
    crowded_from: int

    @property
    def load(self) -> float | None:
        """Open seats an auditor now; None without auditors."""
        return self.open_seats / self.auditors if self.auditors else None


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason of the table, the tier it leads to, and how many segments it sends there."""

    why: str
    tier: Tier
    segments: int
    share: float


@dataclass(frozen=True, slots=True)
class Preview:
    """A policy's routing of the newest stored traces."""

    traces: int
    segments: int
    tiers: tuple[TierShare, ...]
    reasons: tuple[Reason, ...]
    levels: tuple[tuple[Level, dict[str, int]], ...]

    @property
    def seats(self) -> int:
        """Seats of all primary rounds."""
        return sum(tier.seats for tier in self.tiers)


def preview_of(*, policy: Policy, available: Collection[Tier] = EVERY_TIER, traces: int = TRACES) -> Preview:
    """Route the audited segments of the `traces` newest graphs under `policy`, as if they arrived now.

    `available` tiers as selectors.tiers.available_tiers tells them; each trace meets the load of this moment. Cost of
    a seat in points: its price, and for people the reward.
    """
    graphs = Decomposition.objects.filter(
        state=Decomposition.State.DONE, derived_from__isnull=policy.grain is not Grain.PASSAGE
    )
    # Where no trace was judged by passages yet, its segments tell more than nothing.
    jobs = list(graphs.order_by("-created")[:traces]) or list(
        Decomposition.objects.filter(state=Decomposition.State.DONE).order_by("-created")[:traces]
    )
    now = tier_load()
    routed = list(_routed(jobs, policy, available, now))
    # Counted in memory: the routes exist nowhere in the database, they are what would be.
    by_reason, by_level = Counter[tuple[str, Tier]](), Counter[tuple[Level, Tier]]()
    for one in routed:
        by_reason[one.route.why, one.route.primary] += one.segments
        by_level[one.level, one.route.primary] += one.segments
    total = by_reason.total()
    return Preview(
        traces=len({job.trace_id for job in jobs}),
        segments=total,
        tiers=tuple(_shares(policy, routed, now)),
        reasons=tuple(Reason(why, tier, count, count / total) for (why, tier), count in by_reason.most_common()),
        levels=tuple((level, {str(tier): by_level[level, tier] for tier in Tier}) for level in Level),
    )


class _Alike(NamedTuple):
    """Segments in which routing reads the same, and where they go."""

    segments: int
    level: Level
    route: Route


def _routed(jobs: list[Decomposition], policy: Policy, available: Collection[Tier], now: Load) -> Iterable[_Alike]:
    rows = SegmentRow.objects.filter(
        # A fine graph: all but the problem and the parents that are all children. A passage graph: what is asked.
        Q(decomposition__derived_from__isnull=True, entirely_childrens=False) & ~Q(source=Source.PROBLEM)
        | Q(decomposition__derived_from__isnull=False, unasked="") & ~Q(unit=""),
        decomposition__in=jobs,
    )
    policies: dict[str, Policy] = {}
    # Those that read alike are counted by the database: of some thousand segments a few dozen kinds are left.
    alike = rows.values_list(*_READ).annotate(segments=Count("pk")).order_by()
    for domain, level, kind, complexity, primary, secondaries, by_model, *features, segments in alike:
        if domain not in policies:
            policies[domain] = for_domain(policy=policy, domain=domain)
        segment = Segment(
            "",
            Level(level),
            "",  # the text stays encrypted where it is
            Source.THINKING,
            0,
            0,
            kind=kind,
            complexity=Complexity(complexity),
            features={name: value for name, value in zip(READ_FEATURES, features, strict=True) if value is not None},
            primary=Tier(primary),
            secondaries=tuple(Tier(tier) for tier in secondaries),
            by_model=by_model,
        )
        routed = route(segment=segment, policy=policies[domain], available=available, domain=domain, load=now)
        yield _Alike(segments, segment.level, routed)


_READ = (
    "decomposition__trace__domain",
    "level",
    "kind",
    "complexity",
    "primary",
    "secondaries",
    "by_model",
    *(f"features__{name}" for name in READ_FEATURES),
)


def _shares(policy: Policy, routed: list[_Alike], now: Load) -> Iterable[TierShare]:
    # Free calls are of local models: with them in the mean a priced one would look cheaper than it is.
    price = ChatCall.objects.filter(cost__gt=0).aggregate(mean=Avg("cost"))["mean"]
    for tier in Tier:
        mine = [one for one in routed if one.route.primary is tier]
        seats = sum(one.segments * one.route.k for one in mine)
        points = policy.tier(tier).price + (policy.reward if tier is Tier.HUMAN else 0)
        money = Decimal(price) * seats if tier is Tier.LLM and price is not None else None
        moved = sum(one.segments for one in mine if one.route.balanced)
        load = now.seats.get(tier, 0), now.auditors.get(tier, 0), policy.tier(tier).crowded_from
        yield TierShare(tier, sum(one.segments for one in mine), seats, seats * points, money, moved, *load)
