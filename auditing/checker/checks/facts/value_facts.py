"""Facts of values in words: rounding, nearest integers, rates, other bases, points."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from auditing.checker.checks.facts.fact_pieces import Answer
from auditing.checker.checks.facts.plain_forms import PlainForm, plain_form
from auditing.checker.checks.numbers.remarks import read_whole
from auditing.checker.checks.quantities.amounts import known
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.tree import number_text

_N = r"[-−]?(?:\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,9})(?:\.\d{1,9})?"
_W = r"(?:\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,9})"
_F = rf"(?:[-−]?\\[dt]?frac\{{\d{{1,9}}\}}\{{[1-9]\d{{0,8}}\}}|{_N}(?:/[1-9]\d{{0,8}})?)"
_OPEN, _CLOSE = r"(?:\\\(|\$)?\s?", r"\s?(?:\\\)|\$)?"
_STOP = r"(?![\d.,]*\d|\s?[-+*/×÷·^=%!<>≤≥]|\s?\\(?![)\]])|[A-Za-z]|\s(?:or|more|less|times|of|plus|minus|to|and a)\b)"
_FREE = r"(?<![\w.,/^*×÷+-])"
_P = r"\(\s?{0}(?:\s?,\s?{0}){{1,3}}\s?\)"
_POINT = rf"(?:\\left)?{_P.replace('{0}', _F).replace('{{', '{').replace('}}', '}')}"
_STEPS: dict[str, Fraction | int] = {
    "whole number": 1, "integer": 1, "whole": 1, "unit": 1, "dollar": 1, "ten": 10, "hundred": 100, "thousand": 1000,
    "tenth": Fraction(1, 10), "hundredth": Fraction(1, 100), "thousandth": Fraction(1, 1000), "cent": Fraction(1, 100),
}  # fmt: skip


def _n(name: str, what: str = _N) -> str:
    return rf"{_OPEN}(?P<{name}>{what}){_CLOSE}"


def number_of(text: str) -> Fraction:
    r"""A number or a fraction as it is written: 1,200, −3.5, 3/4, \frac{3}{4}; no 3/0 is matched."""
    digits = re.sub(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}", r"\1/\2", text).replace("−", "-").replace(",", "")
    above, _, below = digits.partition("/")
    return Fraction(above) / int(below or 1)


def _near(value: Fraction, written: str) -> bool:
    """Whether a number as it is written may stand for a value: equal, rounded or cut off at its last digit."""
    decimals = len(written.partition(".")[2])
    tolerance = Fraction(1, 10**decimals) if decimals > 1 else Fraction(0)
    return value == number_of(written) or abs(value - number_of(written)) < tolerance


def _rounded(match: re.Match[str]) -> Answer:
    value, claimed = number_of(match["a"]), number_of(match["r"])
    name = match["step"].lower()
    unit = (match["unit"] or "").strip().lower().rstrip("s")
    step = _STEPS.get(name) or (1 if unit and name.rstrip("s") == unit else None)
    if step is None:
        return None
    way = (match["way"] or "").strip().lower()
    quotient = value / step
    low, high = math.floor(quotient) * step, math.ceil(quotient) * step
    if way:
        return claimed == (
            high if way == "up" else low
        ), f"it is {number_text(Fraction(high if way == 'up' else low))}."
    truths = {bound for bound in (low, high) if abs(value - bound) * 2 <= step}
    return claimed in truths, f"it is {number_text(Fraction(min(truths)))}."


def _bounding(match: re.Match[str]) -> Answer:
    """The greatest integer less than or equal to 3.2 is 3."""
    value, is_strict = number_of(match["a"]), "equal" not in match["order"].lower() and "exceed" not in match["order"]
    is_below = any(word in match["order"].lower() for word in ("less", "smaller", "below", "exceed"))
    if is_below is not (match["end"].lower() in ("greatest", "largest", "biggest")):
        return None
    truth = math.floor(value) if is_below else math.ceil(value)
    if is_strict and truth == value:
        truth += -1 if is_below else 1
    return number_of(match["r"]) == truth, f"it is {truth}."


def _nearest(match: re.Match[str]) -> Answer:
    degree = {"square": 2, "cube": 3}.get((match["root"] or "").lower(), 2 if match["sign"] else 1)
    value, claimed = number_of(match["a"]), number_of(match["r"])
    if claimed.denominator > 1 or claimed < 1 or value < 1:
        return None
    # (r - 1/2)^n <= value <= (r + 1/2)^n, so no root is computed
    half = Fraction(1, 2)
    return (claimed - half) ** degree <= value <= (claimed + half) ** degree, "another integer is nearer."


def _root(match: re.Match[str]) -> Answer:
    """The square root of 401 is approximately 20; of 200 it is 14.14 to two decimal places."""
    value, claimed = number_of(match["a"]), number_of(written := match["r"] or match["q"])
    degree = {"square": 2, "cube": 3}[match["root"].lower()]
    unit = Fraction(1, 10 ** len(written.partition(".")[2]))
    # rounded or cut off at its last digit
    low, high = claimed - unit, claimed + unit
    return max(low, Fraction(0)) ** degree <= value <= high**degree, "its power is another number."


def _rate(match: re.Match[str]) -> Answer:
    """In 14 hours, so her rate is 1/14."""
    value = number_of(match["n"])
    return None if not value else (number_of(match["r"]) == 1 / value, f"it is 1/{number_text(value)}.")


def _per(match: re.Match[str]) -> Answer:
    """It moves 360 degrees in 60 minutes, so it moves 6 degrees per minute."""
    above, below = number_of(match["a"]), number_of(match["b"])
    if (
        not below
        or match["ua"].rstrip("s") != match["ur"].rstrip("s")
        or match["ub"].rstrip("s") != match["uc"].rstrip("s")
    ):
        return None
    return _near(above / below, match["r"]), f"it is {number_text(above / below)}."


def _in_base(match: re.Match[str]) -> Answer:
    """In base 3, 87 can be written as 10020; 111 in base 2 is equal to 1 + 2 + 4."""
    base, digits = int(match["base"]), match["below"]
    tree = read_whole(match["r"])
    claimed = value_of(tree) if tree is not None else None
    if not 2 <= base < 10 or claimed is None or any(int(digit) >= base for digit in digits):
        return None
    truth = int(digits, base)
    return claimed == truth, f"{digits} is {truth} in base ten."


def _points(text: str) -> list[list[Fraction]]:
    return [[number_of(cell) for cell in re.findall(_F, point)] for point in re.findall(_POINT, text)]


def _midpoint(match: re.Match[str]) -> Answer:
    first, second, claimed = _points(match.group())
    if not len(first) == len(second) == len(claimed):
        return None
    truth = [(a + b) / 2 for a, b in zip(first, second, strict=True)]
    return claimed == truth, f"it is ({', '.join(map(number_text, truth))})."


def _dot(match: re.Match[str]) -> Answer:
    first, second = _points(f"{match['a']} {match['b']}")
    tree = read_whole(match["r"])
    claimed = value_of(tree) if tree is not None else None
    if len(first) != len(second) or claimed is None:
        return None
    truth = sum((a * b for a, b in zip(first, second, strict=True)), Fraction(0))
    return claimed == truth, f"it is {number_text(truth)}."


def _converted(match: re.Match[str]) -> Answer:
    """In one foot, there are 12 inches."""
    whole, small = known(match["whole"]), known(match["small"])
    if whole is None or small is None or whole[0] != small[0]:
        return None
    many = match["many"] or "one"
    truth = (number_of(many) if many[0].isdigit() else 1) * whole[1] / small[1]
    return _near(truth, match["r"]) or abs(
        truth - number_of(match["r"])
    ) * 40 < truth, f"there are {number_text(truth)}."


def _residue(match: re.Match[str]) -> Answer:
    r"""\text{mod}_5(1 + 1) = \text{mod}_5(2) = 2."""
    tree = read_whole(match["inner"])
    value, modulus = value_of(tree) if tree is not None else None, int(match["m"])
    if value is None or value.denominator > 1 or modulus < 2 or (match["again"] and match["again"] != match["m"]):
        return None
    between = int(match["second"]) if match["second"] else int(value)
    return int(match["r"]) == int(value) % modulus == between % modulus, f"it is {int(value) % modulus}."


_ROUND = r"\bround(?:ing|ed)?(?P<way>\sup|\sdown)?\s(?:(?:the|this|a)\s(?:[a-z]+\s){0,2}(?:of\s)?)?"
_GET = r"(?:,?\s(?:we get|I get|gives(?: us)?|results in|is|yields|which is|it becomes|to get)|\s?=)\s"
_UNIT_WORD = r"(?:degrees|miles|kilometers|meters|feet|inches|gallons|liters|pages|dollars|words|units|km|cups|laps)"
_TIME_WORD = r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)"
VALUES: tuple[PlainForm, ...] = (
    plain_form(
        "a rounding",
        "to the nearest ",
        rf"{_ROUND}{_n('a')}(?P<unit>\s[a-z]{{1,12}})? to the nearest (?P<step>[a-z]{{3,10}}(?: number)?){_GET}"
        rf"(?:about )?{_n('r')}{_STOP}",
        _rounded,
    ),
    plain_form(
        "an integer beside a number",
        "integer|whole number",
        r"\b(?P<end>greatest|largest|biggest|smallest|least) (?:integer|whole number) (?:that is |which is )?"
        r"(?P<order>(?:less|"
        r"greater|smaller|larger) than(?: or equal to)?|not exceeding|below|above) "
        rf"{_n('a', _F)},?(?: which)? is {_n('r')}{_STOP}",
        _bounding,
    ),
    plain_form(
        "the nearest integer",
        "integer closest|integer nearest|nearest integer|closest integer",
        r"\b(?:integer (?:closest|nearest)|(?:closest|nearest) integer) to (?:the (?P<root>square|cube) root of )?"
        rf"{_OPEN}(?P<sign>\\sqrt\{{|√)?(?P<a>{_N})\}}?{_CLOSE} is {_n('r')}{_STOP}",
        _nearest,
    ),
    plain_form(
        "a root",
        " root of ",
        rf"\b(?P<root>square|cube) root of {_n('a')} is (?:(?:approximately|about|roughly|close to) {_n('r')}{_STOP}|"
        rf"{_OPEN}(?P<q>{_N}){_CLOSE} (?:rounded )?to (?:\d|one|two|three|four) decimal places?\b)",
        _root,
    ),
    plain_form(
        "a rounding",
        " rounded to the nearest ",
        rf"{_FREE}{_n('a')}(?P<unit>\s[a-z]{{1,12}})? rounded(?P<way>\sup|\sdown)? to the nearest "
        rf"(?P<step>[a-z]{{3,10}}(?: number)?) is {_n('r')}(?![\d.,]*\d)",
        _rounded,
    ),
    plain_form(
        "a rate",
        "rate is",
        rf"\bin {_n('n')} (?:hours|days|minutes|weeks),? (?:so |then |thus )?(?:his|her|their|its) (?:work"
        r" |working )?rate is "
        rf"(?:\\\(|\$)?(?P<r>\\[dt]?frac\{{1\}}\{{\d{{1,6}}\}}|1/\d{{1,6}})",
        _rate,
    ),
    plain_form(
        "so much in one",
        " per ",
        rf"{_FREE}{_n('a')} (?P<ua>{_UNIT_WORD}) in {_n('b')} (?P<ub>{_TIME_WORD}),? (?:so|which means|meaning|thus) "
        rf"(?:that )?(?:it|he|she|they) [a-z]{{2,9}}(?: at)? (?:about |approximately )?{_n('r')} (?P<ur>{_UNIT_WORD}) "
        rf"(?:per|a|each|every) (?P<uc>{_TIME_WORD})\b",
        _per,
    ),
    plain_form(
        "a number in another base",
        "in base ",
        rf"\bin base {_n('base', '[2-9]')},? {_n('r', '[0-9]{1,9}')} (?:can be|is|would be) "
        r"(?:written|represented|expressed)? ?(?:as )?"
        rf"{_n('below', '[0-9]{1,30}')}{_STOP}",
        _in_base,
    ),
    plain_form(
        "a number in another base",
        "in base ",
        rf"{_FREE}{_n('below', '[0-9]{1,30}')} in base {_n('base', '[2-9]')} (?:is equal to|equals|is) "
        rf"(?:\\\(|\$)?(?P<r>\d{{1,9}}(?:\s?\+\s?\d{{1,9}}){{1,30}})(?:\\\)|\$)?(?: in base (?:10|ten))?{_STOP}",
        _in_base,
    ),
    plain_form(
        "a midpoint",
        "midpoint",
        rf"\bmidpoint (?:of|between) (?:the points )?{_OPEN}{_POINT}{_CLOSE} and {_OPEN}{_POINT}{_CLOSE} is "
        rf"{_OPEN}{_POINT}",
        _midpoint,
    ),
    plain_form(
        "a dot product",
        "dot product of",
        rf"\bdot product of {_n('a', _POINT)} and {_n('b', _POINT)} is (?:\\\(|\$)?(?P<r>[^a-zA-Z$=.;]{{0,60}}"
        rf"(?:\\frac\{{\d+\}}\{{\d+\}}"
        rf"[^a-zA-Z$=.;]{{0,40}}){{0,4}})(?=\$|\\\)|\.(?!\d)|$|\n)",
        _dot,
    ),
    plain_form(
        "units of one kind",
        "there are",
        rf"\b(?:in|of) (?:a |an )?(?:(?P<many>{_W}|one|each)[ -])?(?P<whole>[a-z]{{2,9}})(?: period)?,? there are"
        rf" {_n('r')} (?P<small>[a-z]{{2,11}})"
        r"(?=[.,;)]|$|\n)",
        _converted,
    ),
    plain_form(
        "a residue",
        "mod}_",
        r"\\text\{mod\}_\{?(?P<m>\d{1,4})\}?\s?\((?P<inner>[\d+*() -]{1,30})\)\s?=\s?(?:\\text\{mod\}_\{?"
        r"(?P<again>\d{1,4})\}?\s?"
        rf"\((?P<second>\d{{1,6}})\)\s?=\s?)?(?P<r>\d{{1,4}}){_STOP}",
        _residue,
    ),
)
