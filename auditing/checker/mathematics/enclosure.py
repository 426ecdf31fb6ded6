"""Interval arithmetic: rational intervals that hold irrational values, and the roots and functions that make them.

sqrt(2) has no exact value here, but an interval with rational ends that holds it. Two values differ for certain when
their intervals do not meet; that they meet proves nothing. All rounding goes outward, so no error shrinks an interval.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any, NamedTuple

from auditing.checker.mathematics.exactly.arithmetic import negative, ratio

# intervals are made 40 decimals fine: far below the last digit of anything that people write
_SCALE = 10**40


class IncalculableError(ArithmeticError):
    """The expression has no value here: a free symbol, a domain error or a cap."""


class Range(NamedTuple):
    """A closed rational interval that holds the true value."""

    low: Fraction
    high: Fraction


Value = Fraction | Range


_PI = 31415926535897932384626433832795028841971
PI = Range(Fraction(_PI, _SCALE), Fraction(_PI + 1, _SCALE))


def as_range(value: Value) -> Range:
    """The value as an interval."""
    return value if isinstance(value, Range) else Range(value, value)


def make(low: Fraction, high: Fraction) -> Value:
    """An interval, or a Fraction when it is a point; long denominators are rounded outward."""
    if low == high:
        return low
    if low.denominator > _SCALE or high.denominator > _SCALE:
        low = ratio(low.numerator * _SCALE // low.denominator, _SCALE)
        high = ratio(-(-high.numerator * _SCALE // high.denominator), _SCALE)
    return Range(low, high)


def _whole_root(n: int, degree: int) -> int:
    """floor(n ** (1/degree)) for n >= 0, by Newton's method on integers."""
    if n < 2:
        return n
    if degree == 2:
        return math.isqrt(n)
    # starts above the root and falls towards it; the first step that does not fall has reached floor(root)
    guess = 1 << (n.bit_length() // degree + 1)
    while True:
        better = ((degree - 1) * guess + n // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better


def root(a: Value, degree: int) -> Value:
    """The real root of the given degree, exact when it is rational."""
    if degree < 1 or degree > 60:
        raise IncalculableError("no such root")
    if isinstance(a, Range):
        # sqrt(log_2 1): an interval around zero may be zero
        if a.low < 0 <= a.high and degree % 2 == 0:
            raise IncalculableError("a root of what may be zero")
        low, high = as_range(root(a.low, degree)), as_range(root(a.high, degree))
        return make(low.low, high.high)
    if a.numerator < 0:
        if degree % 2 == 0:
            raise IncalculableError("an even root of a negative number")
        return negated(root(-a, degree))
    # sqrt(9/4) is 3/2 exactly: a fraction in lowest terms has a rational root only when both its halves have one
    top, bottom = _whole_root(a.numerator, degree), _whole_root(a.denominator, degree)
    if top**degree == a.numerator and bottom**degree == a.denominator:
        return ratio(top, bottom)
    # otherwise one unit of the 40th decimal around it
    scaled = _whole_root(a.numerator * _SCALE**degree // a.denominator, degree)
    return make(ratio(scaled, _SCALE), ratio(scaled + 1, _SCALE))


def negated(value: Value) -> Value:
    """-value."""
    return negative(value) if isinstance(value, Fraction) else Range(negative(value.high), negative(value.low))


@functools.lru_cache(maxsize=2048)
def real(name: str, a: Value) -> Value:
    """A transcendental function at 50 digits with a generous error bound (mpmath, loaded when first needed)."""
    import mpmath

    x = as_range(a)
    if max(abs(x.low), abs(x.high)) > 10**6 or (name == "exp" and max(abs(x.low), abs(x.high)) > 500):
        raise IncalculableError("the argument is too large")
    if name == "ln" and x.low <= 0:
        raise IncalculableError("the logarithm of a number that is not positive")
    if name in ("arcsin", "arccos") and max(abs(x.low), abs(x.high)) > 1:
        raise IncalculableError("outside the domain")
    with mpmath.workdps(50):
        # 50 digits: ten more than are kept, so mpmath's own rounding stays inside the pad
        ends = dict.fromkeys((x.low, x.high))
        values = [_rational(getattr(mpmath, _MP[name])(mpmath.mpf(end.numerator) / end.denominator)) for end in ends]
    # what only rises has its extremes at the ends; elsewhere the argument's own width (from pi or a root) is tiny: sin
    # and cos move at most by that width, tan is checked
    largest = max(abs(value) for value in values)
    width = largest / _SCALE if name in _RISING else (x.high - x.low) * (1 + largest**2)
    pad = width + Fraction(1, 10**30)
    if x.high - x.low > Fraction(1, 1000) and name in ("sin", "cos", "tan"):
        raise IncalculableError("the argument is too wide")
    return make(min(values) - pad, max(values) + pad)


_RISING = frozenset(("exp", "ln", "arctan"))
_MP = {
    "exp": "exp",
    "ln": "log",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
}


def _rational(value: Any) -> Fraction:
    # mpmath keeps a number as mantissa * 2^exponent, which is an exact fraction
    sign, mantissa, exponent, _bits = value._mpf_
    number = Fraction(int(mantissa)) * (Fraction(2) ** int(exponent))
    return -number if sign else number
