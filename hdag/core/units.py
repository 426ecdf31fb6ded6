"""Units: what is judged in a passage graph, and the numbered steps that a failing vote can name.

A passage graph is a second graph of a trace whose segments are passages and plan units; each passage is made of
segments of the fine graph (docs/decisions/0016-passages-in-the-running-system.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from hdag.core.values import Source

BETWEEN = "\n\n"  # what stands between a passage and the passages that its form shows as well
MOST_STEPS = 8  # numbered steps of one passage: the sealed vote of protocol v2 has one byte for them


class UnitKind(StrEnum):
    """What a seat on a unit asks about."""

    PASSAGE = "passage"
    GOAL = "goal"
    STRATEGY = "strategy"
    ANSWER = "answer"

    @property
    def is_plan(self) -> bool:
        """Whether the seat asks about the whole trace and not about a run of its steps."""
        return self is not UnitKind.PASSAGE


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters [start, end) of one text of a trace."""

    source: Source
    source_index: int
    start: int
    end: int

    def holds(self, *, source: Source, source_index: int, at: int) -> bool:
        """Whether character `at` of a text lies in the stretch."""
        return (self.source, self.source_index) == (source, source_index) and self.start <= at < self.end


@dataclass(frozen=True, slots=True)
class UnitStep:
    """One numbered step of a passage: its fine segments, and where it stands in the passage's text."""

    labels: tuple[str, ...]
    start: int  # code points of the passage, half open: [start, end)
    end: int


def find_step(*, steps: Sequence[UnitStep], start: int) -> int | None:
    """The number, from 1, of the step that a mark beginning at `start` names; None where the unit has no steps.

    What stands between two steps (a blank line) counts to the step before it.

    >>> find_step(steps=(UnitStep(("ST1",), 0, 9), UnitStep(("ST2",), 11, 20)), start=10)
    1
    """
    if not steps:
        return None
    begun = [number for number, step in enumerate(steps, 1) if step.start <= start]
    return begun[-1] if begun else 1
