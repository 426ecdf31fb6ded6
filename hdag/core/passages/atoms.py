"""Atoms: what passages are made of.

The step-level segments of a text, and between them the pieces that only a container holds.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from hdag.core.levels import Level
from hdag.core.spans import Span, trim
from hdag.core.values import Graph, Segment, Source

# Where a container's own text may be cut: at blank lines and around headings.
_PIECES = re.compile(r"\n[ \t]*\n|\n(?=#{1,6} )|(?<=\n)(?=#{1,6} )")


_CONTAINERS = frozenset(level for level in Level if level.depth < Level.STEP.depth)


class Atom(NamedTuple):
    """Characters start..end of one text, never parted; `holders` are the containers around it, outermost first."""

    label: str
    start: int
    end: int
    text: str
    is_step: bool
    step: int | None = None
    holders: tuple[str, ...] = ()


def step_level(*, graph: Graph) -> list[Segment]:
    """Steps, and operations that stand in no step (a one-line sum)."""
    level = {segment.id: segment.level for segment in graph.segments}
    inside = {
        child
        for parent, children in graph.children().items()
        if level[parent] in (Level.STEP, Level.OPERATION)
        for child in children
    }
    return [
        segment
        for segment in graph.segments
        if segment.level is Level.STEP or (segment.level is Level.OPERATION and segment.id not in inside)
    ]


def find_atoms(*, graph: Graph, text: str, source: Source) -> list[Atom]:
    """The atoms of `text` in reading order, together holding every non-blank character."""
    holders = _holders(graph)
    containers = [s for s in graph.segments if s.source is source and s.level in _CONTAINERS]
    steps = sorted((s for s in step_level(graph=graph) if s.source is source), key=lambda s: (s.start, -s.end))
    atoms: list[Atom] = []
    cursor = 0
    for segment in steps:
        # A step inside the one before (graphs by model) is carried by it.
        if segment.start < cursor:
            continue
        atoms += _between(text, Span(cursor, segment.start), containers, holders)
        atoms.append(
            Atom(segment.id, segment.start, segment.end, segment.content, True, segment.step, holders[segment.id])
        )
        cursor = segment.end
    return [*atoms, *_between(text, Span(cursor, len(text)), containers, holders)]


def _between(
    text: str, gap: Span, containers: Sequence[Segment], holders: Mapping[str, tuple[str, ...]]
) -> Iterator[Atom]:
    """The pieces of a gap between steps: text of a container alone, or (the goal lies elsewhere) of none."""
    if not gap.slice(text).strip():
        return
    cuts = [gap.start, *(match.end() for match in _PIECES.finditer(text, gap.start, gap.end)), gap.end]
    for start, end in pairwise(cuts):
        piece = trim(text=text, span=Span(start, end))
        if len(piece):
            around = [s for s in containers if s.start <= piece.start and piece.end <= s.end]
            # The deepest container, and of several the shortest: it says most of what the text belongs to.
            holder = max(around, key=lambda s: (s.level.depth, s.start - s.end), default=None)
            label = holder.id if holder else ""
            path = (*holders[label], label) if holder else ()
            yield Atom(label, piece.start, piece.end, piece.slice(text), False, None, path)


def _holders(graph: Graph) -> dict[str, tuple[str, ...]]:
    """The path of containers above each segment, outermost first. Levels descend, so paths have at most five."""
    above = {child: parent for parent, children in graph.children().items() for child in children}
    paths: dict[str, tuple[str, ...]] = {}
    for segment in graph.segments:
        path: list[str] = []
        key = segment.id
        while key in above and len(path) < len(Level):
            key = above[key]
            path.append(key)
        paths[segment.id] = tuple(reversed(path))
    return paths
