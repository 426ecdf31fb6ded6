"""Facts of lists: whether they are in order, hold what they are said to hold, and hold as many as is said."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from auditing.checker.checks.facts.plain_forms import (
    COUNT,
    ENDS,
    ITEMS,
    PAIRS,
    PlainForm,
    count_of,
    items_of,
    plain_form,
)
from auditing.checker.checks.numbers.elementary import is_prime
from auditing.checker.mathematics.tree import number_text

_UP = r"(?:ascending|increasing|numerical|(?:smallest|least|lowest) to (?:largest|greatest|highest|biggest))"
_DOWN = r"(?:descending|decreasing|(?:largest|greatest|highest|biggest) to (?:smallest|least|lowest))"
# "arrange in ascending order: 9, 3, 7" is told to somebody, "arranged in ascending order" is done
_DONE = r"(?<!sort )(?<!arrange )(?<!order )(?<!put )(?<!rank )(?<!list )(?<!write )(?<!them )(?<!numbers )(?<!these )"
_ORDER = rf"(?:(?P<up>{_UP})|{_DOWN})(?:\sorder)?(?:,?\s(?:the|these|our|this)\s[a-z ]{{3,25}})?\s?"
_THEN = r",?\s?(?:is|are|gives|we get|we have|they are)\s:?\s?"
_OPEN = r"[\[({$\\]{0,3}"
_NOUNS = (
    r"(?:values|numbers|integers|factors|divisors|primes|solutions|roots|terms|digits|elements|"
    r"options|choices|multiples|"
    r"squares|cubes|prime numbers|prime factors|data points|scores|possibilities|even numbers|odd numbers|observations)"
)
_THERE = (
    r"(?:[,;.]?\s(?:so\s|and\s|thus\s|hence\s)?(?:there are|that is|that's|which is|giving|for a "
    r"total of|a total of)\s)"
)
# members of a sequence that are compared, the largest number that is looked for in one, and how far that runs
MOST, LARGEST, MOST_RUN = 40, 10**8, 10**4


def _from(start: int, step: Callable[[int], int]) -> Iterator[int]:
    while True:
        yield start
        start = step(start)


def _fibonacci() -> Iterator[int]:
    a, b = 1, 1
    while True:
        yield a
        a, b = b, a + b


_SEQUENCES: dict[str, Callable[[], Iterator[int]]] = {
    "squares": lambda: (n * n for n in itertools.count(1)),
    "cubes": lambda: (n**3 for n in itertools.count(1)),
    "triangular numbers": lambda: (n * (n + 1) // 2 for n in itertools.count(1)),
    "primes": lambda: (n for n in itertools.count(2) if is_prime(n)),
    "fibonacci numbers": _fibonacci,
    "powers of 2": lambda: _from(1, lambda n: 2 * n),
    "powers of 3": lambda: _from(1, lambda n: 3 * n),
    "powers of 10": lambda: _from(1, lambda n: 10 * n),
    "even numbers": lambda: itertools.count(2, 2),
    "odd numbers": lambda: itertools.count(1, 2),
    "factorials": lambda: (math.factorial(n) for n in itertools.count(1)),
}
_SEQUENCE = (
    r"(?P<kind>(?:perfect |positive )?(?:squares|cubes|square numbers|cube numbers)|triangular numbers|prime numbers|"
)
_SEQUENCE += (
    r"primes|fibonacci numbers|powers of (?:2|two|3|three|10|ten)|(?:positive )?(?:even|odd) "
    r"(?:numbers|integers)|factorials)"
)


def _named(sequence: str) -> str:
    words = sequence.lower().replace("perfect ", "").replace("positive ", "").replace("integers", "numbers")
    for name, digits in (("two", "2"), ("three", "3"), ("ten", "10")):
        words = words.replace(f"of {name}", f"of {digits}")
    return {"prime numbers": "primes", "square numbers": "squares", "cube numbers": "cubes"}.get(words, words)


def _ordered(match: re.Match[str]) -> tuple[bool, str] | None:
    values = items_of(match["items"])
    pairs = list(itertools.pairwise(values))
    is_up = match["up"] is not None
    wrong = next(((a, b) for a, b in pairs if (a > b if is_up else a < b)), None)
    if wrong is None:
        return True, "in order."
    first, second = map(number_text, wrong)
    return False, f"{second} stands behind {first}."


def _first_of(match: re.Match[str]) -> tuple[bool, str] | None:
    """The first five squares are 1, 4, 9, 16, 25."""
    sequence, values, count = _named(match["kind"]), items_of(match["items"]), count_of(match["count"])
    if sequence not in _SEQUENCES or not 0 < count <= MOST or any(value > LARGEST for value in values):
        return None
    truth = list(itertools.islice(_SEQUENCES[sequence](), count + 2))
    # some begin at zero, at one, or a member later
    starts = [[*map(Fraction, run)] for run in ([0, *truth][:count], truth[:count], truth[1 : count + 1])]
    may_shift = sequence in ("squares", "cubes", "fibonacci numbers", "even numbers", "triangular numbers")
    may_shift |= sequence.startswith("powers")
    holds = values in (starts if may_shift else starts[1:2])
    return holds, f"they are {', '.join(map(str, truth[:count]))}."


def _members(match: re.Match[str]) -> tuple[bool, str] | None:
    """The perfect squares are 1, 4, 9: each is one of them."""
    sequence, values = _named(match["kind"]), items_of(match["items"])
    if sequence not in _SEQUENCES or any(value > LARGEST or value < 0 for value in values):
        return None
    largest = int(max(values))
    if largest > MOST_RUN and sequence in ("primes", "even numbers", "odd numbers"):
        return None
    members = {0, *itertools.takewhile(lambda n: n <= largest, itertools.islice(_SEQUENCES[sequence](), MOST_RUN))}
    stranger = next((value for value in values if value not in members), None)
    return (
        (True, "each is one.") if stranger is None else (False, f"{number_text(stranger)} is none of the {sequence}.")
    )


def _counted(match: re.Match[str]) -> tuple[bool, str] | None:
    """The five values are 1, 2, 3, 4."""
    count, number = count_of(match["count"]), len(items_of(match["items"]))
    # "the two numbers are 3 and 5, 7 and 9" are pairs
    if len(re.findall(r"\sand\s", match["items"])) > 1:
        return None
    return count == number, f"{number} are listed."


def _lettered(match: re.Match[str]) -> tuple[bool, str] | None:
    count, number = count_of(match["count"]), len(re.findall(r"[A-Za-z]+", re.sub(r"\band\b", " ", match["items"])))
    return count == number, f"{number} are listed."


def _consecutive(match: re.Match[str]) -> tuple[bool, str] | None:
    """Three consecutive even numbers that add to 24 are 6, 8, 10."""
    values, sequence = items_of(match["items"]), (match["kind"] or "").strip().lower()
    step = 2 if sequence in ("even", "odd") else 1
    if any(value.denominator > 1 for value in values):
        return None
    if any(b - a != step for a, b in itertools.pairwise(values)):
        return False, "they do not follow each other."
    if sequence in ("even", "odd") and (values[0] % 2 == 1) is (sequence == "even"):
        return False, f"they are not {sequence}."
    if match["count"] and count_of(match["count"]) != len(values):
        return False, f"{len(values)} are listed."
    total = sum(values, Fraction(0))
    is_total = match["sum"] is None or Fraction(match["sum"]) == total
    return is_total, f"they add up to {number_text(total)}."


def _extreme(match: re.Match[str]) -> tuple[bool, str] | None:
    """Of 2/3, 3/5 and 5/8 the greatest is 2/3."""
    values, claimed = items_of(match["items"]), items_of(match["r"])[0]
    is_largest = match["word"].lower() in ("largest", "greatest", "biggest", "highest")
    truth = max(values) if is_largest else min(values)
    # a place or another thing may be meant by a number that stands in no list
    return (claimed == truth, f"it is {number_text(truth)}.") if claimed in values else None


LISTS: tuple[PlainForm, ...] = (
    plain_form(
        "a list in order",
        "order|to largest|to greatest|to smallest|to least|to highest|to lowest|to biggest",
        rf"\b(?:in |from ){_ORDER}{_THEN}{_OPEN}(?P<items>{ITEMS}){ENDS}",
        _ordered,
    ),
    plain_form(
        "a list in order",
        "order|to largest|to greatest|to smallest|to least|to highest|to lowest|to biggest",
        rf"{_DONE}\b(?:in |from ){_ORDER}[:=]\s?{_OPEN}(?P<items>{ITEMS}){ENDS}",
        _ordered,
    ),
    plain_form(
        "a list in order",
        "sorted|ordered",
        rf"\b(?P<up>sorted|ordered) (?:list|data|values|numbers|set)(?: is| are)"
        rf"?\s?[:=]?\s?{_OPEN}(?P<items>{ITEMS}){ENDS}",
        _ordered,
    ),
    plain_form(
        "first members of a sequence",
        "the first ",
        rf"\bthe first (?P<count>{COUNT}) {_SEQUENCE} (?:are|:)\s?:?\s?{_OPEN}(?P<items>{PAIRS}){ENDS}",
        _first_of,
    ),
    plain_form(
        "members of a sequence",
        "squares|cubes|triangular|fibonacci|powers of",
        rf"(?<!first )(?<!sum of )(?<!their )\b(?:the |these |are all |all ){_SEQUENCE} (?:are|include|"
        rf":)\s?:?\s?{_OPEN}"
        rf"(?P<items>{ITEMS}){ENDS}",
        _members,
    ),
    plain_form(
        "a count of what is listed",
        " are",
        rf"\b(?:the|these|our|all)\s(?P<count>{COUNT})\s(?:[a-z]{{3,12}}\s)?{_NOUNS} are:?\s?{_OPEN}(?P<items>{PAIRS})"
        r"[\])}$\\]{0,3}(?=\s?(?:\.(?!\d)|$|\n|,\s(?:so|which|and\s[a-z])|\s[(a-z]))" + ENDS,
        _counted,
    ),
    plain_form(
        "a count of what is listed",
        " has | contains | have ",
        rf"\b(?:list|set|sequence|data|numbers)\s{_OPEN}(?P<items>{ITEMS})"
        rf"[\])}}$\\]{{0,3}} (?:has|contains|have) (?:exactly )?"
        rf"(?P<count>{COUNT})\s(?:numbers|terms|elements|values|items|members|entries)\b",
        _counted,
    ),
    plain_form(
        "a count of what is listed",
        " are ",
        rf"\b(?:are|:)\s{_OPEN}(?P<items>{ITEMS})[\])}}$\\]{{0,3}}{_THERE}(?P<count>{COUNT})\s"
        rf"(?:of them|in (?:total|all)|{_NOUNS})\b(?!\s(?:between|from|less|greater|that|which|of))",
        _counted,
    ),
    plain_form(
        "a count of what is listed",
        "there are ",
        rf"\bthere are (?:only )?(?P<count>{COUNT}) (?:[a-z]{{3,14}} )?{_NOUNS}:\s?(?P<items>{PAIRS})"
        rf"(?=\s?(?:\.(?!\d)|$|\n))",
        _counted,
    ),
    plain_form(
        "a count of what is listed",
        "there are ",
        r"\b[Tt]here are (?:only )?(?P<count>[0-9]{1,2}|two|three|four|five|six|seven|eight|nine|ten) "
        r"(?:[a-z]{3,14} )?[a-z]{3,14}s:\s?"
        r"(?P<items>[A-Z](?:, [A-Z]){1,11}(?:,? and [A-Z])?)(?=\s?(?:\.|$|\n))",
        _lettered,
        in_any_case=False,
    ),
    plain_form(
        "consecutive numbers",
        "consecutive",
        rf"\b(?:(?P<count>{COUNT})\s)?consecutive (?P<kind>even |odd )?(?:positive )?(?:integers|numbers|whole numbers)"
        r"(?: (?:that |which |whose )?(?:add|sum|total|adding|summing|have a sum|sum is)(?:s)? (?:up )"
        r"?(?:to|of) (?P<sum>\d{1,9}))? are:?\s"
        rf"(?P<items>{PAIRS}){ENDS}",
        _consecutive,
    ),
    plain_form(
        "the largest of several",
        "largest|greatest|biggest|highest|smallest|least|lowest",
        rf"\b[oO]f (?:the (?:numbers|fractions|values) )?(?P<items>{PAIRS}), the (?P<word>largest|"
        rf"greatest|biggest|highest|smallest|least|lowest)"
        r" (?:one )?is (?P<r>-?\d[\d,]*(?:\.\d+)?(?:/\d+)?)(?![\d.,/]*\d|\s?[-+*/^×])",
        _extreme,
    ),
)
