"""From a model's segments to a graph that keeps the invariants: exact spans, a tree by containment, named repairs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from hdag.core.complexity import assess
from hdag.core.levels import Complexity, Level, Tier
from hdag.core.relations import Relation, Strength
from hdag.core.spans import Span, trim
from hdag.core.text.summary import summarise
from hdag.core.values import Edge, Segment, Source, Trace

__all__ = ["LocatedPiece", "read_edges", "segments_of", "structure", "with_tiers"]

_ORDER = {source: rank for rank, source in enumerate(Source)}


@dataclass(frozen=True, slots=True)
class LocatedPiece:
    """A located segment before it has an id."""

    level: Level
    source: Source
    index: int
    span: Span
    kind: str = ""
    summary: str = ""
    complexity: Complexity = Complexity.MEDIUM


def segments_of(*, trace: Trace, pieces: Iterable[LocatedPiece]) -> tuple[Segment, ...]:
    """Segments with ids in reading order, the goal first; spans that cross are cut, plans reach over what they plan."""
    whole = [_goal(trace), *pieces]
    # Reading order; of pieces that start together the longer and higher one first, so that it may hold the others.
    ranked = sorted(whole, key=lambda p: (_ORDER[p.source], p.index, p.span.start, -p.span.end, p.level.depth))
    # Python's sort is stable: the goals move to the front and the rest keep their order.
    ranked.sort(key=lambda p: p.level is not Level.GOAL)
    counts: Counter[Level] = Counter()
    segments = []
    for piece in _apart(_reaching([fitted for whole_piece in ranked for fitted in _by_steps(trace, whole_piece)])):
        counts[piece.level] += 1
        content = piece.span.slice(trace.source_text(piece.source, piece.index))
        # What the model calls an operation is a computation from end to end.
        checkable = float(piece.level is Level.OPERATION)
        assessed = assess(content=content, level=piece.level, domain=trace.domain, checkable=checkable)
        segments.append(
            Segment(
                id=f"{piece.level.prefix}{counts[piece.level]}",
                level=piece.level,
                content=content,
                source=piece.source,
                start=piece.span.start,
                end=piece.span.end,
                source_index=piece.index,
                kind=piece.kind,
                summary=piece.summary or summarise(content=content, is_equation=piece.level is Level.OPERATION),
                complexity=piece.complexity,
                features=assessed.features,
                primary=assessed.primary,
                secondaries=assessed.secondaries,
                why_tier=assessed.why,
                focus=assessed.focus,
                step=_step_of(trace, piece),
            )
        )
    return tuple(segments)


def _by_steps(trace: Trace, piece: LocatedPiece) -> list[LocatedPiece]:
    """Steps given by the input stay boundaries: a step or operation that runs across one is divided there."""
    if piece.source is not Source.THINKING or piece.level.depth < Level.STEP.depth:
        return [piece]
    inner = {step.start for step in trace.steps if piece.span.start < step.start < piece.span.end}
    marks = [piece.span.start, *sorted(inner), piece.span.end]
    text = trace.thinking
    spans = [trim(text=text, span=Span(start, end)) for start, end in pairwise(marks)]
    return [LocatedPiece(**{**_fields(piece), "span": span}) for span in spans if len(span)]


def _step_of(trace: Trace, piece: LocatedPiece) -> int | None:
    if piece.source is not Source.THINKING:
        return None
    held = (s.index for s in trace.steps if s.start <= piece.span.start and piece.span.end <= s.end)
    return next(held, None)


def _goal(trace: Trace) -> LocatedPiece:
    """The problem is the goal; without one, all of the thinking (or the answer, or the first tool call) is."""
    for source in Source:
        text = trace.source_text(source) if source is not Source.TOOL_CALL or trace.tool_calls else ""
        span = trim(text=text, span=Span(0, len(text)))
        if len(span):
            return LocatedPiece(Level.GOAL, source, 0, span, "objective")
    raise ValueError("a trace without text has no goal")


def _reaching(ranked: Sequence[LocatedPiece]) -> list[LocatedPiece]:
    """Strategies and tactics extended to where the next plan of their rank starts, so that they hold their parts."""
    reaching = list(ranked)
    for n, piece in enumerate(ranked):
        if piece.level not in (Level.STRATEGY, Level.TACTIC):
            continue
        end = piece.span.end
        for later in ranked[n + 1 :]:
            same = (later.source, later.index) == (piece.source, piece.index)
            # The plan ends where the next plan of its rank (or above) begins, or with its text.
            if not same or (later.level.depth <= piece.level.depth and later.span.start >= piece.span.end):
                break
            end = max(end, later.span.end)
        reaching[n] = LocatedPiece(**{**_fields(piece), "span": Span(piece.span.start, end)})
    return reaching


def _apart(pieces: Sequence[LocatedPiece]) -> list[LocatedPiece]:
    """Pieces that nest or stand apart: a crossing piece loses its head, one that repeats or inverts levels goes.

    A step over characters 0..10 and one over 5..15 become 0..10 and 10..15.
    """
    disjoint: list[LocatedPiece] = []
    open_pieces: list[LocatedPiece] = []
    for piece in pieces:
        origin = piece.source, piece.index
        open_pieces = [p for p in open_pieces if (p.source, p.index) == origin and p.span.end > piece.span.start]
        start = piece.span.start
        for outer in open_pieces:
            # crosses the outer piece, or is no deeper than it: begin behind it
            if outer.span.end < piece.span.end or outer.level.depth >= piece.level.depth:
                start = max(start, outer.span.end)
        if start >= piece.span.end:
            continue
        fitted = LocatedPiece(**{**_fields(piece), "span": Span(start, piece.span.end)})
        disjoint.append(fitted)
        open_pieces.append(fitted)
    return disjoint


def _fields(piece: LocatedPiece) -> dict[str, Any]:
    return {name: getattr(piece, name) for name in LocatedPiece.__slots__}


def structure(*, segments: Sequence[Segment]) -> list[Edge]:
    """decomposes_to from the smallest segment that holds each one, else from the goal; operations enable their step."""
    edges, goal = [], segments[0]
    stack: list[Segment] = []
    for segment in segments[1:]:
        origin = segment.source, segment.source_index
        # What has ended before this segment can hold nothing more; the last of the rest is the smallest.
        stack = [s for s in stack if (s.source, s.source_index) == origin and s.end >= segment.end]
        parent = next((s for s in reversed(stack) if s.level.depth < segment.level.depth), goal)
        edges.append(Edge(parent.id, segment.id, Relation.DECOMPOSES_TO, Strength.STRONG, 1.0, "part of it"))
        if segment.level is Level.OPERATION and parent.level is Level.STEP:
            edges.append(
                Edge(segment.id, parent.id, Relation.ENABLES, Strength.STRONG, 0.95, "computes within the step")
            )
        stack.append(segment)
    return edges


def read_edges(*, rows: Iterable[dict[str, Any]], segment_ids: frozenset[str]) -> list[Edge]:
    """Edges between different segments among `segment_ids`, each relation once: the first mention of it counts."""
    edges: dict[tuple[str, str, Relation], Edge] = {}
    for row in rows:
        source, target, relation = row["source"], row["target"], Relation(row["relation"])
        if source == target or not {source, target} <= segment_ids:
            continue
        edge = Edge(source, target, relation, Strength(row["strength"]), float(row["confidence"]), row["explanation"])
        edges.setdefault((source, target, relation), edge)
    return list(edges.values())


def with_tiers(*, segments: Iterable[Segment], rows: Iterable[dict[str, Any]]) -> tuple[Segment, ...]:
    """Segments with their suggested tiers; one that the model left out keeps what the rules say."""
    assignments = {row["id"]: row for row in rows}
    assigned = []
    for segment in segments:
        row = assignments.get(segment.id)
        if row:
            secondaries = tuple(dict.fromkeys(Tier(name) for name in row["secondaries"] if name != row["primary"]))
            segment = replace(
                segment,
                primary=Tier(row["primary"]),
                secondaries=secondaries,
                why_tier=row["why"],
                focus=row["focus"],
                by_model=True,
            )
        assigned.append(segment)
    return tuple(assigned)
