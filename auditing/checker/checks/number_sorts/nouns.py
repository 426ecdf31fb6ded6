"""The words for a sort of whole numbers, read whole or not at all: "positive two-digit multiples of 13".

A noun with what stands before it, and what is said of it behind (modifiers.py). One word that is not known, and nothing
is read: "three multiples of 7 in the list" names a sort of its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from auditing.checker.checks.number_sorts.modifiers import read_behind
from auditing.checker.checks.number_sorts.phrase import (
    KINDS,
    MOST_DIGITS,
    SKIPPED,
    Described,
    UnknownWordError,
    Words,
    count_in,
    words_of,
)
from auditing.checker.checks.number_sorts.sorts import Reading

# the first hundred primes have no end that is told: it lies somewhere below
FARTHEST, MOST_READINGS = 10**7, 8
_DIGITS = re.compile(r"(?P<count>\d{1,2}|[a-z]+)[- ]digit")
_ANYTHING = ("integers", "numbers", "integer", "number")
_OF_A_NUMBER = ("multiple", "power", "factor", "divisor")
_MORE_OF_IT = frozenset((
    *_ANYTHING, *KINDS, *_OF_A_NUMBER, *(f"{noun}s" for noun in _OF_A_NUMBER), "primes", "positive", "whole", "natural",
    "counting", "integer", "common", "perfect", "square", "cube", "odd", "even",
))  # fmt: skip


def sort_in(phrase: str) -> tuple[Reading, ...]:
    """The readings of a phrase; none where it is no sort of whole numbers, or has no end.

    >>> [(reading.low, reading.high, reading.tests) for reading in sort_in("three-digit multiples of 11")]
    [(100, 999, (('multiple', 11),))]
    """
    words, sort = words_of(phrase), Described()
    if words is None:
        return ()
    try:
        _first(words, sort)
        while not _noun(words, sort):
            if not any(read(words, sort) for read in _BEFORE):
                return ()
        while words.next:
            read_behind(words, sort, _of)
    except UnknownWordError:
        return ()
    return _readings(sort)


def _first(words: Words, sort: Described) -> None:
    """The first eight odd numbers, the five smallest primes."""
    while words.next in SKIPPED:
        words.at += 1
    if words.next == "first" and count_in(words.ahead(1)):
        sort.first = count_in(words.ahead(1))
        words.at += 2
    elif count_in(words.next) and words.ahead(1) in ("smallest", "least", "lowest"):
        sort.first = count_in(words.next)
        words.at += 2


def _sign(words: Words, sort: Described) -> bool:
    if words.take("positive", "counting"):
        sort.without_negatives(zero=False)
        return True
    if words.take("natural", "whole", "nonnegative", "non-negative"):
        sort.without_negatives(zero=True)
        return True
    return False


def _share(words: Words, sort: Described) -> bool:
    if words.take("common"):
        sort.is_common = True
    elif words.take("proper"):
        sort.is_proper = True
    else:
        # of integer factors that may be negative there are twice as many
        is_idle = words.next in SKIPPED or (words.next == "consecutive" and sort.first)
        if not is_idle and not (words.next == "integer" and sort.is_positive and _goes_on(words)):
            return False
        words.at += 1
    return True


def _kind(words: Words, sort: Described) -> bool:
    if words.next not in KINDS or not _goes_on(words):
        return False
    sort.is_bare &= words.next in ("even", "odd")
    sort.tests.append(KINDS[words.next])
    words.at += 1
    return True


def _goes_on(words: Words) -> bool:
    """Whether another word of the sort follows: in "primes less than 10" it is the noun itself."""
    return words.ahead(1) in _MORE_OF_IT or "-digit" in words.ahead(1)


def _length(words: Words, sort: Described) -> bool:
    """Three-digit, 3-digit, single-digit."""
    is_in_digits = words.next.isdigit() and (words.ahead(1), words.ahead(2)) == ("-", "digit")
    match = _DIGITS.fullmatch(f"{words.next}-digit" if is_in_digits else words.next)
    if match is None:
        return False
    count = 1 if match["count"] in ("single", "one") else count_in(match["count"])
    if not 0 < count <= MOST_DIGITS:
        raise UnknownWordError
    words.at += 3 if is_in_digits else 1
    sort.is_bare, sort.is_positive = False, True
    sort.lows = {10 ** (count - 1)} if count > 1 else {0, 1}
    sort.highs = {10**count - 1}
    return True


_BEFORE: tuple[Callable[[Words, Described], bool], ...] = (_sign, _share, _kind, _length)


def _noun(words: Words, sort: Described) -> bool:
    """The noun itself, with the number that it needs; behind it the sort is named."""
    if words.take("perfect squares", "perfect square", "square numbers"):
        sort.tests.append(("square",))
        sort.is_bare = False
    elif words.take("perfect cubes", "perfect cube", "cube numbers"):
        sort.tests.append(("cube",))
        sort.is_bare = False
    elif words.take("primes") or (words.next == "prime" and not _goes_on(words) and words.take("prime")):
        sort.tests.append(("prime",))
        sort.is_bare = False
    elif words.next.rstrip("s") in _OF_A_NUMBER:
        noun = words.next.rstrip("s")
        words.at += 1
        if not words.take("of", "for"):
            raise UnknownWordError
        _of(words, sort, noun)
    else:
        # an integer may be an adjective: "positive integer factors"
        return not (words.next == "integer" and _goes_on(words)) and words.take(*_ANYTHING)
    return True


def _of(words: Words, sort: Described, noun: str) -> None:
    """Factors of 12, common factors of 12 and 18, multiples of both 2 and 3."""
    is_both = words.take("both", "each of")
    numbers = words.numbers("and")
    if (len(numbers) > 1) is not (is_both or sort.is_common) or not all(numbers):
        raise UnknownWordError
    test = "factor" if noun == "divisor" else noun
    if test == "power" and (len(numbers) > 1 or numbers[0] < 2):
        raise UnknownWordError
    sort.is_bare = False
    sort.tests += [(test, number) for number in numbers]
    if test == "factor":
        whole = math.gcd(*numbers)
        sort.without_negatives(zero=False)
        sort.below(whole)
        if sort.is_proper:
            sort.highs, sort.lows = {whole - 1}, {1, 2}


def _readings(sort: Described) -> tuple[Reading, ...]:
    """Each lower end with each upper one; nothing where an end is missing."""
    if (sort.is_bare and not (sort.first and sort.tests)) or not (sort.highs or sort.first):
        return ()
    lows, highs = sort.lows or _lowest(sort), sort.highs or {FARTHEST}
    tests = tuple(dict.fromkeys(sort.tests))
    readings = [Reading(low, high, tests, sort.first) for low in sorted(lows) for high in sorted(highs) if low <= high]
    return tuple(readings[:MOST_READINGS])


def _lowest(sort: Described) -> set[int]:
    if ("prime",) in sort.tests:
        return {2}
    # a power of 5 may be 5^0 or begin with 5 itself
    bases = [int(test[1]) for test in sort.tests if test[0] == "power"]
    if bases:
        return {1, bases[0]}
    return {0, 1} if sort.may_have_zero else {1}
