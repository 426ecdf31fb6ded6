"""Templates of planted errors: each changes one step of a right trace so that it is wrong in one known way.

An error is planted where its kind can stand, never where a checker is known to look: any equation that holds, any
restated given, any name. Where a template keeps the arithmetic true (a sign, a formula, a dropped term), the result
is computed anew, so that what is wrong is what was computed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from auditing.checker.mathematics.tree import number_text
from auditing.checker.planting import Change, changes_in

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_TERMS = re.compile(rf"(?<![\w.^]){_NUMBER}(?:\s*[-+*/×÷]\s*\$?{_NUMBER})+\s*=\s*\$?(?P<result>{_NUMBER})(?![\d.,]*\d)")
_SUM = re.compile(
    rf"(?P<first>{_NUMBER}(?:\s*\+\s*\$?{_NUMBER})+)(?P<last>\s*\+\s*\$?{_NUMBER})(?P<equals>\s*=\s*\$?)(?P<result>{_NUMBER})"
)
_PRODUCT = re.compile(
    rf"(?<![\w.^/*+-])(?P<left>{_NUMBER})(?P<sign>\s*(?:[*/×÷]|\\times|\\div)\s*)(?P<right>\$?{_NUMBER})(?P<equals>\s*=\s*\$?)(?P<result>{_NUMBER})"
)
_PLAIN = re.compile(rf"(?<![\w.,^]){_NUMBER}(?![\w]|[.,]\d)")
# a capital letter within a sentence shows a name; at its start every word has one
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][a-z]{2,12}\b")
_CAPITAL = re.compile(r"\b[A-Z][a-z]{2,12}\b")
_COMPUTES = re.compile(r"[=+*/×÷^\\]")
_DIGITS = "0123456789"


@dataclass(frozen=True, slots=True)
class Planted:
    """A step and the wrong text that takes its place."""

    step: int
    text: str


Template = Callable[[str, str], Iterator[str]]


def _by_change(change: Change) -> Template:
    def wrong_texts(step: str, problem: str) -> Iterator[str]:
        for option in changes_in(text=step, problem=problem):
            if option.change is change:
                yield option.applied(text=step)

    return wrong_texts


def _arithmetic(step: str, _problem: str) -> Iterator[str]:
    """One digit of a result is another one, the first of several digits left alone so that the size stays."""
    for match in _TERMS.finditer(step):
        result = match["result"]
        places = [at for at, char in enumerate(result) if char.isdigit()][-2:]
        for at in places:
            digit = _DIGITS[(int(result[at]) + 3) % 10]
            wrong = result[:at] + digit + result[at + 1 :]
            if wrong.strip("0.,"):
                yield step[: match.start("result")] + wrong + step[match.end("result") :]


def _dropped_case(step: str, _problem: str) -> Iterator[str]:
    """The last of three terms or more is left out, and the sum is computed without it."""
    for match in _SUM.finditer(step):
        terms = re.findall(_NUMBER, match["first"])
        if len(terms) > 1 and _value(match["result"]) == sum(map(_value, terms)) + _value(match["last"].strip(" +$")):
            text = f"{match['first']}{match['equals']}{number_text(Fraction(sum(map(_value, terms))))}"
            yield step[: match.start()] + text + step[match.end() :]


def _wrong_formula(step: str, _problem: str) -> Iterator[str]:
    """A product in the place of a quotient, or a sum in that of a product, computed rightly."""
    for match in _PRODUCT.finditer(step):
        left, right, result = (_value(match[group].lstrip("$")) for group in ("left", "right", "result"))
        divides = "/" in match["sign"] or "÷" in match["sign"] or "div" in match["sign"]
        # Only a product that is right becomes an error that somebody planted.
        if not right or result != (left / right if divides else left * right):
            continue
        sign, wrong = (" * ", left * right) if divides else (" + ", left + right)
        if wrong != result:
            text = f"{match['left']}{sign}{match['right']}{match['equals']}{number_text(wrong)}"
            yield step[: match.start()] + text + step[match.end() :]


def _wrong_premise(step: str, problem: str) -> Iterator[str]:
    """A number of the problem, restated in a sentence that computes nothing, is another number."""
    numbers = set(_PLAIN.findall(problem))
    for match in _PLAIN.finditer(step):
        around = step[max(0, match.start() - 25) : match.end() + 25]
        if match.group() in numbers and not _COMPUTES.search(around):
            wrong = number_text(_value(match.group()) + (2 if _value(match.group()) < 20 else 10))
            if wrong not in numbers:
                yield step[: match.start()] + wrong + step[match.end() :]


def _leap(step: str, _problem: str) -> Iterator[str]:
    """A step that computes becomes its conclusion alone, and the conclusion is another one."""
    for match in _TERMS.finditer(step):
        wrong = number_text(2 * _value(match["result"]) + 1)
        yield f"From this it follows at once that the value here is {wrong}."


def _swapped_entity(step: str, problem: str) -> Iterator[str]:
    """Another person or thing of the problem is named."""
    names = sorted(set(_NAME.findall(problem)))
    for match in _CAPITAL.finditer(step):
        if match.group() in names:
            for stranger in names:
                if stranger != match.group():
                    yield step[: match.start()] + stranger + step[match.end() :]


TEMPLATES: dict[str, Template] = {
    "arithmetic": _arithmetic,
    "off by one": _by_change(Change.OFF_BY_ONE),
    "copied number": _by_change(Change.COPIED_NUMBER),
    "unit": _by_change(Change.UNIT),
    "sign": _by_change(Change.SIGN),
    "dropped case": _dropped_case,
    "wrong formula": _wrong_formula,
    "wrong premise": _wrong_premise,
    "unjustified leap": _leap,
    "swapped entity": _swapped_entity,
}


def plant(*, template: str, steps: Sequence[str], problem: str, rng: np.random.Generator) -> Planted | None:
    """One error of this kind in one of the steps, drawn with equal chances; None where it can stand in none.

    >>> plant(template="off by one", steps=["So 3 * 4 = 12."], problem="", rng=np.random.default_rng(1)).step
    0
    """
    options = [
        Planted(step, wrong)
        for step, text in enumerate(steps)
        for wrong in TEMPLATES[template](text, problem)
        if wrong != text
    ]
    return options[int(rng.integers(len(options)))] if options else None


def _value(number: str) -> Fraction:
    return Fraction(number.replace(",", ""))
