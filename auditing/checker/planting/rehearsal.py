"""Which unit of a trace a planted place falls into, and whether people would be asked about it: a rehearsal.

Graphs by rules are the same every time, so what is rehearsed here is what the corridor will make of the decoy.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from auditing.checker.examination import decide_all
from auditing.checker.findings import Verdict
from hdag.core.invariants import find_violations
from hdag.core.levels import Level
from hdag.core.own_text import children_inside, is_entirely_childrens
from hdag.core.passages import PassagePlan, PlanKind, coarsen, digest_text, plan_passages
from hdag.core.passages.seats import ANSWER, STRATEGY
from hdag.core.units import Stretch
from hdag.core.values import Graph, Source, Trace


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """The passage that a decoy is about, in its text; the error, where there is one, begins at `at`.

    is_plan: it is about the plan of the whole text, and not about what stands in it.
    """

    source: Source
    start: int
    end: int
    at: int
    is_plan: bool = False

    @property
    def stretch(self) -> Stretch:
        """Its characters."""
        return Stretch(self.source, 0, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Whole:
    """A question about a trace as a whole: where its gold stands, and the text that its form shows."""

    span: GoldSpan
    text: str


def proved_outside(*, span: GoldSpan, graph: Graph, verified: Collection[str]) -> set[str]:
    """Labels of proved segments that do not touch the gold passage: what is proved in it is asked all the same."""
    if span.is_plan:
        return set(verified)
    touching = {
        segment.id
        for segment in graph.segments
        if segment.source is span.source and segment.start < span.end and span.start < segment.end
    }
    return set(verified) - touching


def find_asked(
    *, trace: Trace, span: GoldSpan, by_passages: bool, decompose: Callable[[Trace], Graph]
) -> tuple[int, int] | None:
    """The span of the unit that would be asked and holds the planted place; None where nobody would be asked.

    The smallest one: in a graph of segments an operation rather than its step.
    """
    graph = decompose(trace)
    if find_violations(trace=trace, graph=graph):
        return None
    spans = _asked_passages(trace, span, graph) if by_passages else _asked_segments(span, graph)
    holding = [(start, end) for start, end in spans if start <= span.at < end]
    return min(holding, key=lambda span: span[1] - span[0], default=None)


def find_wholes(*, trace: Trace, decompose: Callable[[Trace], Graph]) -> dict[PlanKind, Whole]:
    """How the problem is read, the plan, and the answer, as people would be asked about them; none in a short trace.

    All that is judged is taken for open: what is gold is asked whether the computer proved it or not.
    """
    graph = decompose(trace)
    plan = plan_passages(trace=trace, graph=graph)
    coarse = coarsen(trace=trace, graph=graph, plan=plan)
    if find_violations(trace=trace, graph=graph) or find_violations(trace=trace, graph=coarse):
        return {}
    places = {
        PlanKind.GOAL: _goals(graph, plan),
        PlanKind.STRATEGY: _plans(coarse, plan),
        PlanKind.ANSWER: [
            GoldSpan(passage.source, passage.start, passage.end, passage.start)
            for passage in plan.passages
            if passage.id == ANSWER
        ],
    }
    passages = {passage.id: passage for passage in plan.passages}
    return {
        seat.kind: Whole(span, digest_text(seat=seat, passages=passages))
        for seat in plan.plan_seats
        for span in places.get(seat.kind, ())
    }


def _goals(graph: Graph, plan: PassagePlan) -> list[GoldSpan]:
    """The problem as a whole, where somebody is asked how it is read."""
    if not any(seat.kind is PlanKind.GOAL for seat in plan.plan_seats):
        return []
    goals = [segment for segment in graph.segments if segment.level is Level.GOAL]
    return [GoldSpan(goal.source, goal.start, goal.end, goal.start) for goal in goals]


def _plans(coarse: Graph, plan: PassagePlan) -> list[GoldSpan]:
    """The text as a whole, where somebody is asked about its plan."""
    if not any(seat.kind is PlanKind.STRATEGY for seat in plan.plan_seats):
        return []
    boxes = [segment for segment in coarse.segments if segment.id == STRATEGY]
    return [GoldSpan(box.source, box.start, box.end, box.start, is_plan=True) for box in boxes]


def _asked_segments(span: GoldSpan, graph: Graph) -> list[tuple[int, int]]:
    inside = children_inside(graph=graph)
    return [
        (segment.start, segment.end)
        for segment in graph.segments
        if segment.source is span.source and not is_entirely_childrens(segment=segment, children=inside[segment.id])
    ]


def _asked_passages(trace: Trace, span: GoldSpan, graph: Graph) -> list[tuple[int, int]]:
    decisions = decide_all(trace=trace, graph=graph)
    verified = {label for label, decision in decisions.items() if decision.verdict is Verdict.VERIFIED}
    plan = plan_passages(trace=trace, graph=graph, verified=proved_outside(span=span, graph=graph, verified=verified))
    coarse = coarsen(trace=trace, graph=graph, plan=plan)
    if find_violations(trace=trace, graph=coarse):
        return []
    if span.is_plan:
        return [(place.start, place.end) for place in _plans(coarse, plan)]
    if span.source is Source.PROBLEM:
        return [(goal.start, goal.end) for goal in _goals(graph, plan)]
    return [
        (passage.start, passage.end) for passage in plan.passages if passage.asked and passage.source is span.source
    ]
