"""Second readings of what stands for more than its numbers: dates, bars, forces at right angles, basis points, wholes.

"3 N + 4 N = 5 N (perpendicular)" adds two arrows, "5.25% - 5.00% = 25 bps" counts in ten thousandths. As in
second_readings.py only what holds under such a reading is let go.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import floor

from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.tree import Node, Num, Tree, bare_number, walk
from auditing.checker.reading.links import Link

# 5/6/2023: a date with its year, and no quotient of quotients
_DATE = re.compile(r"(?<![\d/.])(?:[0-3]?\d/){2}(?:19|20)\d\d(?![\d/.])")
_MUSIC = re.compile(r"\b(?:beats?|bars?|measures?|time signature|crotchets?|quavers?|waltz|notes?)\b", re.I)
_BEATS = frozenset((2, 4, 8, 16))
_ARROWS = re.compile(
    r"\b(?:perpendicular\w*|right angles?|orthogonal\w*|in quadrature|resultants?|vectors?|north\w*|south\w*|east\w*|"
    r"west\w*|vertical\w*|horizontal\w*)\b",
    re.I,
)
_BASIS_POINTS = re.compile(r"\s?(?:bps?\b|basis points?\b)", re.I)
_IN_WHOLES = re.compile(r"\b(?:factors?|multiples?|divisib\w+|trailing|legendre\w*|powers? of|exponent|whole)\b", re.I)
# of a box that a problem uses as a sign of its own: \boxed{11} \times \boxed{20} = 2 \times 6
_BOX = re.compile(r"\\boxed\s?\{[^{}]{1,20}\}\s?(?:\\(?:times|cdot|div)\b|[-+*/×·])")
# m^{-1} \left( 1 - \frac{1}{n^2} \right): a unit, and behind it a bracket that is computed
_BRACKET_BEHIND = re.compile(
    r"[\s,;~\\]{0,4}(?:\\(?:text|mathrm|rm)\s?\{[^{}]{1,20}\}|(?:[A-Za-zΩ]{1,3}\s?){1,3})(?:\^\s?\{?-?\d\}?)?"
    r"[\s,;~\\]{0,4}(?:left\s?)?\(\s?[-−\d\\][^()\n]{0,60}[-+−*/^{]"
)
_NEAR, _NEAR_IN_WHOLES = 60, 240


def _near(link: Link) -> str:
    """What stands around a link in its line."""
    text, start, end = link.passage.text, link.left_side.start, link.right_side.end
    return (
        text[max(0, start - _NEAR) : start].rpartition("\n")[2] + link.span + text[end : end + _NEAR].partition("\n")[0]
    )


def _moves_a_date(link: Link) -> bool:
    """5/6/2023 + 7 days = 5/13/2023."""
    return bool(_DATE.search(link.span))


def _counts_beats(link: Link) -> bool:
    """4/4 = 4 beats per bar: what stands above is counted, and what stands below is no divisor."""
    left = link.left
    if not (isinstance(left, Node) and left.op == "/" and len(left.args) == 2):
        return False
    above, below = map(bare_number, left.args)
    number = bare_number(link.right)
    if above is None or below is None or number is None or below.value not in _BEATS:
        return False
    return number.value == above.value and bool(_MUSIC.search(_near(link)))


def _is_factor_of_conversion(link: Link) -> bool:
    """1 = 1 mile / 8 furlongs: what is above is as much as what is below, counted in another unit."""
    unit, quotient = (link.left, link.right) if bare_number(link.left) else (link.right, link.left)
    number = bare_number(unit)
    if number is None or number.value != 1 or number.unit or not (isinstance(quotient, Node) and quotient.op == "/"):
        return False
    above, below = map(bare_number, quotient.args)
    return above is not None and below is not None and bool(above.unit and below.unit) and above.unit != below.unit


def _adds_at_right_angles(link: Link) -> bool:
    """5 km east + 12 km north = 13 km: the root of the sum of the squares."""
    left = link.left
    if not (isinstance(left, Node) and left.op == "+" and _ARROWS.search(_near(link))):
        return False
    two = Num(Fraction(2))
    squares = [Node("^", (arg, two)) for arg in left.args]
    return len(squares) == len(left.args) == 2 and link.agrees(
        Node("sqrt", (Node("+", (squares[0], squares[1])),)), link.right
    )


def _counts_basis_points(link: Link) -> bool:
    """5.25% - 5.00% = 25 bps: a basis point is a hundredth of a percent."""
    number = bare_number(link.right)
    is_said = number is not None and (
        _BASIS_POINTS.match(link.passage.text, link.right_side.start + len(str(number.value)))
        or _BASIS_POINTS.match(link.passage.text, link.right_side.end)
        or number.unit.lower() in ("bps", "bp", "basis points", "basis point", "basis")
    )
    return bool(is_said) and link.agrees(Node("*", (link.left, Num(Fraction(10_000)))), link.right)


def _divides_in_wholes(link: Link) -> bool:
    """The factors of 5 in 42! are 42/5 + 42/25 = 8 + 1: of each quotient the whole part counts."""
    before = link.passage.text[max(0, link.left_side.start - _NEAR_IN_WHOLES) : link.left_side.start]
    quotients = [tree for tree in walk(link.left) if isinstance(tree, Node) and tree.op == "/"]
    if not quotients or not _IN_WHOLES.search(before):
        return False
    return link.agrees(_with_whole_quotients(link.left), link.right)


def _with_whole_quotients(tree: Tree) -> Tree:
    if not isinstance(tree, Node):
        return tree
    rebuilt = Node(tree.op, tuple(map(_with_whole_quotients, tree.args)))
    value = value_of(rebuilt) if tree.op == "/" else None
    return Num(Fraction(floor(value))) if value is not None else rebuilt


def _computes_with_boxes(link: Link) -> bool:
    """What stands in a box may be anything that the problem defines; a result in a box ends its line."""
    return bool(_BOX.search(link.passage.text, max(0, link.left_side.start - 8), link.right_side.end))


def _turns_fully(link: Link) -> bool:
    """60° - 350° = 70°: a direction is the same after a full turn."""
    # the sign of a degree first, which hardly a link has
    if "°" not in link.span and "circ" not in link.span:
        return False
    sides = (link.left, link.right)
    in_degrees = all(any(isinstance(tree, Node) and tree.op == "deg" for tree in walk(side)) for side in sides)
    turn = Node("deg", (Num(Fraction(360)),))
    is_difference = isinstance(link.left, Node) and link.left.op in ("-", "+")
    return in_degrees and is_difference and any(link.agrees(Node(sign, (link.left, turn)), link.right) for sign in "+-")


def _goes_on_behind_its_unit(link: Link) -> bool:
    """a = 1.097 * 10^7 m^{-1} (1/1 - 1/n^2): the side was read up to its unit, and is multiplied by a bracket."""
    return bool(_BRACKET_BEHIND.match(link.passage.text, link.right_side.end))


WORLDLY_READINGS: dict[str, Callable[[Link], bool]] = {
    "a date with its year": _moves_a_date,
    "the beats of a bar": _counts_beats,
    "a factor of conversion": _is_factor_of_conversion,
    "at right angles": _adds_at_right_angles,
    "basis points": _counts_basis_points,
    "a box as a sign": _computes_with_boxes,
    "whole parts of quotients": _divides_in_wholes,
    "a full turn": _turns_fully,
    "a factor behind a unit": _goes_on_behind_its_unit,
}
