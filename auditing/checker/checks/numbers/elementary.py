"""Elementary results that texts state in words: medians, remainders, divisors, primes, rounding, units in a unit."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

# "rounded to the nearest tenth": the step that each word names
STEPS = {
    "integer": Fraction(1),
    "whole number": Fraction(1),
    "ten": Fraction(10),
    "hundred": Fraction(100),
    "tenth": Fraction(1, 10),
    "hundredth": Fraction(1, 100),
    "one decimal place": Fraction(1, 10),
    "1 decimal place": Fraction(1, 10),
    "two decimal places": Fraction(1, 100),
    "2 decimal places": Fraction(1, 100),
}
# "there are 360 degrees in a circle": (part, whole) -> how many; units that convert are told by the check `units`
IN_ONE = {("weeks", "year"): 52, ("degrees", "circle"): 360, ("eggs", "dozen"): 12}


def median(values: list[Fraction]) -> Fraction:
    """The middle value, or the mean of the middle two."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def power_modulo(text: str, modulus: int) -> Fraction:
    """A whole number or a power, as written, modulo a number.

    >>> power_modulo("7^100", 10)
    Fraction(1, 1)
    """
    base, _, exponent = re.sub(r"[\s{}]", "", text).partition("^")
    # three arguments: the power itself may have millions of digits and is never computed
    return Fraction(pow(int(base), int(exponent or 1), modulus))


def of_wholes(function: Callable[..., int], values: Sequence[Fraction]) -> Fraction | None:
    """A function of whole numbers; None where one is not whole: 0.12 has no common divisors."""
    return Fraction(function(*map(int, values))) if all(value.denominator == 1 for value in values) else None


def ratio(a: Fraction, b: Fraction) -> Fraction | None:
    """a / b, or None by zero."""
    return a / b if b else None


def remainder(a: Fraction, b: Fraction) -> Fraction | None:
    """The remainder of two whole numbers."""
    return a % b if b and a.denominator == b.denominator == 1 else None


def divisor_count(number: int) -> int:
    """How many divisors a number below a million has.

    >>> divisor_count(12)
    6
    """
    # 12 = 2^2 * 3^1 has (2 + 1) * (1 + 1) divisors: one for each choice of the exponents
    count, cofactor = 1, number
    for prime in range(2, 1000):
        exponent = 0
        while cofactor % prime == 0:
            cofactor, exponent = cofactor // prime, exponent + 1
        count *= exponent + 1
    # what is left after all factors below 1000 is 1 or one prime
    return count * 2 if cofactor > 1 else count


def is_prime(n: int) -> bool:
    """Whether n is prime: Miller-Rabin with the first seven primes as bases, deterministic below 341,550,071,728,321.

    Source: G. Jaeschke, "On strong pseudoprimes to several bases", Mathematics of Computation 61 (1993).

    >>> [n for n in range(20) if is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19]
    """
    if n < 2 or any(n % p == 0 for p in (2, 3, 5, 7, 11, 13) if n != p):
        return False
    # n - 1 = odd * 2^twos. For a prime n, base^odd is 1, or one of its repeated squares is -1 modulo n.
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17):
        x = pow(base, odd, n)
        if base % n == 0 or x in (1, n - 1) or any(pow(x, 2**k, n) == n - 1 for k in range(1, twos)):
            continue
        return False
    return True


def count_in(part: str, whole: str) -> Fraction | None:
    """How many degrees are in a circle."""
    count = IN_ONE.get((part, whole))
    return Fraction(count) if count is not None else None


def nearest(value: Fraction, step: Fraction) -> Fraction:
    """Rounded half up, as people do it.

    >>> nearest(Fraction(5, 2), Fraction(1))
    Fraction(3, 1)
    """
    return math.floor(value / step + Fraction(1, 2)) * step


def whole_root(number: int, degree: int) -> Fraction | None:
    """The root of a whole number that is whole; None for any other, which decimals can only come near to.

    >>> whole_root(27, 3)
    Fraction(3, 1)
    """
    root = math.isqrt(number) if degree == 2 else round(number ** (1 / degree))
    return Fraction(root) if root**degree == number else None
