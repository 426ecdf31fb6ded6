"""Approximations: how far a value behind ≈ may be off, by the digits that it is written with."""

from __future__ import annotations

from fractions import Fraction

from auditing.checker.mathematics.enclosure import Value, as_range
from auditing.checker.mathematics.exactly.rounding import half_unit
from auditing.checker.mathematics.tree import Num, Tree, bare_number, literals

# so many units of the last of two decimals and more are no rounding, where they are more than this share of it
MOST_UNITS, FINE_SHARE = 50, 500
# digits that a result has to have to be more than a rough one, and by how many units of the last one it is off
FINE_DIGITS, FINE_UNITS = 4, 5


def is_near(left: Tree, right: Tree, a: Value, b: Value) -> bool:
    """An approximation off by at most a unit of its last significant digit, or a tenth; with two decimals a 30th.

    310^2/48 ≈ 1995.83 is off by hundreds of its hundredths: what was rounded on the way moves a result by less.
    """
    x, y = as_range(a), as_range(b)
    gap = max(abs(x.low - y.high), abs(x.high - y.low))
    number = bare_number(right) or bare_number(left)
    if number is not None and _is_written_finely(left, number) and gap > FINE_UNITS * 2 * half_unit(number):
        return False
    unit = Fraction(0)
    if number is not None and number.value:
        unit = 2 * half_unit(number)
        # the unit of the last digit that is not zero: "≈ 1200" is meant to the hundred
        while number.decimals == 0 and (number.value / (unit * 10)).denominator == 1:
            unit *= 10
    share = 30 if number is not None and number.decimals > 1 else 10
    # 2^10 ≈ 1000.00 has no decimals but zeros
    is_fine = share > 10 and number is not None and number.value.denominator > 1 and gap > MOST_UNITS * unit
    share = FINE_SHARE if is_fine else share
    return gap <= max(unit, max(abs(x.high), abs(y.high)) / share)


def _is_written_finely(left: Tree, number: Num) -> bool:
    """5050/77 ≈ 64.837: four digits, of them two decimals, from whole numbers alone, which nobody rounded before."""
    digits = len(str(abs(number.value.numerator * 10**number.decimals // number.value.denominator)))
    is_fine = number.decimals > 1 and digits >= FINE_DIGITS and number.value.denominator > 1
    is_fine = is_fine and not (number.percent or number.money or number.cut)
    return is_fine and all(literal.decimals == 0 and not literal.percent for literal in literals(left))
