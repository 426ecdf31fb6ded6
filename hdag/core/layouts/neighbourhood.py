"""The part of a graph around one segment, small enough to be drawn and read."""

from collections import defaultdict, deque
from dataclasses import replace

from hdag.core.values import Graph


def neighbourhood(*, graph: Graph, centre: str, most: int) -> Graph:
    """At most `most` segments, those nearest to `centre` by edges of every relation and direction; a small graph whole.

    >>> from hdag.core.levels import Level
    >>> from hdag.core.relations import Relation
    >>> from hdag.core.values import Edge, Segment, Source
    >>> row = tuple(Segment(f"ST{n}", Level.STEP, "x", Source.THINKING, n, n + 1) for n in range(4))
    >>> chain = Graph(row, tuple(Edge(f"ST{n + 1}", f"ST{n}", Relation.DEPENDS_ON) for n in range(3)))
    >>> [segment.id for segment in neighbourhood(graph=chain, centre="ST3", most=2).segments]
    ['ST2', 'ST3']
    """
    if len(graph.segments) <= most:
        return graph
    beside: dict[str, list[str]] = defaultdict(list)
    for edge in graph.edges:
        beside[edge.source].append(edge.target)
        beside[edge.target].append(edge.source)
    near, waiting = {centre}, deque([centre])
    while waiting and len(near) < most:
        # Breadth first (Moore 1959), cut off at `most`: what is left out is farther than anything shown.
        fresh = [label for label in beside[waiting.popleft()] if label not in near][: most - len(near)]
        near.update(fresh)
        waiting.extend(fresh)
    return replace(
        graph,
        segments=tuple(segment for segment in graph.segments if segment.id in near),
        edges=tuple(edge for edge in graph.edges if edge.source in near and edge.target in near),
    )
