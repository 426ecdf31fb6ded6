"""What of a long trace one page shows: a stretch of its list, a map of all its verdicts, ways to the next open one.

No queries: works on lines that were read already. A page of 5,000 segments has as many elements as one of 200.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditing.research.reports.selectors.lines import SegmentLine

MOST_LINES = 40  # of the list at once
MOST_CELLS = 100  # of the map
MOST_CHARACTERS = 3_500  # of the text around the shown segment
GLANCE = 1_200  # of a long text in which it does not lie
# The worst state of a stretch is the one that its cell shows.
WORST_FIRST = ("fail", "hung", "undecided", "pending", "pass", "unasked", "parts", "given")
JUMPS = (("failing", ("fail",)), ("doubtful", ("hung", "undecided")), ("unjudged", ("pending",)))


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the list, and where the stretches before and after it begin."""

    lines: tuple[SegmentLine, ...]
    earlier: str
    later: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the map: its worst state, the first segment in that state, how many segments it stands for."""

    state: str
    id: str
    count: int
    is_here: bool


@dataclass(frozen=True, slots=True)
class Jump:
    """A way to the next segment of a sort."""

    words: str
    id: str
    count: int


def stretch_around(*, lines: Sequence[SegmentLine], label: str, most: int = MOST_LINES) -> Stretch:
    """The stretch of a list in whose middle a segment stands; a short list whole."""
    order = [line.value.id for line in lines]
    position = order.index(label) if label in order else 0
    first = max(0, min(position - most // 2, len(order) - most))
    last = min(first + most, len(order))
    return Stretch(
        lines=tuple(lines[first:last]),
        earlier=order[max(0, first - most // 2)] if first else "",
        later=order[min(len(order) - 1, last + most // 2 - 1)] if last < len(order) else "",
        before=first,
        after=len(order) - last,
    )


def map_of(*, lines: Sequence[SegmentLine], label: str, most: int = MOST_CELLS) -> tuple[Cell, ...]:
    """The verdicts of a whole trace in reading order, in at most so many cells."""
    each = max(1, -(-len(lines) // most))  # rounded up
    cells = []
    for start in range(0, len(lines), each):
        stretch = lines[start : start + each]
        worst = min(stretch, key=lambda line: WORST_FIRST.index(line.state) if line.state in WORST_FIRST else 0)
        is_here = any(line.value.id == label for line in stretch)
        cells.append(Cell(worst.state, worst.value.id, len(stretch), is_here))
    return tuple(cells)


def jumps_from(*, lines: Sequence[SegmentLine], label: str) -> tuple[Jump, ...]:
    """For each sort that occurs the next segment of it in reading order, at the end from the beginning."""
    order = [line.value.id for line in lines]
    here = order.index(label) if label in order else -1
    turned = [*lines[here + 1 :], *lines[: here + 1]]
    jumps = []
    for words, states in JUMPS:
        wanted = [line.value.id for line in turned if line.state in states]
        if wanted:
            jumps.append(Jump(words, wanted[0], len(wanted)))
    return tuple(jumps)


def cut_around(*, text: str, spans: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """(start, end) of what is shown of a text: all of a short one, else the surroundings of the first span.

    >>> cut_around(text="x" * 10_000, spans=[])
    (0, 1200)
    """
    if len(text) <= MOST_CHARACTERS:
        return 0, len(text)
    first = next(iter(spans), None)
    if first is None:
        return 0, GLANCE
    room = MOST_CHARACTERS - min(first[1] - first[0], MOST_CHARACTERS)
    start = max(0, first[0] - room // 2)
    # From the beginning of a paragraph where one is near: half a formula would not be read as one.
    start = text.rfind("\n", max(0, start - 500), start) + 1 or start
    end = min(len(text), max(first[1], start + MOST_CHARACTERS))
    after = text.find("\n", end, end + 500)
    return start, end if after < 0 else after
