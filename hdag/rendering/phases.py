"""The outline of a trace: its phases in reading order, each from a strategy or tactic to the next. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

MOST_PHASES = 16  # of a page
BEGINNINGS = ("strategy", "tactic")


@dataclass(frozen=True, slots=True)
class Entry:
    """One segment of a trace, with its state."""

    id: str
    level: str
    words: str
    state: str


@dataclass(frozen=True, slots=True)
class Phase:
    """How a phase begins, how many segments it holds, how many of them fail."""

    id: str
    words: str
    count: int
    failing: int
    is_here: bool


def phases_of(*, entries: Sequence[Entry], here: str, most: int = MOST_PHASES) -> tuple[Phase, ...]:
    """The phases around the segment `here`; what stands before the first strategy or tactic is in none.

    >>> kinds = ("goal", "strategy", "step", "step", "tactic", "step")
    >>> entries = [Entry(str(number), level, "", "pass") for number, level in enumerate(kinds)]
    >>> [(phase.id, phase.count, phase.is_here) for phase in phases_of(entries=entries, here="5")]
    [('1', 3, False), ('4', 2, True)]
    """
    begins = [place for place, entry in enumerate(entries) if entry.level in BEGINNINGS]
    ends = [*begins[1:], len(entries)]
    phases = [_phase(entries[begin:end], here) for begin, end in zip(begins, ends, strict=False)]
    place = next((number for number, phase in enumerate(phases) if phase.is_here), 0)
    first = max(0, min(place - most // 2, len(phases) - most))
    return tuple(phases[first : first + most])


def _phase(entries: Sequence[Entry], here: str) -> Phase:
    head = entries[0]
    failing = sum(entry.state == "fail" for entry in entries)
    return Phase(head.id, head.words, len(entries), failing, any(entry.id == here for entry in entries))
