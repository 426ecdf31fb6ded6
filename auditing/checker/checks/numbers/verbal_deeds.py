"""Deeds: arithmetic told as what somebody does: "divide 44 by 4 to get 11", "squaring 3 gives 9".

Forms as those of verbal_forms.py, but no labelled set has measured them yet: what they refute is likely at most.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from auditing.checker.checks.numbers.elementary import (
    STEPS,
    divisor_count,
    nearest,
    power_modulo,
    remainder,
    whole_root,
)
from auditing.checker.checks.numbers.verbal_forms import (
    FRACTION,
    INTEGER,
    NUMBER,
    POWER,
    RESULT,
    VerbalForm,
    value_in,
)
from auditing.checker.findings import Grade
from hdag.core.text.cues import Cue

# what may stand between a verb and its number, and behind a number: words that change no value
_UNCHANGED = (
    r"(?!half|third|quarter|fourth|fifth|tenth|twice|double|triple|sum|difference|product|quotient|average|mean|square|"
    r"squared|cube|cubed|root|percent|percentage|dozen|hundred|thousand|million|billion|times|more|less|fewer|plus"
    r"|minus|"
    r"by|to|from|and|or|per|each|every|both|itself|remaining|remainder|rest|result|ratio|reciprocal|inverse|another)"
)
_BEFORE = rf"\s+(?:{_UNCHANGED}[a-z]{{1,15}}\s+){{0,4}}?"
_UNIT = rf"(?:\s+{_UNCHANGED}[a-z]{{1,15}}){{0,2}}?"
_GET = (
    r"(?:,|\s+and)?\s+(?:(?:then|so|which|this|that|it|we|you|he|she|they|I)\s+){0,2}(?:to\s+)?"
    r"(?:get|gets|gives?|giving|obtain|obtains|yields?|equals|is|makes|results? in|resulting in|find|arrive at)\s+"
    r"(?:us\s+|me\s+)?(?:(?:a|the)\s+(?:total|result|sum|product|answer|value)\s+(?:of\s+)?)?"
)
# "to get 5 with a remainder of 2"
_WHOLE = r"(?!\s?\\?\)?\$?\s?,?\s?(?:with|and)\s+(?:a\s+)?(?:remainder|\d+\s+left)|\s?[rR]\s?\d)"
# a number that is passed over
_OPEN_NUMBER = r"(?:\\\(|\$)?\s?\d{1,12}\s?(?:\\\)|\$)?"


def _form(rule: str, words: str, pattern: str, compute: Callable[..., Fraction | None]) -> VerbalForm:
    return VerbalForm(rule, tuple(words.split("|")), Cue(pattern, re.IGNORECASE), compute, grade=Grade.LIKELY)


def _same_kind(a: str, b: str) -> bool:
    """20% added to 50 is a share of the 50, and no sum of the two."""
    return ("%" in a) == ("%" in b)


def _added(a: str, b: str) -> Fraction | None:
    return value_in(a) + value_in(b) if _same_kind(a, b) else None


def _subtracted(a: str, b: str) -> Fraction | None:
    return value_in(b) - value_in(a) if _same_kind(a, b) else None


def _divided(a: str, b: str) -> Fraction | None:
    return value_in(a) / value_in(b) if value_in(b) else None


DEEDS = (
    _form(
        "divided",
        "divid",
        rf"\bdivid(?:e|es|ed|ing){_BEFORE}{NUMBER}{_UNIT}\s+by{_BEFORE}{NUMBER}{_UNIT}{_GET}{RESULT}{_WHOLE}",
        _divided,
    ),
    _form(
        "multiplied",
        "multipl",
        rf"\bmultipl(?:y|ies|ied|ying){_BEFORE}{NUMBER}{_UNIT}\s+(?:by|and|with){_BEFORE}{NUMBER}{_UNIT}{_GET}{RESULT}",
        lambda a, b: value_in(a) * value_in(b),
    ),
    _form(
        "added",
        "add",
        rf"\badd(?:s|ed|ing)?{_BEFORE}{NUMBER}{_UNIT}\s+(?:and|to){_BEFORE}{NUMBER}{_UNIT}{_GET}{RESULT}",
        _added,
    ),
    _form(
        "subtracted",
        "subtract",
        rf"\bsubtract(?:s|ed|ing)?{_BEFORE}{NUMBER}{_UNIT}\s+from{_BEFORE}{NUMBER}{_UNIT}{_GET}{RESULT}",
        _subtracted,
    ),
    _form("squared", "squar", rf"\bsquar(?:e|es|ed|ing)\s+{NUMBER}{_GET}{RESULT}", lambda a: value_in(a) ** 2),
    _form(
        "a cube root",
        "cube root",
        rf"\bcube root of\s+{INTEGER}(?:\s?=\s?|,?\s+(?:is|equals|is equal to)\s+|{_GET}){RESULT}",
        lambda a: whole_root(int(value_in(a)), 3),
    ),
    _form(
        "rounded",
        "decimal place",
        rf"{NUMBER}{_UNIT}\s+(?:is\s+)?(?:rounded|correct)?\s*to (one decimal place|two decimal places"
        rf"|1 decimal place|2 decimal places)"
        rf"(?:\s?=\s?|,?\s+(?:is|gives|equals|becomes)\s+){RESULT}",
        lambda a, step: nearest(value_in(a), STEPS[step.lower()]),
    ),
    _form(
        "a digit sum",
        "digits ",
        rf"\bdigits (?:of|in)\s+{INTEGER}\s+(?:add up|sum|add|total)s?\s+(?:up\s+)?to\s+{RESULT}",
        lambda number: Fraction(sum(int(digit) for digit in number if digit.isdigit())),
    ),
    _form(
        "a number of divisors",
        "factors|divisors",
        rf"{INTEGER}\s+has\s+(?:exactly\s+|a total of\s+)?{RESULT}(?=\s+(?:positive\s+|distinct\s+)?(?:factors"
        rf"|divisors)\b)",
        lambda number: Fraction(divisor_count(int(value_in(number)))) if 0 < value_in(number) < 10**6 else None,
    ),
    _form(
        "last digits",
        "last two digits|last three digits",
        rf"\blast (two|three) digits of\s+{POWER},?\s+(?:is|are)\s+{RESULT}",
        lambda count, power: power_modulo(power, {"two": 100, "three": 1000}[count.lower()]),
    ),
    _form(
        "a remainder",
        "remainder",
        rf"\bremainder of\s+{INTEGER}\s+(?:when\s+)?(?:is\s+)?divided by\s+{INTEGER}\s+(?:is|equals)\s+{RESULT}",
        lambda a, b: remainder(value_in(a), value_in(b)),
    ),
    _form(
        "a reciprocal",
        "reciprocal of",
        rf"\breciprocal of\s+{NUMBER},?\s+(?:is|equals)\s+{RESULT}",
        lambda a: 1 / value_in(a) if value_in(a) else None,
    ),
    _form(
        "a reciprocal",
        "reciprocal of",
        rf"\breciprocal of\s+{NUMBER},?\s+(?:is|equals)\s+{FRACTION}",
        lambda a: 1 / value_in(a) if value_in(a) else None,
    ),
    _form(
        "a remainder",
        "remainder",
        rf"\bdivid(?:e|es|ed|ing){_BEFORE}{INTEGER}\s+by\s+{INTEGER}(?:,|\s+and)?\s+(?:(?:we|I|you)\s+)?"
        rf"(?:get|obtain|have|gives?|leaves?|(?:and )?the)(?:\s+a\s+quotient\s+of\s+{_OPEN_NUMBER}\s+(?:and|with))?"
        rf"(?:\s+(?:a|the))?\s+remainder\s+(?:of|is)\s+{RESULT}",
        lambda a, b: remainder(value_in(a), value_in(b)),
    ),
)
