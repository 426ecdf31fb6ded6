"""Which tier examines a segment: the policy's table of level x kind x complexity x domain, read top down."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from auditing.core.policy import Policy, RouteRow
from auditing.core.values import Complexity, Tier
from hdag.core.values import Segment

EVERY_TIER = frozenset(Tier)
FEATURE_KINDS = ("ethics", "ambiguity", "novelty", "high_stakes")  # features that send a segment to people
HEDGED_FROM = 2.0  # this many hedges make a reading ambiguous
SAME_DOMAIN = {"legal": "law", "medical": "medicine", "clinical": "medicine"}


@dataclass(frozen=True, slots=True)
class Route:
    """Where a segment goes: tiers in order, seats of the primary round, weight in W, and the reason."""

    primary: Tier
    secondaries: tuple[Tier, ...]
    k: int
    weight: Decimal
    why: str

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """Primary, then secondaries."""
        return (self.primary, *self.secondaries)


def route(*, segment: Segment, policy: Policy, available: Collection[Tier] = EVERY_TIER, domain: str = "") -> Route:
    """The first row of policy.routes that matches, restricted to the tiers that are available.

    People are always available (a round without reviewers waits). A row about ethics, ambiguity, novelty or high
    stakes also matches a segment whose feature of that name is at least .5; two hedges are an ambiguity, and a
    segment of high complexity in a domain of full stakes has high stakes.

    >>> from auditing.core.policy import DEFAULT
    >>> from hdag.core.levels import Level
    >>> from hdag.core.values import Source
    >>> route(segment=Segment("O1", Level.OPERATION, "1+1=2", Source.THINKING, 0, 5), policy=DEFAULT).primary
    <Tier.COMPUTER: 'computer'>
    """
    row = next(row for row in policy.routes if _matches(row, segment, domain))
    open_tiers = {*available, Tier.HUMAN}
    wanted = (row.primary, *row.secondaries)
    tiers = tuple(tier for tier in wanted if tier in open_tiers) or (Tier.HUMAN,)
    if tiers == (Tier.COMPUTER,):
        tiers = (Tier.COMPUTER, Tier.HUMAN)
    missing = [tier for tier in wanted if tier not in open_tiers]
    if row.primary in missing and Tier.HUMAN in tiers:
        tiers = (Tier.HUMAN, *(tier for tier in tiers if tier is not Tier.HUMAN))
    primary = tiers[0]
    own = row.primary is primary
    rules = policy.tier(primary)
    return Route(
        primary=primary,
        secondaries=tiers[1:],
        k=row.k if own and row.k is not None else rules.k,
        weight=row.weight if own and row.weight is not None else rules.weight,
        why=_why(row, missing, primary),
    )


def _matches(row: RouteRow, segment: Segment, domain: str) -> bool:
    return (
        row.level in ("*", segment.level)
        and (row.kind in ("*", segment.kind) or _has_feature(row.kind, segment))
        and row.complexity in ("*", segment.complexity)
        and (row.domain == "*" or _domain(row.domain) == _domain(domain))
    )


def _domain(name: str) -> str:
    return SAME_DOMAIN.get(name, name)


def _has_feature(kind: str, segment: Segment) -> bool:
    read = segment.features.get
    signs = {
        "ambiguity": read("hedges", 0.0) >= HEDGED_FROM,
        "high_stakes": read("stakes", 0.0) >= 1.0 and segment.complexity is Complexity.HIGH,
    }
    return kind in FEATURE_KINDS and (read(kind, 0.0) >= 0.5 or signs.get(kind, False))


def _why(row: RouteRow, missing: list[Tier], primary: Tier) -> str:
    if not missing:
        return row.why
    names = " and ".join(f"the {tier} tier is not available" for tier in missing)
    return f"{row.why}; {names}: {primary} instead" if row.primary in missing else f"{row.why}; {names}"
