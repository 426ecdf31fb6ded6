"""Turns of speech: arithmetic told by the way: "half of 24, or 13", "12 exceeds 8 by 5", "44 rounds to 50".

Forms as those of verbal_forms.py; no labelled set has measured them yet, so what they refute is likely at most.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

from auditing.checker.checks.numbers.elementary import STEPS, nearest
from auditing.checker.checks.numbers.verbal_forms import (
    NUMBER,
    RESULT,
    SHARES_AND_MULTIPLES,
    VerbalForm,
    value_in,
)
from auditing.checker.findings import Grade
from hdag.core.text.cues import Cue

LARGEST_FACTORIAL = 20
_DIGITS = r"(?:\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,12})(?:\.\d{1,9})?"
_OPEN, _CLOSE = r"(?:\\\(|\$)?\s?", r"\s?(?:\\\)|\$(?!\d))?"
# a number of its own, to which no sign belongs
_ALONE = rf"{_OPEN}(?<![\w.,/^*+×÷=:!-])(?<![*+×÷^=/:-]\s)({_DIGITS}){_CLOSE}"
_CLAIMED = rf"{_OPEN}({_DIGITS})(?![\d.,]*\d|\s?%|\s?[-+*/×÷^:!])"
_STEPS = "|".join(sorted((step for step in STEPS if "place" not in step), key=len, reverse=True))
_SHARES, _TIMES = (table for _, table in SHARES_AND_MULTIPLES.values())
_SHARE = "|".join(sorted((*_SHARES, *_TIMES), key=len, reverse=True))
# behind an apposition its clause ends, or a noun follows behind a comma; an alternative says what decides
_APPOSED_ENDS = (
    r"(?=\s?(?:\\\)|\$)?(?:\s(?!if|when|more|less|of|or|and|to|for|times|factorial|percent|even|maybe|perhaps|at)"
    r"[a-z]{2,14}){0,2}(?:[.;)\n](?!\d)|$|,\s(?!whichever|depending|or\b|if\b|when\b|unless|\d)[a-z]))"
    r"(?![^.\n]{0,60}\b(?:whichever|depending|respectively|otherwise)\b)"
)
# "she has 6 + 6, or 12, apples": nothing longer began before
_HAS = r"(?:\b(?:has|have|had|with|by|to|and|gets|makes)\s)?"
_PAIR_OF = r"(?:numbers|integers|values|roots|solutions|factors|digits|primes)(?:\s(?:are|were)|:)?\s"
_PAIR_TELLS = r"(?:their|its|the)\s(?:sum|product|difference)\s(?:is|=|equals)\s-?\d{1,9}(?:\.\d{1,6})?,?\s(?:and\s)?"
_SAYS = r"\s?(?:is|=|equals)\s?"


def _form(rule: str, words: str, pattern: str, compute: Callable[..., Fraction | None]) -> VerbalForm:
    return VerbalForm(rule, tuple(words.split("|")), Cue(pattern, re.IGNORECASE), compute, grade=Grade.LIKELY)


def _bounded(name: str, number: str) -> Fraction:
    value = value_in(number)
    return Fraction(math.floor(value) if name.lower() == "floor" else math.ceil(value))


def _stepped(number: str, direction: str, step: str) -> Fraction:
    """44 rounds (up, down) to 50 to the nearest ten."""
    value, size = value_in(number), STEPS[step.lower()]
    if direction:
        return (math.ceil if direction.strip().lower() == "up" else math.floor)(value / size) * size
    return nearest(value, size)


def _rounded(number: str, direction: str, claimed: str) -> Fraction:
    """What 7.46 rounds to where 7.4 is claimed: its last digit says how far, and zeros at its end may not count."""
    value, result = value_in(number), value_in(claimed)
    decimals, digits = len(claimed.partition(".")[2]), claimed.replace(",", "")
    zeros = 0 if decimals else len(digits) - len(digits.rstrip("0"))
    unit = Fraction(10) ** (zeros - decimals)
    gap = result - value
    if direction:
        is_near = 0 <= (gap if direction.strip().lower() == "up" else -gap) < unit
        return result if is_near else _stepped_by(value, direction, Fraction(1, 10**decimals))
    return result if abs(gap) * 2 <= unit else nearest(value, Fraction(1, 10**decimals))


def _stepped_by(value: Fraction, direction: str, unit: Fraction) -> Fraction:
    return (math.ceil if direction.strip().lower() == "up" else math.floor)(value / unit) * unit


def _reduced(a: str, b: str, claimed: str) -> Fraction | None:
    """150:1000 or 1:7: the second is the first in lowest terms, and no other ratio to choose from."""
    first, second = (tuple(map(int, pair)) for pair in ((a, b), claimed.split(":")))
    is_shorter = math.gcd(*first) > 1 and math.gcd(*second) == 1 and second[0] < first[0] and second[1] < first[1]
    return Fraction(*first) if is_shorter and min(*first, *second) else None


def _undone(deed: str, number: str, result: str) -> Fraction | None:
    """The number that when multiplied by 3 gives 33."""
    a, b = value_in(number), value_in(result)
    if "%" in number + result:
        return None
    match deed.lower():
        case "multiplied":
            return b / a if a else None
        case "divided":
            return a * b
        case "decreased":
            return b + a
    return b - a


def _part(name: str, number: str) -> Fraction:
    share = name.lower().removesuffix(" of")
    return value_in(number) / _SHARES[share] if share in _SHARES else value_in(number) * _TIMES[share]


def _computed(text: str, claimed: str) -> Fraction | None:
    """6 + 6 * 2, products first; None for pages 10 - 12, and where the last number has another one: 80 + 5, or 6."""
    total, last, result = Fraction(0), value_in(re.split(r"[-+*×]", text)[-1]), value_in(claimed)
    for sign, product in re.findall(r"(^|[+-])([^+-]+)", re.sub(r"[\s,]", "", text)):
        factors = math.prod(Fraction(factor) for factor in re.split(r"[*×]", product))
        total += -factors if sign == "-" else factors
    is_other = total != result and abs(result - last) < abs(result - total)
    return total if total >= 0 and not is_other else None


def _paired(a: str, b: str, name: str) -> Fraction:
    first, second = value_in(a), value_in(b)
    return {"sum": first + second, "product": first * second, "difference": abs(first - second)}[name.lower()]


def _told_of(rule_words: str, pair: str, whose: str) -> tuple[VerbalForm, VerbalForm]:
    """What is said first of two numbers, and what is said of them next."""
    claim = rf"{whose}\s(sum|product|difference){_SAYS}{RESULT}"
    return (
        _form("told of a pair", rule_words, rf"{pair}{claim}", _paired),
        _form("told of a pair", rule_words, rf"{pair}{_PAIR_TELLS}{claim}", _paired),
    )


TURNS = (
    _form(
        "a floor or a ceiling",
        "ceiling of|floor of",
        rf"\b(ceiling|floor) of\s+{NUMBER}(?:,?\s+which)?\s+(?:is|equals)\s+(?:just\s+|simply\s+)?{RESULT}"
        # a price floor of 3.50 is 2 dollars above the market
        r"(?=\s?(?:\\\)|\$)?(?:[.,;)\n]|$|\s(?:and|so|because|since|which|while|but)\b))",
        lambda name, number: None if "%" in number else _bounded(name, number),
    ),
    _form(
        "rounded off",
        " rounds ",
        rf"{_ALONE}\s+rounds\s+(up\s+|down\s+|)to\s+(?={_OPEN}{_DIGITS}{_CLOSE},?\s+(?:when rounded\s+)?"
        rf"to the nearest ({_STEPS})\b){_CLAIMED}",
        _stepped,
    ),
    _form(
        "rounded off",
        " becomes ",
        rf"{_ALONE}\s+becomes\s+()(?={_OPEN}{_DIGITS}{_CLOSE},?\s+(?:when|after|once)\s+(?:it is\s+)?round(?:ed|ing)\s+"
        rf"(?:it\s+)?to the nearest ({_STEPS})\b){_CLAIMED}",
        _stepped,
    ),
    _form(
        "rounded off",
        " rounds ",
        # "he plays 3 rounds to 21": a number with decimals alone rounds
        rf"(?=[$\\(]{{0,3}}\s?[\d,]{{1,15}}\.\d){_ALONE}\s+rounds\s+(up\s+|down\s+|)to\s+(?={_OPEN}({_DIGITS}))"
        rf"(?!{_OPEN}{_DIGITS}{_CLOSE},?\s+(?:when rounded\s+)?to\b){_CLAIMED}",
        _rounded,
    ),
    _form(
        "a ratio in lowest terms",
        "ratio",
        r"\bratio (?:of|is|=|becomes|[a-z ]{1,40}(?:is|of))\s(?:\\\(|\$)?(\d{1,7})\s?:\s?(\d{1,7})(?:\\\)|\$)?,?\s"
        r"(?:or|which is|which reduces to|which simplifies to)\s(?:simply\s|just\s)?(?:\\\(|\$)?"
        r"(?=(\d{1,7}\s?:\s?\d{1,7}))(\d{1,7}\s?:\s?\d{1,7})(?![\d:])",
        _reduced,
    ),
    _form(
        "undone",
        "number that|number which",
        r"\bnumber (?:that|which),?\s(?:when\s|is\s)?(multiplied|divided|increased|decreased|added)\s(?:by|to)\s"
        rf"{NUMBER},?\s+(?:gives|equals|makes|yields|is|results in|produces)\s+{NUMBER},?\s+is\s+{RESULT}",
        _undone,
    ),
    _form(
        "exceeds",
        " exceeds ",
        rf"{NUMBER}\s+exceeds\s+{NUMBER}\s+by\s+(?:exactly\s+|only\s+)?{RESULT}",
        lambda a, b: value_in(a) - value_in(b) if ("%" in a) == ("%" in b) else None,
    ),
    _form(
        "a share, said again",
        ", or ",
        rf"{_HAS}\b(?<!either\s)({_SHARE})\s(?:of\s)?{_OPEN}({_DIGITS}){_CLOSE},\sor\s(?:just\s|only\s)?{_CLAIMED}{_APPOSED_ENDS}",
        _part,
    ),
    _form(
        "a factorial, said again",
        "!, or |! or |! , or ",
        rf"{_HAS}(?<![\w.,)^*/+-])(?<![*/+-]\s)(\d{{1,2}})\s?!{_CLOSE},?\sor\s{_CLAIMED}{_APPOSED_ENDS}",
        lambda n: Fraction(math.factorial(int(n))) if int(n) <= LARGEST_FACTORIAL else None,
    ),
    _form(
        "a computation, said again",
        ", or ",
        rf"{_HAS}(?<![\w.,)^*/+=(:!-])(?<![*/+=:<>-]\s)(?<!pages\s)(?<!lines\s)(?<!chapters\s)(?<!years\s)"
        rf"{_OPEN}({_DIGITS}(?:\s?[+*×]\s?{_DIGITS}|\s-\s{_DIGITS}){{1,6}}){_CLOSE}"
        rf",\sor\s(?:just\s|only\s|a total of\s)?(?={_OPEN}({_DIGITS})){_CLAIMED}{_APPOSED_ENDS}",
        _computed,
    ),
    _form(
        "told of a pair",
        "their ",
        rf"\b(?:sum|product|difference) (?:of|between)\s{_ALONE}\sand\s{_ALONE}{_SAYS}-?\d{{1,9}}(?:\.\d{{1,6}})?,?\s"
        rf"(?:and\s|but\s|while\s)?their\s(sum|product|difference){_SAYS}{RESULT}",
        _paired,
    ),
    *_told_of("their ", rf"\b{_PAIR_OF}{_ALONE}\sand\s{_ALONE}[:;,]?\s(?:and\s|so\s|where\s)?", "their"),
    *_told_of(
        "pair (|pair $(|pair \\((",
        rf"\bfor (?:the|this) pair\s{_OPEN}\(\s?(-?\d{{1,6}}),\s?(-?\d{{1,6}})\s?\){_CLOSE}[,:]\s",
        "(?:their|its|the)",
    ),
    _form(
        "a remainder of decimals",
        "remainder",
        rf"\bremainder (?:when|of|if)\s{NUMBER}\s(?:is\s)?divided by\s(?=\d{{1,9}}\.\d){_ALONE},?\s(?:is|equals)\s"
        r"(?:\\\(|\$)?(\d{0,9}\.\d{1,9}|\d{1,9})(?![\d.,]*\d|\s?[-+*/×÷^%])",
        lambda a, b: value_in(a) % value_in(b) if value_in(b) else None,
    ),
)
