"""Conversions: whether sides with units of different size can differ by what one unit holds of another.

Two hours are 120 minutes, so "2 hours = 120" is no slip. "$20 per hour * 10 hours = $100" is one: no factor between
hours, or between dollars and cents, makes 100 of 200.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from fractions import Fraction

from auditing.checker.mathematics.compare import FAILS, Judgement, compare
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.exactly.rounding import half_unit, is_power_of_ten
from auditing.checker.mathematics.tree import Node, Num, Tree, bare_number, literals, walk
from auditing.checker.mathematics.vocabulary import SIZED_UNITS, UNIT_LETTERS, hidden_powers

# everyday units alone, by what they measure, and how many of one make another: a day may be one of work, and a month
# has four weeks or 28 to 31 days
_EVERYDAY = {
    "time": (
        "hour minute second day week month year hr min sec",
        (4, 5, 7, 8, 12, 24, 28, 29, 30, 31, 52, 60, 168, 360, 365, 366, 1440, 3600, 86400),
    ),
    "metric length": ("km kilometer kilometre meter metre cm mm", (10, 100, 1000, 10000, 100000, 1000000)),
    "metric mass": ("kg kilogram gram", (1000,)),
    "metric volume": ("liter litre ml", (10, 100, 1000)),
    "length": ("inch inche foot feet yard mile ft", (3, 9, 12, 27, 36, 144, 1728, 1760, 5280, 63360)),
    "mass": ("pound ounce oz lb", (16, 2000)),
    "volume": (
        "gallon quart pint cup tablespoon teaspoon tbsp tsp",
        (2, 3, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256, 768),
    ),
    "money": ("$ cent", (100,)),
    "count": ("dozen", (12,)),
}
# of two dimensions at once, as in miles an hour and feet a second, the factors that are in daily use
_DAILY = frozenset((3, 7, 12, 16, 24, 36, 52, 60, 100, 365, 3600, 5280))
_DIMENSIONS = {word: name for name, (units, _) in _EVERYDAY.items() for word in units.split()}


def are_bare(left: Tree, right: Tree) -> bool:
    """Whether two sides are nothing but numbers, of which none is computed."""
    return bare_number(left) is not None and bare_number(right) is not None


def is_said_in_percent(left: Tree, right: Tree) -> bool:
    """Whether a decimal is told once more in percent, with another value than it has: 0.75 = 70%, and not 1.08 = 8%."""
    a, b = sorted(filter(None, map(bare_number, (left, right))), key=lambda number: number.percent)
    if a.percent or not b.percent or not a.decimals or a.money or a.unit:
        return False
    slack = half_unit(a) + half_unit(b)
    return all(abs(a.value - value) > slack for value in (b.value, 1 + b.value, 1 - b.value))


def is_no_conversion(*, left: Tree, right: Tree, judgement: Judgement) -> bool:
    """Whether no factor between the units of two sides makes them equal; False where that cannot be told."""
    here, there = _dimensions(left), _dimensions(right)
    # between two systems factors are rounded, and "10 * 60 seconds = 12,000 m" tells how far one gets in that time
    if here is None or there is None or (here and there and not here & there) or _are_two_systems(here | there):
        return False
    a, b = judgement.left, judgement.right
    if not isinstance(a, Fraction) or not isinstance(b, Fraction):
        return False
    # no rounding reaches further than one, or a fiftieth: only what comes as near is compared as it is written
    reach = 1 + abs(b) / 50
    return not any(
        compare(left=Node("*", (left, Num(factor))), right=right, relation="=").state != FAILS
        for factor in _near(_factors(frozenset(here | there)), a, b, reach)
    )


def _near(factors: tuple[Fraction, ...], a: Fraction, b: Fraction, reach: Fraction) -> tuple[Fraction, ...]:
    """Those of the sorted factors with |a * factor - b| <= reach, by bisection: there are hundreds."""
    if not a:
        return factors if abs(b) <= reach else ()
    low, high = sorted(((b - reach) / a, (b + reach) / a))
    return factors[bisect.bisect_left(factors, low) : bisect.bisect_right(factors, high)]


def _are_two_systems(dimensions: set[str]) -> bool:
    return any(f"metric {name}" in dimensions for name in dimensions)


_NO_LETTERS = re.compile(r"[\s/*^()\d.·-]+")
_TENS = re.compile(r"10+")


def prefixes_may_differ(*, left: Tree, right: Tree) -> bool:
    """2 mF * 5 V = 0.01 C: with such units, a power of ten between the sides may be a change of prefix."""
    # 42 * 10^4 = 4.2 * 10^6 CFU/mL: the result is the first to name its unit
    if _has_unit_on_power(left, right) and not all(any(n.unit for n in literals(tree)) for tree in (left, right)):
        return False
    words = {word for tree in (left, right) for number in literals(tree) for word in _NO_LETTERS.split(number.unit)}
    powers = frozenset().union(*map(hidden_powers, words))
    a, b = (value_of(tree) for tree in (left, right)) if powers else (None, None)
    if not a or not b:
        return False
    quotient = max(abs(a / b), abs(b / a))
    is_power = quotient.denominator == 1 and _TENS.fullmatch(str(quotient)) is not None
    return is_power and len(str(quotient)) - 1 in powers


def _dimensions(tree: Tree) -> set[str] | None:
    """What the units of a side measure; None where one of them is of no everyday kind."""
    dimensions: set[str] = set()
    for number in literals(tree):
        words = [word.lower().rstrip("s.") for word in number.unit.replace("/", " ").split()]
        words += ["$"] if number.money else []
        if any(word in SIZED_UNITS and word not in _DIMENSIONS for word in words):
            return None
        dimensions |= {_DIMENSIONS[word] for word in words if word in _DIMENSIONS}
    return dimensions


@functools.cache
def _factors(dimensions: frozenset[str]) -> tuple[Fraction, ...]:
    """In order: the factors of each dimension, those of two together, as a rate needs them, and one over each."""
    rows = [_EVERYDAY[name][1] for name in sorted(dimensions)]
    daily = [_DAILY.intersection(row) for row in rows]
    pairs = itertools.chain.from_iterable(itertools.product(a, b) for a, b in itertools.combinations(daily, 2))
    products = {value for x, y in pairs for value in (Fraction(x * y), Fraction(x, y))}
    factors = {Fraction(factor) for row in rows for factor in row} | products
    return tuple(sorted(factors | {1 / factor for factor in factors}))


# 3.31 Å is 3.31 * 10^-8 in centimetres, whose name may stand behind a bracket
_SYSTEM = frozenset("m s kg n j w v a t k c f h pa hz mol ω ohm metre meters meter second seconds".split())
_TINY = frozenset(("å", "angstrom", "angstroms", "nm", "pm", "μm", "µm"))


def hides_a_factor(left: Tree, right: Tree) -> bool:
    """2 boxes + 5 pencils = 29 pencils, where a box holds 12; F = 9/5 C + 32, where C is no unit; (3.31 Å)^3 in cm."""
    here, there = ({number.unit for number in literals(tree)} - {""} for tree in (left, right))
    is_tiny = here & _TINY != there & _TINY and bool(here) and bool(there)
    if is_tiny or _have_other_units(left, right):
        return True
    terms = _terms(left)
    numbers = [bare_number(term) for term in terms]
    result = bare_number(right)
    if len(terms) < 2:
        return False
    is_letter = any(number.unit in UNIT_LETTERS for number in literals(terms[0]) if number.unit)
    if is_letter and not any(number.unit for term in (*terms[1:], right) for number in literals(term)):
        return True
    if result is None or not result.unit or any(number is None or not number.unit for number in numbers):
        return False
    same = [number for number in numbers if number and _last(number) == _last(result)]
    others = sum((number.value for number in numbers if number and _last(number) != _last(result)), Fraction(0))
    missing = result.value - sum((number.value for number in same), Fraction(0))
    return bool(same) and others > 0 and missing / others >= 2 and (missing / others).denominator == 1


def _has_unit_on_power(left: Tree, right: Tree) -> bool:
    powers = [subtree for tree in (left, right) for subtree in walk(tree) if is_power_of_ten(subtree)]
    return any(number.unit for power in powers for number in literals(power))


def _have_other_units(left: Tree, right: Tree) -> bool:
    """6.7 * 10^(-5) cm = 6.7 * 10^(-7) m: units behind powers that differ and are not all of one system."""
    if not _has_unit_on_power(left, right):
        return False
    here, there = (
        {word for number in literals(tree) for word in _NO_LETTERS.split(number.unit.lower()) if word}
        for tree in (left, right)
    )
    # a result may be the first to name its unit
    return bool(here and there) and here != there and not here | there <= _SYSTEM


def _last(number: Num) -> str:
    return number.unit.split()[-1].rstrip("s")


def _terms(tree: Tree) -> list[Tree]:
    if isinstance(tree, Node) and tree.op == "+":
        return [*_terms(tree.args[0]), tree.args[1]]
    return [tree]
