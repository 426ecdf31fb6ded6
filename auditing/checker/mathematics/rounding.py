"""What a written decimal may stand for."""

from __future__ import annotations

import math
from fractions import Fraction

from auditing.checker.mathematics.tree import Num


def half_unit(number: Num) -> Fraction:
    """Half a unit of the last written digit (a percentage's digit counts in hundredths)."""
    unit = Fraction(1, 10**number.decimals)
    return (unit / 100 if number.percent else unit) / 2


def is_rounded(tree: Num, rounded: frozenset[Fraction], exact: frozenset[Fraction]) -> bool:
    """Whether a decimal stands for something longer: seen to be rounded, or the head of a repeating decimal."""
    if tree.value in exact:
        return False
    return tree.decimals > 2 or tree.value in rounded or (tree.decimals > 1 and _repeats(tree))


def _repeats(tree: Num) -> bool:
    scale = 10**tree.decimals
    digits = abs(tree.value * 100 if tree.percent else tree.value) * scale
    for below in (3, 6, 9) if tree.decimals == 2 else (3, 6, 7, 9, 11, 13):
        near = round(digits * below / scale)
        exact = Fraction(near * scale, below)
        if exact.denominator > 1 and digits in (math.floor(exact), round(exact)):
            return True
    return tree.decimals == 2 and digits in (314, 141, 173, 224, 272)
