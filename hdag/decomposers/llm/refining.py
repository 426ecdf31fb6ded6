"""Step 5 of the pipeline: what is out of balance, and a graph with segments merged and split as the model says.

Only steps and operations are merged or split: plans stay whole, and a boundary that the input gave stays one. Whatever
cannot be done is left out; structure is made anew from the spans.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median

from hdag.core.levels import Level
from hdag.core.relations import Relation, Strength
from hdag.core.spans import Span, trim
from hdag.core.text.summary import summarise
from hdag.core.values import Edge, Graph, Segment, Trace
from hdag.decomposers.llm.build import structure

__all__ = ["find_imbalances", "refine_segments"]

_LOW = (Level.STEP, Level.OPERATION)
_LONG, _TIMES = 600, 6  # characters of a step, and times the median, from which on it is asked whether it is one
_SHORT = 12  # characters, none of them a digit, of a step that is hardly a statement of its own
_MOST = 12  # problems that are named at once


def find_imbalances(segments: Sequence[Segment]) -> tuple[str, ...]:
    """Steps that are many times longer than the others, and fragments, as sentences for the model."""
    steps = [segment for segment in segments if segment.level is Level.STEP]
    if len(steps) < 2:
        return ()
    middle = median(len(step.content) for step in steps)
    sentences = []
    for step in steps:
        size = len(step.content)
        # Against the median: one very long step would lift a mean above itself.
        if size > max(_LONG, _TIMES * middle):
            sentences.append(
                f"{step.id} has {size} characters, the middle step {middle:.0f}: split it if it is not one"
            )
        elif size < _SHORT and not any(map(str.isdigit, step.content)):
            sentences.append(f"{step.id} has {size} characters: merge it with its neighbour if it says nothing alone")
    return tuple(sentences[:_MOST])


def refine_segments(
    *, trace: Trace, graph: Graph, merges: Iterable[Mapping[str, str]], splits: Iterable[Mapping[str, str]]
) -> Graph:
    """The graph with merges ({first, second}) and splits ({id, text}: the words with which the second half begins)."""
    segments, ends = list(graph.segments), {segment.id: segment.id for segment in graph.segments}
    added: list[Edge] = []
    done = Counter[str]()
    # Merges first: a half that is split off must not be merged away under its old name.
    for row in merges:
        done["merged"] += _merge(trace, segments, ends, row["first"], row["second"])
    for row in splits:
        edge = _split(trace, segments, row["id"], row["text"])
        if edge is not None:
            added.append(edge)
            done["split"] += 1
    if not done.total():
        return graph
    relations = [
        edge._replace(source=_end(ends, edge.source), target=_end(ends, edge.target))
        for edge in graph.edges
        if edge.relation is not Relation.DECOMPOSES_TO
    ]
    report = (*graph.report, f"the model merged {done['merged']} pairs of segments and split {done['split']}")
    return _renumbered(graph, segments, [*relations, *added], report)


def _merge(trace: Trace, segments: list[Segment], ends: dict[str, str], first: str, second: str) -> bool:
    """The second into the first, where they are neighbours of one level in one step of the input."""
    places = {segment.id: index for index, segment in enumerate(segments)}
    if first == second or not {first, second} <= places.keys():
        return False
    earlier, later = segments[places[first]], segments[places[second]]
    origin = (earlier.source, earlier.source_index, earlier.step, earlier.level)
    if earlier.level not in _LOW or origin != (later.source, later.source_index, later.step, later.level):
        return False
    start, end = min(earlier.start, later.start), max(earlier.end, later.end)
    between = [
        s
        for s in segments
        if s.id not in (first, second) and s.source is earlier.source and s.level.depth <= earlier.level.depth
    ]
    # Something of the same level lies between them: the merged segment would overlap it.
    if any(s.start < end and s.end > start and s.level is earlier.level for s in between):
        return False
    segments[places[first]] = _spanning(trace, earlier, start, end)
    del segments[places[second]]
    ends[second] = first
    return True


def _split(trace: Trace, segments: list[Segment], name: str, words: str) -> Edge | None:
    """Two segments in index of one, the second leaning on the first; its operations stay where their spans lie."""
    index = next((index for index, segment in enumerate(segments) if segment.id == name), None)
    if index is None or segments[index].level not in _LOW or not words.strip():
        return None
    whole = segments[index]
    at = whole.content.find(words.strip())
    if at <= 0:
        return None
    text = trace.source_text(whole.source, whole.source_index)
    head = trim(text=text, span=Span(whole.start, whole.start + at))
    # A cut through what lies inside would leave it in neither half.
    inside = [
        s
        for s in segments
        if s.id != name and s.source is whole.source and whole.start <= s.start and s.end <= whole.end
    ]
    if not len(head) or any(s.start < whole.start + at < s.end for s in inside):
        return None
    second = replace(_spanning(trace, whole, whole.start + at, whole.end), id=f"{name}+")
    # Others rely on the conclusion, which is in the second half: it keeps the name.
    segments[index : index + 1] = [
        replace(_spanning(trace, whole, head.start, head.end), id=f"{name}-"),
        replace(second, id=name),
    ]
    return Edge(name, f"{name}-", Relation.DEPENDS_ON, Strength.STRONG, 0.9, "goes on from it")


def _spanning(trace: Trace, segment: Segment, start: int, end: int) -> Segment:
    content = trace.source_text(segment.source, segment.source_index)[start:end]
    summary = summarise(content=content, is_equation=segment.level is Level.OPERATION)
    return replace(segment, start=start, end=end, content=content, summary=summary)


def _end(ends: Mapping[str, str], name: str) -> str:
    """What a segment was merged into, over several merges."""
    seen = set()
    while ends.get(name, name) != name and name not in seen:
        seen.add(name)
        name = ends[name]
    return name


def _renumbered(graph: Graph, segments: Sequence[Segment], relations: Sequence[Edge], report: tuple[str, ...]) -> Graph:
    """Segments in reading order with fresh names, structure from their spans, relations that still connect two."""
    order = {segment.id: index for index, segment in enumerate(graph.segments)}
    # The goal stays first whatever it spans, because its name must stay G1.
    first, *others = segments
    ranked = [first, *sorted(others, key=lambda s: (_before(order, s.id), s.start, -s.end, s.level.depth))]
    counts: Counter[Level] = Counter()
    names: dict[str, str] = {}
    for segment in ranked:
        counts[segment.level] += 1
        names[segment.id] = f"{segment.level.prefix}{counts[segment.level]}"
    fresh = tuple(replace(segment, id=names[segment.id]) for segment in ranked)
    distinct: dict[tuple[str, str, Relation], Edge] = {}
    for edge in relations:
        source, target = names[edge.source], names[edge.target]
        if source != target:
            distinct.setdefault((source, target, edge.relation), edge._replace(source=source, target=target))
    edges = {(edge.source, edge.target, edge.relation): edge for edge in structure(segments=fresh)}
    return replace(graph, segments=fresh, edges=tuple({**distinct, **edges}.values()), report=report)


def _before(order: Mapping[str, int], name: str) -> float:
    """Its index in the graph before; the first half of a split stands just before its second."""
    return order[name] if name in order else order[name.rstrip("+-")] - 0.5
