"""Mending a graph that breaks its invariants: the weakest edge of a cycle goes, lost text and segments are adopted.

Nothing is ever dropped but edges, and the report names each change. What repair cannot mend (a wrong span, an overlap)
find_violations still reports, and the decomposer refuses the graph.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from hdag.core.invariants import find_cycle
from hdag.core.levels import Level
from hdag.core.relations import Relation, Strength
from hdag.core.spans import Span, gaps, trim
from hdag.core.values import Edge, Graph, Segment, Source, Trace

WEIGHT = {Strength.WEAK: 0, Strength.MEDIUM: 1, Strength.STRONG: 2}
STRUCTURE = frozenset((Relation.DECOMPOSES_TO,))
PREMISE = frozenset((Relation.DEPENDS_ON, Relation.ENABLES))


def repair(*, trace: Trace, graph: Graph) -> Graph:
    """`graph` without cycles, every segment reached from the goal, every non-blank character in a segment.

    Segments keep their text; a wrong span or an overlap is not for repair (the decomposer must locate again).
    """
    # 1. circles; 2. text in no segment; 3. segments that nothing holds
    graph = break_cycles(graph=graph)
    graph = cover(trace=trace, graph=graph)
    return adopt(graph=graph)


def break_cycles(*, graph: Graph) -> Graph:
    """`graph` without the weakest edge of each cycle: lowest strength, then confidence, then the later one."""
    graph = _break(graph, STRUCTURE, Graph.children)
    return _break(graph, PREMISE, Graph.premises)


def cover(*, trace: Trace, graph: Graph) -> Graph:
    """`graph` with a step under the goal for each stretch of text that no segment holds."""
    segments, report = list(graph.segments), list(graph.report)
    edges = list(graph.edges)
    goal = next((segment.id for segment in segments if segment.level is Level.GOAL), "")
    taken = {segment.id for segment in segments}
    for source, index in _origins(trace):
        text = trace.source_text(source, index)
        held = [Span(s.start, s.end) for s in segments if (s.source, s.source_index) == (source, index)]
        for gap in gaps(within=Span(0, len(text)), covered=held):
            # A gap of blanks alone is trimmed to nothing: no segment.
            span = trim(text=text, span=gap)
            if len(span):
                key = _free_id(taken)
                content = span.slice(text)
                summary = " ".join(content.split()[:5])[:60]
                segments.append(
                    Segment(key, Level.STEP, content, source, span.start, span.end, index, "unread", summary)
                )
                edges += [Edge(goal, key, Relation.DECOMPOSES_TO, Strength.WEAK, 0.5, "left over")] if goal else []
                report.append(f"{key} holds characters {span.start} to {span.end} of the {source}, left over")
    return replace(graph, segments=tuple(segments), edges=tuple(edges), report=tuple(report))


def adopt(*, graph: Graph) -> Graph:
    """`graph` with every segment that is not reached from the goal put under the smallest segment that holds it."""
    goal = next((segment for segment in graph.segments if segment.level is Level.GOAL), None)
    if goal is None:
        return graph
    edges, report = list(graph.edges), list(graph.report)
    parented = {edge.target for edge in edges if edge.relation is Relation.DECOMPOSES_TO}
    for segment in graph.segments:
        if segment.id != goal.id and segment.id not in parented and segment.level is not Level.GOAL:
            # A second goal stays as it is: only find_violations may judge it.
            parent = _holder(graph.segments, segment) or goal
            edges.append(Edge(parent.id, segment.id, Relation.DECOMPOSES_TO, Strength.WEAK, 0.5, "adopted"))
            report.append(f"{segment.id} had no parent and was put under {parent.id}")
    return replace(graph, edges=tuple(edges), report=tuple(report))


def _break(
    graph: Graph, relations: frozenset[Relation], view: Callable[[Graph], Mapping[str, tuple[str, ...]]]
) -> Graph:
    """`graph` without circles in `view`, which reads the edges of `relations`; each round removes one edge."""
    report = list(graph.report)
    while cycle := find_cycle(successors=view(graph)):
        # ('a', 'b', 'c') runs along a -> b, b -> c, c -> a
        steps = set(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
        on_cycle = [edge for edge in graph.edges if edge.relation in relations and _direction(edge) in steps]
        # min keeps the first of equals, so the reversed list gives up the later edge
        weakest = min(reversed(on_cycle), key=lambda edge: (WEIGHT[edge.strength], edge.confidence))
        report.append(f"removed {weakest.source} {weakest.relation} {weakest.target}: weakest of a circle")
        graph = replace(graph, edges=tuple(edge for edge in graph.edges if edge is not weakest))
    return replace(graph, report=tuple(report))


def _direction(edge: Edge) -> tuple[str, str]:
    """The edge as find_cycle follows it: parent to child, dependent to premise."""
    return (edge.target, edge.source) if edge.relation is Relation.ENABLES else (edge.source, edge.target)


def _origins(trace: Trace) -> Iterable[tuple[Source, int]]:
    """(source, index) of every text of the trace, as segments cite them."""
    yield from ((source, 0) for source in (Source.PROBLEM, Source.THINKING, Source.ANSWER))
    yield from ((Source.TOOL_CALL, index) for index in range(len(trace.tool_calls)))


def _free_id(taken: set[str]) -> str:
    # Start above the count: in a dense numbering the first try is free.
    number = len(taken)
    while f"ST{number}" in taken:
        number += 1
    taken.add(f"ST{number}")
    return f"ST{number}"


def _holder(segments: tuple[Segment, ...], child: Segment) -> Segment | None:
    """The smallest higher-level segment of the same source around `child`."""
    around = [
        candidate
        for candidate in segments
        if (candidate.source, candidate.source_index) == (child.source, child.source_index)
        and candidate.level.depth < child.level.depth
        and candidate.start <= child.start
        and child.end <= candidate.end
    ]
    return min(around, key=lambda candidate: candidate.end - candidate.start, default=None)
