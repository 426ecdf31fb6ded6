"""Exact arithmetic: sums, products, quotients and negatives of Fractions, and the Fraction that digits say.

The operators of Fraction ask both operands for their kind and look at the result as if anybody had written it, which
takes three times as long as the arithmetic. Here both are Fractions and the result is in lowest terms by how it is made
(Knuth, The Art of Computer Programming, volume 2, section 4.5.1); most denominators are 1.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

_new = object.__new__
_gcd = math.gcd
ZERO, ONE = Fraction(0), Fraction(1)


def _made(top: int, bottom: int) -> Fraction:
    """top / bottom, which are in lowest terms, and bottom is positive."""
    value: Any = _new(Fraction)
    value._numerator, value._denominator = top, bottom
    return value  # type: ignore[no-any-return]


def _added(a: Any, b: Any) -> Fraction:
    above, below, top, bottom = a._numerator, a._denominator, b._numerator, b._denominator
    if below == 1 == bottom:
        return _made(above + top, 1)
    divisor = _gcd(below, bottom)
    if divisor == 1:
        return _made(above * bottom + below * top, below * bottom)
    factor = below // divisor
    total = above * (bottom // divisor) + top * factor
    again = _gcd(total, divisor)
    return _made(total // again, factor * (bottom // again))


def _multiplied(a: Any, b: Any) -> Fraction:
    above, below, top, bottom = a._numerator, a._denominator, b._numerator, b._denominator
    if below == 1 == bottom:
        return _made(above * top, 1)
    first, second = _gcd(above, bottom), _gcd(top, below)
    return _made((above // first) * (top // second), (below // second) * (bottom // first))


def _divided(a: Any, b: Any) -> Fraction:
    top, bottom = b._numerator, b._denominator
    if not top:
        raise ZeroDivisionError("division by zero")
    return _multiplied(a, _made(bottom, top) if top > 0 else _made(-bottom, -top))


def _negative(a: Any) -> Fraction:
    return _made(-a._numerator, a._denominator)


def _raised(a: Any, exponent: int) -> Fraction:
    return _made(a._numerator**exponent, a._denominator**exponent)


def _ends(values: Any) -> tuple[Fraction, Fraction]:
    low = high = values[0]
    for value in values[1:]:
        if value._numerator * low._denominator < low._numerator * value._denominator:
            low = value
        elif value._numerator * high._denominator > high._numerator * value._denominator:
            high = value
    return low, high


def _bits(a: Any) -> int:
    return int(a._numerator.bit_length() + a._denominator.bit_length())


def whole(number: int) -> Fraction:
    """A whole number.

    >>> whole(7)
    Fraction(7, 1)
    """
    return _made(number, 1)


def ratio(top: int, bottom: int) -> Fraction:
    """top / bottom in lowest terms; bottom is positive.

    >>> ratio(6, 4)
    Fraction(3, 2)
    """
    divisor = _gcd(top, bottom)
    return _made(top // divisor, bottom // divisor)


# typed here: what they read of a Fraction, type stubs do not name
added: Callable[[Fraction, Fraction], Fraction] = _added
multiplied: Callable[[Fraction, Fraction], Fraction] = _multiplied
divided: Callable[[Fraction, Fraction], Fraction] = _divided
negative: Callable[[Fraction], Fraction] = _negative
# to an exponent that is not negative
raised: Callable[[Fraction, int], Fraction] = _raised
# the least and the greatest of some
ends: Callable[[Sequence[Fraction]], tuple[Fraction, Fraction]] = _ends
# how many bits both of its numbers have
bits: Callable[[Fraction], int] = _bits


@functools.lru_cache(maxsize=4096)
def written(digits: str) -> Fraction:
    """What digits say, with or without a decimal point; a text holds the same numbers again and again.

    >>> written("2.50")
    Fraction(5, 2)
    """
    return Fraction(digits)
