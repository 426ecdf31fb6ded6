"""Whether a value solves an equation, put in and computed, an end that was cut allowed for; and what units stand by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from auditing.checker.mathematics.chains import Side
from auditing.checker.mathematics.enclosure import IncalculableError, as_range
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.exactly.rounding import half_unit, is_rounded
from auditing.checker.mathematics.tree import Num, Sym, Tree, bare_number, free_symbols, literals, substitute
from auditing.checker.mathematics.vocabulary import words

_SOLVING = re.compile(r"\bsolv(?:e|es|ed|ing)\b", re.IGNORECASE)
# "Solving for x, we get x = 2" gives no case
SOLVING_FOR = re.compile(r"\bsolv(?:e|ing)\s(?:(?:this|the|it|equation|quadratic)\s){0,3}for\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?]\s|\n")
_UNIT_BEHIND = re.compile(r"\s?(?:\\text\{\s?)?([a-z]{1,10})\b")
# minutes of an hour, hours of a day, days of a week, inches, feet, cents and metres
_FACTORS = frozenset(map(Fraction, (60, 3600, 24, 1440, 7, 12, 3, 36, 16, 5280, 10, 100, 1000)))

_MEASURES = words("""
    second minute hour day week month year sec min hr cent dollar inch inche foot feet yard mile cm mm km m meter metre
    centimeter kilometer gram kilogram g kg mg liter litre ml percent degree
""")


def is_said_to_solve(before: str) -> bool:
    """Whether the words before an equation solve what stands there already: "Solving for x, we get x = 10".

    >>> is_said_to_solve("So 3x = 30. Solving for x, we get "), is_said_to_solve("Solve for x. Let ")
    (True, False)
    """
    return bool(_SOLVING.search(_SENTENCE.split(before[-120:])[-1]))


def units_of(text: str, sides: Iterable[Side]) -> frozenset[str]:
    """The words that stand with the numbers of sides, or behind a side."""
    units = set()
    for side in sides:
        units |= {number.unit for number in literals(side.tree) if number.unit} if side.tree else set()
        word = _UNIT_BEHIND.match(text, side.end)
        units |= {word[1]} if word else set()
    return frozenset(unit.rstrip("s") for unit in units)


def are_converted(left: Tree | None, right: Tree | None) -> bool:
    """Whether one value may be the other one in another unit: 50 (minutes) and 5/6 (of an hour)."""
    a, b = (exact_value(tree) if tree is not None else None for tree in (left, right))
    return bool(a and b) and (a / b in _FACTORS or b / a in _FACTORS)  # type: ignore[operator]


def solved_for(left: Side, right: Side) -> str:
    """x when the two sides say x = a value, otherwise the empty text."""
    if isinstance(left.tree, Sym) and right.tree is not None and not free_symbols(right.tree):
        return left.tree.name
    return ""


def exact_value(tree: Tree) -> Fraction | None:
    """The value of a tree without symbols where it is a fraction, else None."""
    try:
        value = evaluate(tree)
    except IncalculableError:
        return None
    return value if isinstance(value, Fraction) else None


def solves(*, left: Tree, right: Tree, name: str, value: Tree) -> bool | None:
    """Whether left = right holds where `name` is `value`; None when it cannot be computed there.

    >>> from auditing.checker.mathematics.tree import Node, Sym
    >>> square = Node("^", (Sym("x"), Num(Fraction(2))))
    >>> [solves(left=square, right=Num(Fraction(2)), name="x", value=Num(Fraction(n, 10), 1)) for n in (14, 17)]
    [True, False]
    """
    exact = exact_value(value)
    # an irrational value such as 1 + sqrt(2) is put in as an expression
    filling: Tree = Num(exact) if exact is not None else value
    try:
        a, b = (as_range(evaluate(substitute(side, {name: filling}))) for side in (left, right))
    except IncalculableError:
        return None
    return (a.low <= b.high and b.low <= a.high) or _solves_once_rounded(left, right, name, value)


def may_be_rounded(number: Num) -> bool:
    """Whether a decimal has digits enough to be one that was rounded."""
    return number.decimals > 2 or (number.decimals > 1 and is_rounded(number, frozenset(), frozenset()))


def solves_in_other_units(told: tuple[Side, Side], sides: tuple[Side, Side], *, units: frozenset[str]) -> bool:
    """60 t = 90 and then t = 90 minutes, which solves it in hours; 1 + r = 1.08 and then r = 8, in percent."""
    name, value, (left, right) = solved_for(*told), told[1].tree, (side.tree for side in sides)
    number = exact_value(value) if name and value is not None else None
    if number is None or left is None or right is None:
        return False
    factors = (
        _FACTORS if units & _MEASURES else frozenset((Fraction(100),)) if 1 <= number <= 100 else frozenset[Fraction]()
    )
    scaled = {value for factor in factors for value in (number / factor, number * factor)}
    return any(solves(left=left, right=right, name=name, value=Num(value)) for value in scaled)


def nearly_solves(*, left: Tree, right: Tree, name: str, value: Tree) -> bool:
    """Whether both sides come so close at a value that numbers of the equation may have been rounded.

    r = 7 for 1000 (1 + r/100)^3 = 1225, which is 1225.04; with decimals in the equation within a twentieth.
    """
    try:
        a, b = (as_range(evaluate(substitute(side, {name: value}))) for side in (left, right))
    except IncalculableError:
        return False
    has_decimals = any(number.decimals for side in (left, right) for number in literals(side))
    size = max(abs(a.high), abs(b.high))
    return abs(a.high - b.high) <= size / (20 if has_decimals else 2000)


def _solves_once_rounded(left: Tree, right: Tree, name: str, value: Tree) -> bool:
    """x = 1.4 for x^2 = 2: between 1.35 and 1.45 the two sides change their order, so that 1.4 may be rounded."""
    number = bare_number(value)
    if number is None or not number.decimals:
        return False
    orders = set()
    for end in (number.value - half_unit(number), number.value + half_unit(number)):
        try:
            a, b = (as_range(evaluate(substitute(side, {name: Num(end)}))) for side in (left, right))
        except IncalculableError:
            return False
        orders.add(a.low > b.high)
    return len(orders) > 1
