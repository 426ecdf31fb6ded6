"""Segments while they are being made: a tree of drafts, numbered once the tree stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hdag.core.levels import Level
from hdag.core.spans import Span
from hdag.core.values import Source, Trace
from hdag.decomposers.rules.discourse import Move


@dataclass(slots=True, eq=False)
class Draft:
    """A segment to be: where it lies, its level, its parts."""

    level: Level
    source: Source
    span: Span
    source_index: int = 0
    kind: str = ""
    step: int | None = None  # index of the input step it lies in, where the input has steps
    parts: list[Draft] = field(default_factory=list)
    id: str = ""
    move: Move = Move.NONE
    stands_as_step: bool = False  # a node of the step graph: a step, or a one-line sum that has no step above it
    rechecks: bool = False  # stands in a stretch that goes over earlier work again
    is_equation: bool = False  # nothing but an equation, so it has no operation of its own

    def text(self, trace: Trace) -> str:
        """The exact characters of the draft."""
        return self.span.slice(trace.source_text(self.source, self.source_index))

    def walk(self) -> Iterator[Draft]:
        """The draft and everything below it, in reading order."""
        yield self
        for child in self.parts:
            yield from child.walk()


def number(*, root: Draft) -> list[Draft]:
    """All drafts under `root` in reading order, each with its id: G1, S1, T1, ST1, O1, ..."""
    counts: dict[Level, int] = {}
    drafts = list(root.walk())
    for draft in drafts:
        counts[draft.level] = counts.get(draft.level, 0) + 1
        draft.id = f"{draft.level.prefix}{counts[draft.level]}"
    return drafts
