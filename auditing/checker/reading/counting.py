"""What number words come to: medians, remainders, digits, numbers of divisors, rounding, units in a unit."""

from __future__ import annotations

import math
import re
from fractions import Fraction

STEPS = {
    "integer": Fraction(1),
    "whole number": Fraction(1),
    "ten": Fraction(10),
    "hundred": Fraction(100),
    "tenth": Fraction(1, 10),
    "hundredth": Fraction(1, 100),
}
IN_ONE = {
    ("days", "week"): 7,
    ("hours", "day"): 24,
    ("minutes", "hour"): 60,
    ("seconds", "minute"): 60,
    ("months", "year"): 12,
    ("weeks", "year"): 52,
    ("inches", "foot"): 12,
    ("feet", "yard"): 3,
    ("cents", "dollar"): 100,
    ("ounces", "pound"): 16,
    ("feet", "mile"): 5280,
    ("degrees", "circle"): 360,
    ("eggs", "dozen"): 12,
    ("grams", "kilogram"): 1000,
    ("centimeters", "meter"): 100,
    ("meters", "kilometer"): 1000,
    ("years", "decade"): 10,
    ("years", "century"): 100,
    ("nickels", "dollar"): 20,
    ("dimes", "dollar"): 10,
    ("quarters", "dollar"): 4,
}


def median(values: list[Fraction]) -> Fraction:
    """The middle value, or the mean of the middle two."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def power(text: str, modulus: int) -> Fraction:
    """A whole number or a power, as written, modulo a number."""
    base, _, exponent = re.sub(r"[\s{}]", "", text).partition("^")
    return Fraction(pow(int(base), int(exponent or 1), modulus))


def divided(a: Fraction, b: Fraction) -> Fraction | None:
    """The quotient, or None by zero."""
    return a / b if b else None


def rest(a: Fraction, b: Fraction) -> Fraction | None:
    """The remainder of two whole numbers."""
    return a % b if b and a.denominator == b.denominator == 1 else None


def divisors(number: int) -> int:
    """How many divisors a number below a million has."""
    count, rest = 1, number
    for prime in range(2, 1000):
        power = 0
        while rest % prime == 0:
            rest, power = rest // prime, power + 1
        count *= power + 1
    return count * 2 if rest > 1 else count


def in_one(part: str, whole: str) -> Fraction | None:
    """How many days are in a week."""
    count = IN_ONE.get((part, whole))
    return Fraction(count) if count is not None else None


def nearest(value: Fraction, step: Fraction) -> Fraction:
    """Rounded half up, as people do it."""
    return math.floor(value / step + Fraction(1, 2)) * step
