"""Areas of figures whose corners are told: "a square with vertices at (-1, 0), (1, 0), (0, -1), (0, 1) has area 4".

The corners are put in order around their middle; twice the area is the sum of x y' - x' y along the sides (the
shoelace formula). A figure that is not convex is left alone, for its corners may be joined in several ways.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.solved.placing import is_open, refuted
from auditing.checker.mathematics.tree import Node, Num, Tree
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "an area by its corners"
_NUMBER = r"[-−]?\d{1,5}(?:/\d{1,4}|\.\d{1,3})?"
_POINT = re.compile(rf"\(\s?({_NUMBER})\s?,\s?({_NUMBER})\s?\)")
_CORNERS = Cue(
    r"\b(?P<kind>triangle|square|rectangle|parallelogram|rhombus|quadrilateral)\s(?:with|has)\s(?:its\s|the\s)?"
    rf"(?:three\s|four\s)?vertices\s(?:at\s)?(?P<points>\$?{_POINT.pattern}\$?(?:,?\s(?:and\s)?\$?{_POINT.pattern}\$?){{2,3}})"
    r"(?P<words>[.,;]?\s(?:(?:and|so|with|which|this|that|the|it|its|has|have|an|thus|then|square|triangle|rectangle|"
    r"parallelogram|rhombus|region|figure|total)[\s,]){0,6}area(?:\sof)?(?:\s(?:this|the|that)\s(?P=kind))?"
    rf"(?:\s(?:is|equals|of|=))?\s)\$?(?P<area>{_NUMBER})"
    r"(?![\d.,/]*\d|\s?[-+*/^×(√π\\%]|\s(?:times|more|less|percent|pi)\b)",
    re.IGNORECASE,
)
_CORNER_COUNT = {"triangle": 3}


def check(script: Script) -> Iterator[Placed]:
    """Every area that is told with the corners of its figure."""
    for passage in script.near(_CORNERS):
        for match in _CORNERS.finditer(passage.text):
            yield from _judged(passage, match)


def _judged(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    corners = [(_value(x), _value(y)) for x, y in _POINT.findall(match["points"])]
    ordered = _in_order(corners) if len(corners) == _CORNER_COUNT.get(match["kind"].lower(), 4) else []
    area = abs(_twice(ordered)) / 2 if ordered else Fraction(0)
    if not area or area == _value(match["area"]) or is_open(passage, match.start(), match.end()):
        return
    claimed = Num(_value(match["area"]), len(match["area"].partition(".")[2]))
    # the sign of the sum tells the sense in which the corners run
    steps = ordered if _twice(ordered) > 0 else ordered[::-1]
    sentence = f"The {match['kind'].lower()} has another area, twice told:"
    yield refuted(passage, match.span(), RULE, (_formula(steps), Node("+", (claimed, claimed))), sentence, ())


def _value(text: str) -> Fraction:
    above, _, below = text.replace("−", "-").partition("/")
    return Fraction(above) / (int(below) or 1) if below else Fraction(above)


def _in_order(corners: list[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """The corners around their middle; nothing where the figure is not convex."""
    x, y = (sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1))
    ordered = sorted(corners, key=lambda corner: math.atan2(corner[1] - y, corner[0] - x))
    turns = [
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        for a, b, c in zip(ordered, ordered[1:] + ordered[:1], ordered[2:] + ordered[:2], strict=True)
    ]
    return ordered if all(turn > 0 for turn in turns) else []


def _pairs(
    corners: list[tuple[Fraction, Fraction]],
) -> Iterator[tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]]:
    yield from zip(corners, corners[1:] + corners[:1], strict=True)


def _twice(corners: list[tuple[Fraction, Fraction]]) -> Fraction:
    return sum((a[0] * b[1] - b[0] * a[1] for a, b in _pairs(corners)), Fraction(0))


def _formula(corners: list[tuple[Fraction, Fraction]]) -> Tree:
    """Twice the area."""
    total: Tree | None = None
    for a, b in _pairs(corners):
        term = Node("-", (_product(a[0], b[1]), _product(b[0], a[1])))
        total = term if total is None else Node("+", (total, term))
    assert total is not None
    return total


def _product(first: Fraction, second: Fraction) -> Tree:
    return Node("*", (_number(first), _number(second)))


def _number(value: Fraction) -> Tree:
    number: Tree = Num(Fraction(abs(value.numerator)))
    if value.denominator > 1:
        number = Node("/", (number, Num(Fraction(value.denominator))))
    return Node("neg", (number,)) if value < 0 else number
