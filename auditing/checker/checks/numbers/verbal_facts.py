"""Facts of numbers told in words: digits, zeros, divisors and orders that are counted, sums of runs, data and its mean.

Forms as those of verbal_forms.py; no labelled set has measured them yet, so what they refute is likely at most.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from auditing.checker.answers.notation import UP_TO_TWELVE
from auditing.checker.checks.numbers.elementary import median
from auditing.checker.checks.numbers.verbal_forms import INTEGER, LIST, NUMBER, RESULT, VerbalForm, value_in
from auditing.checker.findings import Grade
from hdag.core.text.cues import Cue

# digits of a power that are counted, and the largest number that is taken apart or run through
MOST_DIGITS, LARGEST, LARGEST_FACTORIAL = 2_000, 10**6, 10**4
_IS = r"(?:\s?=\s?|\s+(?:is|are|equals|is equal to|would be|will be|comes to|was)\s+(?:exactly\s+|simply\s+|just\s+)?)"
_POWER = r"(?:\\\(|\$)?\s?(?<![\w.,^])(\d{1,6}(?:\s?\^\s?\{?\d{1,4}\}?)?)(?![\d.,^]*\d)\s?(?:\\\)|\$)?"
_FRACTIONS = r"(\d{1,4}/\d{1,4}(?:(?:,\s?(?:and\s)?|\sand\s)\d{1,4}/\d{1,4}){1,5})"
_COUNT = rf"(\d{{1,3}}|{'|'.join(UP_TO_TWELVE[2:])})"
_PLACES = {"units": 0, "ones": 0, "tens": 1, "hundreds": 2, "thousands": 3}
_THINGS = (
    r"(?:objects|items|letters|people|books|elements|students|things|persons|symbols|distinct objects|different books)"
)
_MONTHS = {"january": 31, "march": 31, "april": 30, "may": 31, "june": 30, "july": 31, "august": 31, "september": 30,
           "october": 31, "november": 30, "december": 31}  # fmt: skip
_GONE_UP = r"(?:rose|increased|grew|climbed|went up|jumped|rises|increases|grows)"
_GONE_DOWN = r"(?:fell|decreased|dropped|shrank|went down|declined|falls|decreases|drops)"
_CHANGE = r"(?:increase|decrease|change|rise|drop|fall|gain|loss|growth|decline|reduction)"
_DATA = (
    r"\b(?:data(?:\s?set|\s?points)?|(?:test\s|her\s|his\s)?scores|numbers|values|observations|"
    r"sample|measurements|temperatures)"
    rf"(?:\s(?:are|is|were|include)|:)\s?{LIST}(?:[.;,]|\sand|\swith)?\s(?:so\s)?(?:its|their|the|with)?\s?(?:a\s)?"
)


def _form(
    rule: str, words: str, pattern: str, compute: Callable[..., Fraction | None], *, listed: bool = False
) -> VerbalForm:
    return VerbalForm(rule, tuple(words.split("|")), Cue(pattern, re.IGNORECASE), compute, listed, Grade.LIKELY)


def _whole(text: str) -> int:
    """A count in digits or in a word."""
    return UP_TO_TWELVE.index(text.lower()) if text.lower() in UP_TO_TWELVE else int(text.replace(",", ""))


def _value_of_power(text: str) -> int | None:
    """7^20 as the number that it is; None where it is too long to write out."""
    base, _, exponent = re.sub(r"[\s{}]", "", text).partition("^")
    power = int(exponent or 1)
    return int(base) ** power if power * len(base) <= MOST_DIGITS else None


def _digit_count(text: str) -> Fraction | None:
    value = _value_of_power(text)
    return None if value is None else Fraction(len(str(value)))


def _digits(text: str) -> list[int]:
    return [int(digit) for digit in text if digit.isdigit()]


def _place_of(number: str, name: str) -> Fraction | None:
    digits = _digits(number)[::-1]
    return Fraction(digits[_PLACES[name.lower()]]) if len(digits) > _PLACES[name.lower()] else None


def _trailing_zeros(text: str) -> Fraction | None:
    """The fives among the factors of n! (Legendre's formula)."""
    number, zeros = int(text), 0
    if number > LARGEST_FACTORIAL:
        return None
    while number:
        number //= 5
        zeros += number
    return Fraction(zeros)


def _divisor_sum(text: str) -> Fraction | None:
    number = int(value_in(text))
    if not 0 < number <= LARGEST:
        return None
    small = [divisor for divisor in range(1, math.isqrt(number) + 1) if number % divisor == 0]
    return Fraction(sum({divisor for first in small for divisor in (first, number // first)}))


def _power_sum(count: str, powers: str) -> Fraction | None:
    exponent = 3 if "cube" in powers.lower() else 2
    return Fraction(sum(k**exponent for k in range(1, _whole(count) + 1)))


def _run_sum(parity: str, low: str, high: str) -> Fraction | None:
    first, last, odd = int(value_in(low)), int(value_in(high)), parity.lower() == "odd"
    # between 2 and 20 the ends may be left out: they are taken where they are of the kind
    if not first < last <= LARGEST:
        return None
    return Fraction(sum(k for k in range(first, last + 1) if (k % 2 == 1) is odd))


def _denominator(*numbers: Fraction) -> Fraction | None:
    return Fraction(math.lcm(*(int(number) for number in numbers[1::2]))) if len(numbers) % 2 == 0 else None


def _mode(*values: Fraction) -> Fraction | None:
    counts = Counter(values).most_common(2)
    return counts[0][0] if len(counts) == 1 or counts[0][1] > counts[1][1] else None


def _changed(old: str, new: str) -> Fraction | None:
    """The change as a share of where it began, without its sign; a change of percentages may be one of points."""
    change = _signed_change(old, new)
    return None if change is None else abs(change)


def _signed_change(old: str, new: str) -> Fraction | None:
    return value_in(new) / value_in(old) - 1 if value_in(old) and "%" not in old + new else None


def _moved(sign: int) -> Callable[[str, str], Fraction | None]:
    """80 increased by 25%."""
    return lambda number, share: value_in(number) * (1 + sign * value_in(share)) if "%" in share else None


def _figures(number: str, count: str) -> Fraction | None:
    """A decimal rounded to so many significant figures, half up."""
    value, figures = value_in(number), _whole(count)
    if not value or not 0 < figures <= 12:
        return None
    size = math.floor(math.log10(abs(value)))
    step = Fraction(10) ** (size + 1 - figures)
    return math.floor(value / step + Fraction(1, 2)) * step


FACTS = (
    _form(
        "a number of digits",
        " digits",
        rf"\b(?:number\s)?{_POWER}\s+(?:has|contains|consists of|is made of)\s+(?:exactly\s)"
        rf"?{RESULT}(?=\s+digits\b)",
        _digit_count,
    ),
    _form(
        "a number of digits", "number of digits", rf"\bnumber of digits (?:in|of)\s+{_POWER}{_IS}{RESULT}", _digit_count
    ),
    _form("a digit sum", "digit sum", rf"\bdigit sum of\s+{INTEGER}{_IS}{RESULT}", lambda n: Fraction(sum(_digits(n)))),
    _form(
        "a product of digits",
        "product of",
        rf"\bproduct of (?:the |its )?digits (?:of|in)\s+{INTEGER}{_IS}{RESULT}",
        lambda n: Fraction(math.prod(_digits(n))),
    ),
    _form(
        "a digit at its place",
        " digit",
        rf"\b[iI]n\s+{INTEGER},?\s+the ({'|'.join(_PLACES)}) (?:place )?digit{_IS}{RESULT}",
        _place_of,
    ),
    _form(
        "zeros at the end",
        " zero",
        rf"(?<![\w.])(\d{{1,5}})\s?! (?:ends (?:in|with)|has) (?:exactly )?{RESULT}(?=\s+(?:trailing\s)"
        rf"?zeros\b)",
        _trailing_zeros,
    ),
    _form(
        "zeros at the end",
        "trailing zeros",
        rf"\b(?:number of )?trailing zeros (?:of|in) (\d{{1,5}})\s?!{_IS}{RESULT}",
        _trailing_zeros,
    ),
    _form(
        "a sum of divisors",
        "sum of",
        rf"\bsum of (?:all )?(?:the |its )?(?:positive )?(?:divisors|factors) of\s+{INTEGER}{_IS}{RESULT}",
        _divisor_sum,
    ),
    _form(
        "a sum of powers",
        "sum of the first",
        rf"\bsum of the first {_COUNT} (?:positive |perfect )?(squares|cubes|square numbers|cube "
        rf"numbers){_IS}{RESULT}",
        _power_sum,
    ),
    _form(
        "a sum of a run",
        "sum of",
        rf"\bsum of (?:all )?(?:the )?(even|odd) (?:numbers|integers) from\s+{INTEGER}\s+(?:to|through)"
        rf"\s+{INTEGER}{_IS}{RESULT}",
        _run_sum,
    ),
    _form(
        "a common denominator",
        "common denominator|lcd",
        rf"\b(?:lcd|(?:least|lowest) common denominator)(?: \(lcd\))? (?:of|for)"
        rf"\s+{_FRACTIONS}{_IS}{RESULT}",
        _denominator,
        listed=True,
    ),
    _form("a mode", "mode of", rf"\bmode of {LIST}{_IS}{RESULT}", _mode, listed=True),
    _form(
        "a sum of data",
        "sum is|sum =|sum equals|total is|total =|total equals",
        rf"{_DATA}(?:sum|total){_IS}{RESULT}",
        lambda *v: Fraction(sum(v)),
        listed=True,
    ),
    _form(
        "a mean of data",
        "mean is|mean =|average is|average =|mean equals|average equals",
        rf"{_DATA}(?:mean|average){_IS}{RESULT}",
        lambda *v: Fraction(sum(v)) / len(v),
        listed=True,
    ),
    _form("a median of data", "median", rf"{_DATA}median{_IS}{RESULT}", lambda *v: median(list(v)), listed=True),
    _form("a mode of data", "mode", rf"{_DATA}mode{_IS}{RESULT}", _mode, listed=True),
    _form("a range of data", "range", rf"{_DATA}range{_IS}{RESULT}", lambda *v: max(v) - min(v), listed=True),
    _form(
        "orders of things",
        "permut|arrange|order",
        rf"\b{_COUNT} (?:distinct |different )?{_THINGS} can be (?:arranged|ordered|permuted|lined up)"
        rf"(?: in a (?:row|line))? in {RESULT}(?=\s+(?:different |distinct )?ways\b)",
        lambda n: Fraction(math.factorial(_whole(n))) if _whole(n) < 30 else None,
    ),
    _form(
        "a change in percent",
        "going|moving|from ",
        rf"\b(?:going|moving|an? {_CHANGE}) from\s+{NUMBER}\s+to\s+{NUMBER}\s*,?\s+(?:is|represents|"
        rf"means|gives)\s+(?:an?\s+)?{RESULT}(?!\s*of)",
        lambda a, b: _changed(a, b),
    ),
    _form(
        "a change in percent",
        "percent change|percentage change|% change",
        rf"\b(?:percent|percentage|%) change from\s+{NUMBER}\s+to\s+{NUMBER}{_IS}{RESULT}",
        _signed_change,
    ),
    _form(
        "a change in percent",
        "from",
        rf"\b(?:{_GONE_UP}|{_GONE_DOWN}) from\s+{NUMBER}\s+to\s+{NUMBER},\s+(?:which is\s|that is\s|"
        rf"or\s|i\.e\.\s)?(?:an?\s)?{_CHANGE} of\s+{RESULT}",
        _changed,
    ),
    _form(
        "a change in percent",
        " by ",
        rf"\b(?:increasing|raising)\s+{NUMBER}\s+by\s+{NUMBER}\s+(?:gives|yields|makes|results in|is)"
        rf"\s+{RESULT}",
        _moved(1),
    ),
    _form(
        "a change in percent",
        " by ",
        rf"\b(?:decreasing|reducing|lowering)\s+{NUMBER}\s+by\s+{NUMBER}\s+(?:gives|yields|makes|"
        rf"results in|is|leaves)\s+{RESULT}",
        _moved(-1),
    ),
    _form(
        "significant figures",
        "significant",
        rf"{NUMBER}\s+(?:is\s)?(?:rounded\s|correct\s)?to {_COUNT} (?:significant (?:figures|digits)|"
        rf"sig\.? figs?|s\.f\.)(?:\s?=\s?|,?\s+(?:is|gives|equals|becomes)\s+){RESULT}",
        _figures,
    ),
    _form(
        "the opposite",
        "opposite of|additive inverse",
        rf"\b(?:opposite|additive inverse) of\s+(-?\d{{1,9}}(?:\.\d{{1,6}})?){_IS}{RESULT}",
        lambda a: -value_in(a),
    ),
    _form(
        "days of a month",
        " days",
        rf"\b({'|'.join(_MONTHS)}) (?:always )?has {RESULT}(?=\s+days\b)",
        lambda month: Fraction(_MONTHS[month.lower()]),
    ),
    _form(
        "days of a year",
        " days",
        rf"\ba (leap year|common year|non-leap year) has {RESULT}(?=\s+days\b)",
        lambda year: Fraction(366 if year.lower() == "leap year" else 365),
    ),
)
