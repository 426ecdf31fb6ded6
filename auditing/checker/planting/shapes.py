"""The shape of a passage: how it looks to whoever does not read it.

Gold that was longer, or stood nearer to the beginning of its text, than what is really asked would be known by that
alone. So gold is chosen by its shape, and what is chosen leans against what was chosen before.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FORMULAS = ("$", "\\(", "\\[")
_NUMBER, _RELATION = re.compile(r"\d+"), re.compile(r"[=<>≤≥≈≠]")
_LETTER = re.compile(r"(?<![A-Za-z\\'])[B-HJ-Zb-z](?![A-Za-z])")  # by itself, as a variable is; no a, A, I
PASSAGE = ("characters", "lines", "formulas", "numbers", "relations")
TEXT = ("around", "paragraphs", "commands", "passages", "boxes", "letters", "problem")
COUNTED = PASSAGE + TEXT
GAIN = 0.25  # of all differences so far, by which the next choice leans the other way: no one choice swings it
MOST = 0.7  # a lean in one thing, twice as many; where no text can make up for it, all would be worse in the others


@dataclass(frozen=True, slots=True)
class Shape:
    """How a passage looks to whoever does not read it. position: of its start in its text, 0 to 1.

    around, paragraphs, commands, passages, boxes, letters: of that text, on which hangs what stands beside it. A shape
    that is only wanted has counts that are not whole.
    """

    characters: float
    lines: float
    formulas: float  # marks of formulas
    position: float
    around: float = 0  # characters
    paragraphs: float = 0
    numbers: float = 0  # in the passage, and
    relations: float = 0  # its signs of equality and order: prose has few of either
    commands: float = 0  # of TeX in the text: boxed answers, fractions
    passages: float = 1  # that its text is cut into
    problem: float = 0  # characters of what stands pinned beside it
    boxes: float = 0  # answers of the text that are drawn in a box, which is seen from afar, and
    letters: float = 0  # its variables

    def distance(self, other: "Shape") -> float:
        """How far apart two are, 0 for alike; half a text away counts as .5, twice as many characters as .69.

        >>> round(Shape(99, 1, 0, 0.5).distance(Shape(199, 1, 0, 0.0)), 2)
        1.19
        """
        return sum(map(abs, self.apart(other)))

    def apart(self, other: "Shape") -> tuple[float, ...]:
        """By how much there is more here than there of each thing COUNTED, as logarithms, and the place at last.

        >>> [round(difference, 2) for difference in Shape(99, 1, 0, 0.5).apart(Shape(199, 1, 0, 0.0))][::12]
        [-0.69, 0.5]
        """
        return tuple(a - b for a, b in zip(self._point(), other._point(), strict=True))

    def moved(self, by: Sequence[float]) -> "Shape":
        """The shape that is apart from this one by that much.

        >>> shape, other = Shape(99, 1, 0, 0.5), Shape(199, 4, 0, 0.25)
        >>> shape.moved(other.apart(shape)).distance(other) < 1e-9
        True
        """
        *counts, position = (here + more for here, more in zip(self._point(), by, strict=True))
        return Shape(position=position, **dict(zip(COUNTED, map(math.expm1, counts), strict=True)))

    def _point(self) -> tuple[float, ...]:
        return *(math.log1p(getattr(self, name)) for name in COUNTED), self.position


def shape_of(*, text: str, start: int, end: int, passages: int = 1, problem: str = "") -> Shape:
    """The shape of text[start:end] in its text, in code points; passages: that the text is cut into."""
    passage = text[start:end]
    return Shape(
        characters=len(passage),
        lines=passage.count("\n"),
        formulas=sum(passage.count(mark) for mark in FORMULAS),
        position=start / max(1, len(text)),
        around=len(text),
        paragraphs=text.count("\n\n"),
        numbers=len(_NUMBER.findall(passage)),
        relations=len(_RELATION.findall(passage)),
        commands=text.count("\\"),
        passages=passages,
        problem=len(problem),
        boxes=text.count("\\boxed"),
        letters=len(_LETTER.findall(text)),
    )


def nearest_first(*, shapes: Sequence[Shape], asked: Shape | None) -> list[int]:
    """The numbers of the shapes, the one nearest to what is really asked first; as they came where nothing was asked.

    >>> nearest_first(shapes=[Shape(900, 0, 0, 0.5), Shape(90, 0, 0, 0.5)], asked=Shape(120, 0, 0, 0.2))
    [1, 0]
    """
    numbers = range(len(shapes))
    return list(numbers) if asked is None else sorted(numbers, key=lambda number: shapes[number].distance(asked))


def lean(*, apart: Iterable[Sequence[float]]) -> tuple[float, ...]:
    """By how much the next choice shall differ from what is asked, so that in the mean all are like it.

    apart: of each choice so far, by how much it was not what was asked. The nearest in a pool of shorter texts is
    shorter, however near; after a few of these a longer one is chosen.

    >>> half_as_long = Shape(49, 1, 0, 0.5).apart(Shape(99, 1, 0, 0.5))
    >>> [round(lean(apart=[half_as_long] * count)[0], 2) for count in range(6)]
    [-0.0, 0.17, 0.35, 0.52, 0.69, 0.7]
    """
    totals = [sum(values) for values in zip(*apart, strict=True)] or [0.0] * (len(COUNTED) + 1)
    return tuple(max(-MOST, min(MOST, -GAIN * total)) for total in totals)
