"""Checker: quantity = quantity with units on both sides: dimension and conversion (pint, loaded when needed)."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from auditing.checker.answers.measures import measure
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "units"
_NUMBER = r"\d{1,9}(?:,\d{3})*(?:\.\d{1,9})?"
_NAMES = """
    seconds? minutes? hours? days? weeks? millimeters? centimeters? meters? kilometers? inches inch feet foot yards?
    miles? milligrams? grams?
    kilograms? pounds? ounces? liters? milliliters? gallons? quarts? pints? cups? mm cm km kg mg ml
"""
_UNIT = "|".join(_NAMES.split())
_CLAIM = re.compile(
    rf"(?<![\w.,*/+×÷^=-])(?<![*/+×÷^=-]\s)(?P<a>{_NUMBER})\s*(?P<u>{_UNIT})(?:\s?\([A-Za-z]{{1,4}}\))?\s*"
    rf"(?:=|equals|is equal to|is the same as)\s*(?P<b>{_NUMBER})\s*(?P<v>{_UNIT})"
    r"(?![\w/^*]|\s*(?:[-+*/×÷^=]|and|per|squared|cubed|\d))",
    re.IGNORECASE,
)
_DOUBT = any_of(
    "if suppose scale map represents? corresponds? take takes per for in each every costs? read reads run runs"
)
_INEXACT = Fraction(1, 50)
# 2 hours = 90 minutes, 1 m = 10 cm: slips stay within this factor
_SLIP = Fraction(200)


def check(script: Script) -> Iterator[Placed]:
    """2 hours = 120 minutes holds, 2 hours = 90 minutes does not, 2 hours = 3 feet cannot."""
    for passage in script.passages:
        if "=" not in passage.text and "equal" not in passage.text and "same as" not in passage.text:
            continue
        for match in _CLAIM.finditer(passage.text):
            # "5 miles = 5 miles" converts nothing
            if match["u"].lower().rstrip("s") != match["v"].lower().rstrip("s"):
                yield from _judged(passage, match)


def _judged(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    # "3 hours 15 minutes = 3.25 hours": the minutes are a part of what is converted
    if re.search(
        rf"\d\s*(?:{_UNIT})\s*,?\s*(?:and\s*)?$", passage.text[max(0, match.start() - 40) : match.start()], re.I
    ):
        return
    if not _value(match["a"]) or not _value(match["b"]):
        return
    ratio = _known(match["u"].lower(), match["v"].lower()) or conversion(match["u"].lower(), match["v"].lower())
    if ratio is None:
        return  # 5 miles = 2 hours is a rate in short, no error
    claimed, converted = _value(match["b"]), _value(match["a"]) * ratio
    decimals = len(match["b"].partition(".")[2])
    # half a unit of the last written digit: 1 mile = 1.61 km holds
    holds = abs(claimed - converted) <= Fraction(1, 2 * 10**decimals)
    head = re.split(r"[.;\n]", passage.text[max(0, match.start() - 60) : match.start()])[-1]
    # a claim that is off by more than a slip is a scale, which a map or a plan chooses freely
    if not holds and not _SLIP > claimed / converted > 1 / _SLIP:
        return
    # "1 inch = 50 miles" on a map, "1 hour = 60 miles" at a speed; and within 2 % it is a rough figure, no error
    if not holds and (_DOUBT.search(head) or abs(claimed - converted) <= _INEXACT * abs(converted)):
        return
    converted_text = f"{float(converted):.6g}"
    sentence = f"{match['a']} {match['u']} is {converted_text} {match['v']}{'' if holds else ', not ' + match['b']}."
    details = {
        "read": match.group(),
        "left": converted_text,
        "right": match["b"],
        "rule": "conversion",
        "evidence_latex": rf"{match['a']}\,\text{{{match['u']}}} = {converted_text}\,\text{{{match['v']}}}",
    }
    verdict = Verdict.VERIFIED if holds else Verdict.REFUTED
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        verdict=verdict,
        checker=NAME,
        rule="conversion",
        sentence=sentence,
        details=details,
    )


def _value(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))


def _known(unit: str, target: str) -> Fraction | None:
    """The conversion by the small table of the answers, which needs no registry."""
    a, b = measure(unit), measure(target)
    return a[1] / b[1] if a and b and a[0] == b[0] else None


@functools.cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(cache_folder=None)


@functools.cache
def conversion(unit: str, target: str) -> Fraction | None:
    """How many of the second unit one of the first is, or None when their dimensions differ."""
    registry = _registry()
    a, b = registry.Unit(unit), registry.Unit(target)
    if a.dimensionality != b.dimensionality:
        return None
    # pint computes in floats: twelve decimals of it, brought back to the fraction that was meant
    return Fraction(str(round(float((1 * a).to(b).magnitude), 12))).limit_denominator(10**9)
