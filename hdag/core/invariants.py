"""What every HDAG must satisfy, whichever decomposer made it; each violation is named.

Source: TRUST, section 3.1, read as docs/formulas.md section 1.7 says.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hdag.core.relations import Relation
from hdag.core.spans import Span, find_overlap, find_uncovered
from hdag.core.values import Graph, Segment, Source, Trace

_ON_PATH, _DONE = 1, 2  # states of a node in the search for cycles; unseen nodes have none


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken invariant: its name, a sentence, and the segments concerned."""

    invariant: str
    sentence: str
    segments: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Name and sentence."""
        return f"{self.invariant}: {self.sentence}"


def find_violations(*, trace: Trace, graph: Graph) -> tuple[Violation, ...]:
    """Every broken invariant of `graph` on `trace`, in the order of _CHECKS; () for a sound graph.

    Linear in text, segments and edges apart from sorting. Later checks run only on graphs whose ids and ends exist.
    """
    # The later checks look segments up by id and texts by source, so they need these to exist.
    broken = tuple(_identity(trace, graph))
    if broken:
        return broken
    return tuple(violation for check in _CHECKS for violation in check(trace, graph))


def find_cycle(*, successors: Mapping[str, Sequence[str]]) -> tuple[str, ...] | None:
    """The nodes of one cycle in order, or None when the graph is acyclic (iterative depth-first search).

    >>> find_cycle(successors={"a": ["b"], "b": ["a"]})
    ('a', 'b')
    """
    state: dict[str, int] = {}
    for root in successors:
        cycle = _find_cycle_from(root, successors, state)
        if cycle:
            return cycle
    return None


def _find_cycle_from(
    root: str, successors: Mapping[str, Sequence[str]], state: dict[str, int]
) -> tuple[str, ...] | None:
    """Depth-first search with its own stack: a chain of 25,000 premises would overflow Python's.

    `state` is shared by all roots, so every edge is followed once: ON_PATH while below the root, DONE after.
    """
    if root in state:
        return None
    state[root] = _ON_PATH
    path, todo = [root], [iter(successors.get(root, ()))]
    while todo:
        for node in todo[-1]:
            if state.get(node) == _ON_PATH:
                # An edge back into the present path closes a circle; what the path holds before it is no part of it.
                return tuple(path[path.index(node) :])
            if node not in state:
                state[node] = _ON_PATH
                path.append(node)
                todo.append(iter(successors.get(node, ())))
                break
        else:
            todo.pop()
            state[path.pop()] = _DONE
    return None


def _identity(trace: Trace, graph: Graph) -> Iterator[Violation]:
    # Names first: every other invariant looks segments up by them.
    counts = Counter(segment.id for segment in graph.segments)
    for key, count in counts.items():
        if count > 1:
            yield Violation("unique ids", f"{key} is used {count} times", (key,))
    if not graph.segments:
        yield Violation("connected from the goal", "the graph has no segment")
    yield from _lost_ends(graph, frozenset(counts))
    for segment in graph.segments:
        if segment.source is Source.TOOL_CALL and not 0 <= segment.source_index < len(trace.tool_calls):
            yield Violation("span text", f"{segment.id} cites tool call {segment.source_index}", (segment.id,))


def _lost_ends(graph: Graph, ids: frozenset[str]) -> Iterator[Violation]:
    for edge in graph.edges:
        for end in sorted({edge.source, edge.target} - ids):
            sentence = f"{edge.source} {edge.relation} {edge.target} names no segment {end}"
            yield Violation("edge ends exist", sentence)


def _structure_acyclic(_trace: Trace, graph: Graph) -> Iterator[Violation]:
    cycle = find_cycle(successors=graph.children())
    if cycle:
        yield Violation("structure acyclic", f"decomposes_to runs in a circle: {' -> '.join(cycle)}", cycle)


def _premises_acyclic(_trace: Trace, graph: Graph) -> Iterator[Violation]:
    cycle = find_cycle(successors=graph.premises())
    if cycle:
        yield Violation("premises acyclic", f"premises run in a circle: {' -> '.join(cycle)}", cycle)


def _connected(_trace: Trace, graph: Graph) -> Iterator[Violation]:
    """Breadth-first along decomposes_to: whatever the first goal does not reach is lost."""
    children = graph.children()
    goals = [segment.id for segment in graph.segments if segment.level.depth == 0]
    if not goals:
        yield Violation("connected from the goal", "the graph has no goal")
        return
    # From the first goal alone: a second one that nothing leads to is itself lost.
    seen, todo = set(goals[:1]), deque(goals[:1])
    while todo:
        for child in children[todo.popleft()]:
            if child not in seen:
                seen.add(child)
                todo.append(child)
    lost = tuple(segment.id for segment in graph.segments if segment.id not in seen)
    if lost:
        yield Violation("connected from the goal", f"not reached from {goals[0]}: {', '.join(lost[:9])}", lost)


def _span_text(trace: Trace, graph: Graph) -> Iterator[Violation]:
    for segment in graph.segments:
        text = trace.source_text(segment.source, segment.source_index)
        inside = 0 <= segment.start < segment.end <= len(text)
        if not inside or text[segment.start : segment.end] != segment.content:
            sentence = f"{segment.id} is not characters {segment.start} to {segment.end} of the {segment.source}"
            yield Violation("span text", sentence, (segment.id,))


def _coverage(trace: Trace, graph: Graph) -> Iterator[Violation]:
    spans: dict[tuple[Source, int], list[Span]] = defaultdict(list)
    for segment in graph.segments:
        spans[segment.source, segment.source_index].append(Span(segment.start, segment.end))
    texts = [(source, 0) for source in (Source.PROBLEM, Source.THINKING, Source.ANSWER)]
    texts += [(Source.TOOL_CALL, index) for index in range(len(trace.tool_calls))]
    for source, index in texts:
        text = trace.source_text(source, index)
        # Blank characters need no segment; every other character of the trace must be audited somewhere.
        hole = find_uncovered(text=text, covered=spans[source, index])
        if hole:
            yield Violation("complete", f"characters {hole.start} to {hole.end} of the {source} lie in no segment")


def _siblings_apart(_trace: Trace, graph: Graph) -> Iterator[Violation]:
    by_id = {segment.id: segment for segment in graph.segments}
    for parent, ids in graph.children().items():
        groups: dict[tuple[Source, int], list[Segment]] = defaultdict(list)
        for key in ids:
            # Places are counted anew in each tool call: 3 to 9 of two calls do not overlap.
            groups[by_id[key].source, by_id[key].source_index].append(by_id[key])
        for group in groups.values():
            pair = find_overlap(spans=(Span(segment.start, segment.end) for segment in group))
            if pair:
                ids_ = tuple(s.id for s in group if Span(s.start, s.end) in pair)
                yield Violation("siblings apart", f"children of {parent} overlap: {', '.join(ids_)}", ids_)


def _child_inside(_trace: Trace, graph: Graph) -> Iterator[Violation]:
    for parent, child in _structure_pairs(graph):
        # A child may lie in another text than its parent (an answer under a goal in the problem): nothing to compare.
        same = (parent.source, parent.source_index) == (child.source, child.source_index)
        if same and not Span(parent.start, parent.end).contains(Span(child.start, child.end)):
            sentence = f"{child.id} does not lie inside its parent {parent.id}"
            yield Violation("child inside parent", sentence, (parent.id, child.id))


def _levels_descend(_trace: Trace, graph: Graph) -> Iterator[Violation]:
    for parent, child in _structure_pairs(graph):
        if child.level.depth <= parent.level.depth:
            sentence = f"{parent.id} ({parent.level}) decomposes to {child.id} ({child.level})"
            yield Violation("levels descend", sentence, (parent.id, child.id))


def _structure_pairs(graph: Graph) -> Iterator[tuple[Segment, Segment]]:
    by_id = {segment.id: segment for segment in graph.segments}
    for edge in graph.edges:
        if edge.relation is Relation.DECOMPOSES_TO:
            yield by_id[edge.source], by_id[edge.target]


_CHECKS: tuple[Callable[[Trace, Graph], Iterator[Violation]], ...] = (
    _structure_acyclic,
    _premises_acyclic,
    _connected,
    _span_text,
    _coverage,
    _siblings_apart,
    _child_inside,
    _levels_descend,
)
