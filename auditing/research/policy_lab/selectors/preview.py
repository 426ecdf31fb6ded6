"""Preview of a policy's routing on stored traces, before it is published: seats, cost and load of each tier.

Reads Segment (never its text), Round, Auditor, Endpoint, ChatCall; six queries, whatever is stored.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Avg, Q

from auditing.core.policy import Grain, Policy, for_domain
from auditing.core.routing.table import EVERY_TIER, Load, Route, route
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
    counted = Counter((route.why, route.primary) for _, route in routed)
    reasons = (Reason(why, tier, count, count / len(routed)) for (why, tier), count in counted.most_common())
    by_level = Counter((level, route.primary) for level, route in routed)
    return Preview(
        traces=len({job.trace_id for job in jobs}),
        segments=len(routed),
        tiers=tuple(_shares(policy, [route for _, route in routed], now)),
        reasons=tuple(reasons),
        levels=tuple((level, {str(tier): by_level[level, tier] for tier in Tier}) for level in Level),
    )


def _routed(
    jobs: list[Decomposition], policy: Policy, available: Collection[Tier], now: Load
) -> Iterable[tuple[Level, Route]]:
    rows = SegmentRow.objects.filter(
        # A fine graph: all but the problem and the parents that are all children. A passage graph: what is asked.
        Q(decomposition__derived_from__isnull=True, entirely_childrens=False) & ~Q(source=Source.PROBLEM)
        | Q(decomposition__derived_from__isnull=False, unasked="") & ~Q(unit=""),
        decomposition__in=jobs,
    )
    policies: dict[str, Policy] = {}
    # Columns and no instances: a preview reads some thousand segments while somebody waits.
    for domain, *columns in rows.values_list("decomposition__trace__domain", *_READ).iterator(chunk_size=2000):
        if domain not in policies:
            policies[domain] = for_domain(policy=policy, domain=domain)
        segment = _without_text(*columns)
        yield (
            segment.level,
            route(segment=segment, policy=policies[domain], available=available, domain=domain, load=now),
        )


_READ = ("label", "level", "kind", "complexity", "features", "primary", "secondaries", "by_model")


def _without_text(
    label: str,
    level: str,
    kind: str,
    complexity: str,
    features: dict[str, float],
    primary: str,
    secondaries: list[str],
    by_model: bool,
) -> Segment:
    """What routing reads: level, kind, complexity, features, suggestion; the text stays encrypted where it is."""
    return Segment(
        label,
        Level(level),
        "",
        Source.THINKING,
        0,
        0,
        kind=kind,
        complexity=Complexity(complexity),
        features=features,
        primary=Tier(primary),
        secondaries=tuple(Tier(tier) for tier in secondaries),
        by_model=by_model,
    )


def _shares(policy: Policy, routes: list[Route], now: Load) -> Iterable[TierShare]:
    # Free calls are of local models: with them in the mean a priced one would look cheaper than it is.
    price = ChatCall.objects.filter(cost__gt=0).aggregate(mean=Avg("cost"))["mean"]
    for tier in Tier:
        mine = [route for route in routes if route.primary is tier]
        seats = sum(route.k for route in mine)
        points = policy.tier(tier).price + (policy.reward if tier is Tier.HUMAN else 0)
        money = Decimal(price) * seats if tier is Tier.LLM and price is not None else None
        moved = sum(route.balanced for route in mine)
        load = now.seats.get(tier, 0), now.auditors.get(tier, 0), policy.tier(tier).crowded_from
        yield TierShare(tier, len(mine), seats, seats * points, money, moved, *load)
