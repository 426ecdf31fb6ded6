"""Rounding: what a written decimal may stand for. 0.33 may be 33/100, or 1/3 rounded to two decimals."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from auditing.checker.mathematics.tree import Node, Num, Tree, bare_number


def half_unit(number: Num) -> Fraction:
    """Half a unit of the last written digit (a percentage's digit counts in hundredths)."""
    unit = Fraction(10) ** -number.decimals
    return (unit / 100 if number.percent else unit) / 2


def written_number(tree: Tree) -> Num | None:
    """The number that a tree is, also in scientific notation: 1.23 * 10^6 has its last digit in the ten thousands."""
    number = bare_number(tree)
    if number is not None or not (isinstance(tree, Node) and tree.op == "*" and len(tree.args) == 2):
        return number
    mantissa, power = bare_number(tree.args[0]), tree.args[1]
    exponent = bare_number(power.args[1]) if is_power_of_ten(power) and isinstance(power, Node) else None
    if mantissa is None or exponent is None or exponent.value.denominator != 1 or abs(exponent.value) > 300:
        return None
    places = int(exponent.value)
    # 1.23 * 10^6 has -4 decimals: rounding is read at its ten thousands.
    return mantissa._replace(value=mantissa.value * Fraction(10) ** places, decimals=mantissa.decimals - places)


def is_power_of_ten(tree: Tree) -> bool:
    """10^(-7), also with a unit behind it."""
    base = tree.args[0] if isinstance(tree, Node) and tree.op == "^" else None
    return isinstance(base, Num) and base._replace(unit="") == Num(Fraction(10))


def is_rounded(tree: Num, rounded: frozenset[Fraction], exact: frozenset[Fraction]) -> bool:
    """Whether a decimal stands for something longer: seen to be rounded, or the head of a repeating decimal."""
    if tree.value in exact:
        return False
    # three decimals or more are rarely exact in such texts; two are, unless they look like the head of 1/3, 1/6, 1/7,
    # ...
    return tree.decimals > 2 or tree.value in rounded or (tree.decimals > 1 and _repeats(tree))


@functools.lru_cache(maxsize=2048)
def _repeats(tree: Num) -> bool:
    scale = 10**tree.decimals
    digits = abs(tree.value * 100 if tree.percent else tree.value) * scale
    # is the decimal k/3, k/6, ... rounded or cut off? 0.67 and 0.66 are both 2/3
    for divisor in (3, 6, 9) if tree.decimals == 2 else (3, 6, 7, 9, 11, 13):
        multiple = round(digits * divisor / scale)
        fraction = Fraction(multiple * scale, divisor)
        if fraction.denominator > 1 and digits in (math.floor(fraction), round(fraction)):
            return True
    # pi, sqrt(2), sqrt(3), sqrt(5) and e, as 3.14, 1.41, 1.73, 2.24, 2.72
    return tree.decimals == 2 and digits in (314, 141, 173, 224, 272)
