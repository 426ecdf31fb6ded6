"""Linear inequalities over the rationals: whether they can all hold, and the weights under which they say that 0 > 0.

Fourier's elimination: each step takes one symbol out by adding every row that bounds it from above to every row that
bounds it from below. Each row remembers of which combination of the given ones it is the sum, so that a contradiction
comes with its certificate (Farkas 1902; Motzkin 1936). Everything is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

# more rows than this are given up: elimination may square their number with each symbol
MOST_ROWS = 160


@dataclass(frozen=True, slots=True)
class Row:
    """sum of slopes[name] * name + constant <= 0, or < 0 when strict."""

    slopes: dict[str, Fraction]
    constant: Fraction
    is_strict: bool = False


@dataclass(frozen=True, slots=True)
class _Sum:
    """A row and the weights of the given rows that add up to it."""

    row: Row
    weights: tuple[Fraction, ...]


def contradiction(*, rows: Sequence[Row]) -> list[Fraction] | None:
    """Weights, none below zero, that add the rows up to a number that is not at most zero; None where there are none.

    x - 3 <= 0 and 5 - x <= 0 add up to 2 <= 0:

    >>> high = Row({"x": Fraction(1)}, Fraction(-3))
    >>> low = Row({"x": Fraction(-1)}, Fraction(5))
    >>> contradiction(rows=[high, low])
    [Fraction(1, 1), Fraction(1, 1)]
    """
    units = [tuple(Fraction(int(at == index)) for at in range(len(rows))) for index in range(len(rows))]
    sums = [_Sum(row, unit) for row, unit in zip(rows, units, strict=True)]
    for name in sorted({name for row in rows for name in row.slopes}):
        sums = _without(sums, name)
        if len(sums) > MOST_ROWS:
            return None
    return next((list(total.weights) for total in sums if _is_false(total.row)), None)


def _is_false(row: Row) -> bool:
    return row.constant > 0 or (row.is_strict and row.constant == 0)


def _without(sums: list[_Sum], name: str) -> list[_Sum]:
    """The rows that follow for the other symbols."""
    above = [total for total in sums if total.row.slopes.get(name, 0) > 0]
    below = [total for total in sums if total.row.slopes.get(name, 0) < 0]
    others = [total for total in sums if not total.row.slopes.get(name, 0)]
    return others + [_added(upper, lower, name) for upper in above for lower in below]


def _added(upper: _Sum, lower: _Sum, name: str) -> _Sum:
    """Both over their slopes of `name`, so that it falls out; the weights stay above zero."""
    a, b = 1 / upper.row.slopes[name], -1 / lower.row.slopes[name]
    names = (upper.row.slopes.keys() | lower.row.slopes.keys()) - {name}
    zero = Fraction(0)
    slopes = {key: a * upper.row.slopes.get(key, zero) + b * lower.row.slopes.get(key, zero) for key in names}
    row = Row(
        {key: slope for key, slope in slopes.items() if slope},
        a * upper.row.constant + b * lower.row.constant,
        upper.row.is_strict or lower.row.is_strict,
    )
    return _Sum(row, tuple(a * x + b * y for x, y in zip(upper.weights, lower.weights, strict=True)))
