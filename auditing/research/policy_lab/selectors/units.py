"""What would be judged of a text that is not handed in yet: its units, routed as they would be now.

The graph is the one that rules make; checkers examine it. Under a policy of passages its passages and plan seats are
the units, otherwise every segment by itself. Reads Endpoint, Round and Auditor (load of the tiers).
"""

from collections.abc import Mapping, Sequence

from auditing.core.consensus.trace import answer_basis
from auditing.core.policy import Grain, Policy
from auditing.core.routing.computer_tier import votes_on
from auditing.core.routing.table import route_all
from auditing.core.values import Choice, Outcome
from auditing.research.policy_lab.core.forecast import Unit
from auditing.selectors.routing.tiers import available_tiers, tier_load
from hdag.core.own_text import children_inside, is_entirely_childrens
from hdag.core.passages import Unit as JudgedUnit
from hdag.core.passages import coarsen, plan_passages
from hdag.core.values import Graph, Segment, Source, Trace
from hdag.decomposers.rules import RulesDecomposer

DECIDED = {Choice.PASS: Outcome.PASS, Choice.FAIL: Outcome.FAIL}


def units_of_trace(*, trace: Trace, policy: Policy) -> list[Unit]:
    """The units of a trace under a policy."""
    graph = RulesDecomposer().decompose(trace)
    choices = {label: vote.choice for label, vote in votes_on(trace=trace, graph=graph).items()}
    if policy.grain is Grain.PASSAGE:
        return units_of_passages(trace=trace, graph=graph, choices=choices, policy=policy)
    return _units_of_segments(trace, graph, choices, policy)


def units_of_passages(*, trace: Trace, graph: Graph, choices: Mapping[str, Choice], policy: Policy) -> list[Unit]:
    """Passages and plan seats that anybody is asked about; a refuted step fails its passage."""
    verified = [label for label, choice in choices.items() if choice is Choice.PASS]
    plan = plan_passages(trace=trace, graph=graph, limits=policy.passage_limits, verified=verified)
    passages, judged = coarsen(trace=trace, graph=graph, plan=plan), plan.units()
    asked = [segment for segment in passages.segments if segment.id in judged and judged[segment.id].asked]
    # Every answer rests on how the problem was read and on its plan.
    basis = {*answer_basis(graph=passages), *(seat.id for seat in plan.plan_seats)}
    decided = {segment.id: _certain_outcome(judged[segment.id], choices) for segment in asked}
    return _routed(trace, asked, basis, decided, policy)


def _units_of_segments(trace: Trace, graph: Graph, choices: Mapping[str, Choice], policy: Policy) -> list[Unit]:
    inside = children_inside(graph=graph)
    audited = [
        segment
        for segment in graph.segments
        if segment.source is not Source.PROBLEM
        and not is_entirely_childrens(segment=segment, children=inside[segment.id])
    ]
    decided = {segment.id: DECIDED.get(choices[segment.id]) for segment in audited}
    return _routed(trace, audited, set(answer_basis(graph=graph)), decided, policy)


def _certain_outcome(unit: JudgedUnit, choices: Mapping[str, Choice]) -> Outcome | None:
    """What checkers decide of a passage: a refuted step fails it; a plan seat is for people."""
    is_refuted = unit.kind == "passage" and any(choices.get(label) is Choice.FAIL for label in unit.members)
    return Outcome.FAIL if is_refuted else None


def _routed(
    trace: Trace,
    audited: Sequence[Segment],
    basis: set[str],
    decided: Mapping[str, Outcome | None],
    policy: Policy,
) -> list[Unit]:
    routes = route_all(
        segments=audited, policy=policy, available=available_tiers(), load=tier_load(), domain=trace.domain
    )
    return [
        Unit(
            tiers=route.tiers,
            k=route.k,
            weight=float(route.weight),
            rests=segment.id in basis,
            decided=decided[segment.id],
        )
        for segment, route in zip(audited, routes, strict=True)
    ]
