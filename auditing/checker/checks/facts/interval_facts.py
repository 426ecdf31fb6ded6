"""Facts of intervals and of decimals that repeat: "the integers in [-8, -6) are -8, -7", "3/11 is 0.2727..."."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from auditing.checker.checks.facts.fact_pieces import Answer
from auditing.checker.checks.facts.plain_forms import ENDS, PAIRS, PlainForm, items_of, plain_form

_OPEN, _CLOSE = r"(?:\\\(|\$)?\s?", r"\s?(?:\\\)|\$)?"
_END = r"-?\d{1,6}(?:\.\d{1,4})?"
_KIND = r"(?<!of )\b(?:the|all|only)\s(?:only\s|possible\s)?(?P<kind>integers|whole numbers)"
_LISTED = rf"{_CLOSE},?\s(?:inclusive,?\s|exclusive,?\s)?are:?\s{_OPEN}(?P<items>{PAIRS})(?!\s?[-+*/^=])"
# a longer interval is not enumerated
MOST_INTEGERS = 60
# digits of a decimal that repeats, and of its numerator
_REPEATED = r"(?P<digits>\d{1,6}\.\d{4,24})\s?(?:\.\.\.|…|\\[lc]?dots)"
_BARRED = r"(?P<whole>\d{1,6})\.(?P<first>\d{0,8})\\overline\{(?P<again>\d{1,8})\}"


def _listed(match: re.Match[str], numbers: list[int], optional: set[int]) -> Answer:
    """Every number is listed, those that may be left out aside, and no other."""
    items = items_of(match["items"])
    is_natural = match["kind"].lower() == "whole numbers"
    allowed = [number for number in numbers if number >= 0 or not is_natural]
    strange = next((number for number in items if number not in allowed), None)
    if strange is not None:
        return False, f"{strange} is none of them."
    missing = next((number for number in allowed if number not in items and number not in optional), None)
    return missing is None, f"{missing} is one of them, too."


def _in_interval(match: re.Match[str]) -> Answer:
    """The integers in [-8, -6) are -8 and -7."""
    low, high = Fraction(match["low"]), Fraction(match["high"])
    first = math.floor(low) + 1 if match["opens"] == "(" else math.ceil(low)
    last = math.ceil(high) - 1 if match["closes"] == ")" else math.floor(high)
    # a list or a pair of two numbers is written as an interval is
    if not 0 <= last - first <= MOST_INTEGERS or set(items_of(match["items"])) == {low, high}:
        return None
    return _listed(match, list(range(first, last + 1)), set())


def _between(match: re.Match[str]) -> Answer:
    """The integers between -3 and 3 are -2, -1, 0, 1, 2: both ends may be listed, and may be left out."""
    low, high = Fraction(match["low"]), Fraction(match["high"])
    if not 0 < high - low <= MOST_INTEGERS:
        return None
    numbers = list(range(math.ceil(low), math.floor(high) + 1))
    ends = {number for number in numbers if number in (low, high)}
    return _listed(match, numbers, ends if match["word"].lower() == "between" else set())


def _repeating(match: re.Match[str]) -> Answer:
    """The decimal representation of 3/11 is 0.272727...: digits cut off, or the last one rounded."""
    value = Fraction(int(match["above"]), int(match["below"]))
    written = Fraction(match["digits"])
    unit = Fraction(1, 10 ** len(match["digits"].partition(".")[2]))
    return abs(value - written) < unit, f"it is {float(value):.8f}..."


def _barred(match: re.Match[str]) -> Answer:
    """The decimal representation of 3/11 is 0.\\overline{27}."""
    value = Fraction(int(match["above"]), int(match["below"]))
    first, again = match["first"], match["again"]
    scale = Fraction(1, 10 ** len(first))
    tail = Fraction(int(again), 10 ** len(again) - 1) * scale
    claimed = int(match["whole"]) + (int(first) * scale if first else 0) + tail
    return claimed == value, f"it is {float(value):.8f}..."


_FRACTION = (
    rf"(?:{_OPEN}(?:\\[dt]?frac\{{(?=\d{{1,4}}\}}\{{)|(?=\d{{1,4}}/)))(?P<above>\d{{1,4}})(?:\}}\{{|/)"
    rf"(?P<below>[1-9]\d{{0,4}})\}}?{_CLOSE}"
)
_EXPANSION = rf"\bdecimal (?:representation|expansion|form|equivalent) (?:of|for) {_FRACTION} (?:is|equals) {_OPEN}"
INTERVALS: tuple[PlainForm, ...] = (
    plain_form(
        "integers in an interval",
        "integers in|numbers in",
        rf"{_KIND} in (?:the interval )?{_OPEN}(?P<opens>[(\[])\s?(?P<low>{_END}),\s?(?P<high>{_END})\s?"
        rf"(?P<closes>[)\]]){_LISTED}{ENDS}",
        _in_interval,
    ),
    plain_form(
        "integers in an interval",
        "integers between|numbers between|integers from|numbers from",
        rf"{_KIND} (?P<word>between|from) {_OPEN}(?P<low>{_END}){_CLOSE} (?:and|to|through) {_OPEN}(?P<high>{_END})"
        rf"{_LISTED}{ENDS}",
        _between,
    ),
    plain_form("a repeating decimal", "decimal ", rf"{_EXPANSION}{_REPEATED}", _repeating),
    plain_form("a repeating decimal", "decimal ", rf"{_EXPANSION}{_BARRED}", _barred),
)
