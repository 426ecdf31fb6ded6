"""Routing: which tier examines a segment, by the policy's table of level x kind x complexity x domain, then by load."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from auditing.core.policy import Policy, RoutedBy, RouteRow
from auditing.core.seating.fields import field_name
from auditing.core.values import Complexity, Tier
from hdag.core.levels import Level
from hdag.core.values import Segment

EVERY_TIER = frozenset(Tier)
FEATURE_KINDS = ("ethics", "ambiguity", "novelty", "high_stakes")  # features that send a segment to people
FOR_PEOPLE = (*FEATURE_KINDS, "harmlessness")
READ_FEATURES = (*FEATURE_KINDS, "hedges", "stakes")  # all that a row reads of a segment's features
HEDGED_FROM = 2.0  # this many hedges make a reading ambiguous
HARDNESS = {complexity: rank for rank, complexity in enumerate(Complexity)}


class Route(NamedTuple):
    """Where a segment goes: tiers in order, seats of the primary round, weight in W, and the reason."""

    primary: Tier
    secondaries: tuple[Tier, ...]
    k: int
    weight: Decimal
    why: str
    balanced: bool = False  # the load of the tiers changed their order
    by_model: bool = False  # the order is the one that the decomposing model suggested, but for what changed it since

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """Primary, then secondaries."""
        return (self.primary, *self.secondaries)


@dataclass(slots=True)
class Load:
    """Open seats of each tier beside the auditors who can fill them; routing adds the seats that it hands out."""

    seats: dict[Tier, int] = field(default_factory=dict)
    auditors: Mapping[Tier, int] = field(default_factory=dict)

    def share(self, tier: Tier) -> float:
        """Open seats an auditor; infinite where seats wait for nobody.

        >>> Load({Tier.HUMAN: 6}, {Tier.HUMAN: 4}).share(Tier.HUMAN)
        1.5
        """
        seats, auditors = self.seats.get(tier, 0), self.auditors.get(tier, 0)
        if not auditors:
            return float("inf") if seats else 0.0
        return seats / auditors

    def add(self, routed: Route) -> None:
        """Count the seats of a primary round that is about to open."""
        self.seats[routed.primary] = self.seats.get(routed.primary, 0) + routed.k


def route_all(
    *, segments: Iterable[Segment], policy: Policy, available: Collection[Tier], load: Load, domain: str = ""
) -> Iterator[Route]:
    """The route of each segment in turn; `load` grows with every one, so that one long trace spreads as well."""
    for segment in segments:
        routed = route(segment=segment, policy=policy, available=available, domain=domain, load=load)
        load.add(routed)
        yield routed


def route(
    *,
    segment: Segment,
    policy: Policy,
    available: Collection[Tier] = EVERY_TIER,
    domain: str = "",
    load: Load | None = None,
) -> Route:
    """The first row of policy.routes that matches, restricted to the tiers that are available, balanced by load.

    People are always available (a round without reviewers waits). A row about ethics, ambiguity, novelty or high
    stakes also matches a segment whose feature of that name is at least .5; two hedges are an ambiguity, and a
    segment of high complexity in a domain of full stakes has high stakes. Where models or people hold
    `crowded_from` open seats an auditor and the other of the two, later in the row, does not, the two change places;
    people keep the goal, what is for people by its nature, and what is harder than policy.balance_up_to.

    >>> from auditing.core.policy import DEFAULT
    >>> from hdag.core.values import Source
    >>> sum_ = Segment("O1", Level.OPERATION, "1+1=2", Source.THINKING, 0, 5)
    >>> route(segment=sum_, policy=DEFAULT).primary
    <Tier.COMPUTER: 'computer'>
    """
    # 1. The first row that matches; a policy is refused unless its last row matches everything (policy.checks).
    row = next(row for row in policy.routes if _matches(row, segment, domain))
    # 2. Its tiers, or those that a model suggested where the policy says so, that can take seats now.
    open_tiers = {*available, Tier.HUMAN}
    suggested = _suggested(row, segment, policy)
    wanted = suggested or (row.primary, *row.secondaries)
    missing = [tier for tier in wanted if tier not in open_tiers]
    table = _available(wanted, open_tiers)
    # 3. Models and people change places where the one that is asked first is crowded.
    tiers = _balanced(table, row, segment, policy, load) if load is not None else table
    # 4. Seats and weight of the row are meant for its own first tier; another one comes with its own.
    primary = tiers[0]
    own = row.primary is primary
    rules = policy.tier(primary)
    why = _why(row, wanted, missing, table[0])
    return Route(
        primary=primary,
        secondaries=tiers[1:],
        k=row.k if own and row.k is not None else rules.k,
        weight=row.weight if own and row.weight is not None else rules.weight,
        why=why if tiers == table else f"{why}; {_crowding(table, tiers, policy, load)}",
        balanced=tiers != table,
        by_model=bool(suggested),
    )


def past_models(*, route: Route, policy: Policy) -> Route:
    """The same route without models before people, for gold; its reason reads as that of any passage of its kind."""
    before = route.tiers[: route.tiers.index(Tier.HUMAN)] if Tier.HUMAN in route.tiers else route.tiers
    if Tier.LLM not in before:
        return route
    people = policy.human
    return Route(Tier.HUMAN, (), people.k, people.weight, f"{route.why}; {AFTER} {' '.join(before)}", route.balanced)


def _suggested(row: RouteRow, segment: Segment, policy: Policy) -> tuple[Tier, ...]:
    """The tiers that a model suggested, where the policy follows it; none where the row's stand.

    Within the rules a model orders the row's tiers and leaves none of them out: a text that talks it round cannot
    choose who is never asked, nor take away from people what is theirs whatever their load.
    """
    if policy.routed_by is RoutedBy.RULES or not segment.by_model:
        return ()
    suggested = (segment.primary, *segment.secondaries)
    if policy.routed_by is RoutedBy.MODEL:
        return suggested
    table = (row.primary, *row.secondaries)
    # Both leave the row as it is: the model named a tier that is not asked here, or would keep people out.
    if segment.primary not in table or (row.primary is Tier.HUMAN and _is_for_people(row, segment, policy)):
        return ()
    return tuple(dict.fromkeys(tier for tier in (*suggested, *table) if tier in table))


def _available(wanted: tuple[Tier, ...], open_tiers: set[Tier]) -> tuple[Tier, ...]:
    """The wanted tiers that can take seats; people first where the first one cannot."""
    tiers = tuple(tier for tier in wanted if tier in open_tiers) or (Tier.HUMAN,)
    if tiers == (Tier.COMPUTER,):  # a checker abstains on most segments: somebody has to look after it
        tiers = (Tier.COMPUTER, Tier.HUMAN)
    if wanted[0] not in open_tiers and Tier.HUMAN in tiers:
        tiers = (Tier.HUMAN, *(tier for tier in tiers if tier is not Tier.HUMAN))
    return tiers


def _balanced(
    tiers: tuple[Tier, ...], row: RouteRow, segment: Segment, policy: Policy, load: Load | None
) -> tuple[Tier, ...]:
    """The tiers with models and people changed over where the first of the two is crowded and the other is not."""
    pair = [tier for tier in tiers if tier is not Tier.COMPUTER]
    if load is None or len(pair) < 2 or not _is_crowded(pair[0], policy, load) or _is_crowded(pair[1], policy, load):
        return tiers
    if pair[0] is Tier.HUMAN and _is_for_people(row, segment, policy):
        return tiers
    exchanged = iter(reversed(pair))  # the computer tier keeps its position
    return tuple(tier if tier is Tier.COMPUTER else next(exchanged) for tier in tiers)


def _is_crowded(tier: Tier, policy: Policy, load: Load) -> bool:
    limit = policy.tier(tier).crowded_from
    return limit > 0 and load.share(tier) >= limit


def _is_for_people(row: RouteRow, segment: Segment, policy: Policy) -> bool:
    return (
        row.kind in FOR_PEOPLE
        or segment.level is Level.GOAL
        or HARDNESS[segment.complexity] > HARDNESS[policy.balance_up_to]
    )


def _matches(row: RouteRow, segment: Segment, domain: str) -> bool:
    return (
        row.level in ("*", segment.level)
        and (row.kind in ("*", segment.kind) or _has_feature(row.kind, segment))
        and row.complexity in ("*", segment.complexity)
        and (row.domain == "*" or field_name(text=row.domain) == field_name(text=domain))
    )


def _has_feature(feature: str, segment: Segment) -> bool:
    """Whether a segment has a feature that rows name in the place of a kind: stated at .5 or more, or by its signs."""
    read = segment.features.get
    is_hedged = feature == "ambiguity" and read("hedges", 0.0) >= HEDGED_FROM
    is_grave = feature == "high_stakes" and read("stakes", 0.0) >= 1.0 and segment.complexity is Complexity.HIGH
    return is_hedged or is_grave or (feature in FEATURE_KINDS and read(feature, 0.0) >= 0.5)


def _why(row: RouteRow, wanted: tuple[Tier, ...], missing: list[Tier], primary: Tier) -> str:
    is_changed = wanted != (row.primary, *row.secondaries)
    order = ", then ".join(f"the {tier} tier" for tier in wanted)
    why = f"{row.why}; a model suggested {order}" if is_changed else row.why
    if not missing:
        return why
    absences = " and ".join(f"the {tier} tier is not available" for tier in missing)
    return f"{why}; {absences}: {primary} instead" if wanted[0] in missing else f"{why}; {absences}"


def reason_for_reviewers(*, tiers: Sequence[Tier], why: str) -> str:
    """A stored route's reason as the sentence that a reviewer reads; it never tells what earlier tiers found.

    >>> reason_for_reviewers(tiers=(Tier.COMPUTER, Tier.HUMAN), why="deterministic calculation")
    'The computer tier looks at this first (deterministic calculation). People are next.'
    """
    # `why` is written by _why and _crowding: the row's reason, then "; " and what changed the order.
    reason, _, changes = why.partition("; ")
    before = tuple(tiers[: tiers.index(Tier.HUMAN)]) if Tier.HUMAN in tiers else ()
    changes, _, after = changes.partition(AFTER)
    before = tuple(map(Tier, after.split())) or before
    away = f"the {Tier.LLM} tier is not available" in changes
    cause = "no language model is connected" if away else "the queue of the models is long"
    if not before and f": {Tier.HUMAN} " in changes:
        return f"For language models ({reason}), but {cause}: people are asked."
    if not before:
        return f"People look at this first: {reason}."
    first = " and ".join(_LOOKERS[tier] for tier in before)
    last = f": {cause}." if away or f": {Tier.HUMAN} before it" in changes else "."
    look = "look" if len(before) > 1 else "looks"
    return f"{first[0].upper()}{first[1:]} {look} at this first ({reason}). People are next{last}"


AFTER = "people alone, as if after"
_LOOKERS = {Tier.COMPUTER: "the computer tier", Tier.LLM: "a language model"}


def _crowding(before: tuple[Tier, ...], after: tuple[Tier, ...], policy: Policy, load: Load | None) -> str:
    """Why the order changed: who is crowded, by how much, and who is asked earlier."""
    crowded = next(tier for tier in before if tier is not Tier.COMPUTER)
    relief = next(tier for tier in after if tier is not Tier.COMPUTER)
    assert load is not None
    share = load.share(crowded)
    seats = "seats wait for nobody" if share == float("inf") else f"{share:.0f} open seats an auditor"
    return f"the {crowded} tier is crowded ({seats}, limit {policy.tier(crowded).crowded_from}): {relief} before it"
