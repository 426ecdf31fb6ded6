"""Sorts of whole numbers: what "two-digit primes" and "multiples of 7 between 100 and 200" name, as sets.

Words may leave open whether an end belongs to a range, whether zero is a whole number or one a power: then a sort has
several readings, and a claim is false only where it is false in each of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from auditing.checker.checks.numbers.elementary import is_prime

# members that are looked at one by one, and the largest number that is taken apart
MOST_STEPS, LARGEST = 100_000, 10**12
# a test and its numbers: ("multiple", 7), ("factor", 36), ("prime",)
Test = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The whole numbers from low to high, both in it, that pass every test; of those the first ones alone, if asked."""

    low: int
    high: int
    tests: tuple[Test, ...]
    first: int = 0


def _is_power(n: int, base: int) -> bool:
    while n > 1 and n % base == 0:
        n //= base
    return n == 1


TESTS: Mapping[str, Callable[..., bool]] = {
    "multiple": lambda n, of: n % of == 0,
    "no multiple": lambda n, of: n % of != 0,
    "multiple of one": lambda n, *of: any(n % divisor == 0 for divisor in of),
    "multiple of none": lambda n, *of: all(n % divisor for divisor in of),
    "factor": lambda n, of: n != 0 and of % n == 0,
    "coprime": lambda n, to: math.gcd(n, to) == 1,
    "prime": is_prime,
    "no prime": lambda n: not is_prime(n),
    "composite": lambda n: n > 3 and not is_prime(n),
    "square": lambda n: n >= 0 and math.isqrt(n) ** 2 == n,
    "no square": lambda n: n < 0 or math.isqrt(n) ** 2 != n,
    "cube": lambda n: round(abs(n) ** (1 / 3)) ** 3 == abs(n),
    "no cube": lambda n: round(abs(n) ** (1 / 3)) ** 3 != abs(n),
    "power": _is_power,
}


@lru_cache(maxsize=512)
def members(reading: Reading) -> tuple[int, ...] | None:
    """All members in their order; None where too many numbers would have to be looked at."""
    passing = []
    for number in _candidates(reading):
        if number is None:
            return None
        if reading.low <= number <= reading.high and all(
            TESTS[str(name)](number, *numbers) for name, *numbers in reading.tests
        ):
            passing.append(number)
            if len(passing) == reading.first:
                break
    return tuple(passing) if not reading.first or len(passing) == reading.first else None


def steps_to(reading: Reading) -> int:
    """How many numbers are looked at at most, or divided by, until the members are known.

    >>> steps_to(Reading(1, 100, (("multiple", 5),)))
    20
    """
    whole = math.gcd(*_numbers_of("factor", reading))
    if whole:
        return math.isqrt(min(whole, LARGEST)) // 2 + 1
    return min((reading.high - reading.low) // math.lcm(*_numbers_of("multiple", reading)) + 1, MOST_STEPS)


def _numbers_of(test: str, reading: Reading) -> list[int]:
    return [int(numbers[0]) for name, *numbers in reading.tests if name == test]


def _candidates(reading: Reading) -> Iterator[int | None]:
    """Numbers that may be members, every one of them; None at the end of what is looked at."""
    step, factors_of = math.lcm(*_numbers_of("multiple", reading)), _numbers_of("factor", reading)
    if factors_of:
        whole = math.gcd(*factors_of)
        yield from sorted(_divisors(whole)) if whole <= LARGEST else (None,)
        return
    start = -(-reading.low // step) * step
    for taken, number in enumerate(range(start, reading.high + 1, step)):
        yield number if taken < MOST_STEPS else None
        if taken >= MOST_STEPS:
            return


def _divisors(number: int) -> set[int]:
    """Of a number up to a million millions: by its primes, each passing below its root."""
    divisors, cofactor = {1}, number
    prime = 2
    while prime * prime <= cofactor:
        while cofactor % prime == 0:
            divisors |= {divisor * prime for divisor in divisors}
            cofactor //= prime
        prime += 1 + prime % 2
    return divisors | {divisor * cofactor for divisor in divisors}
