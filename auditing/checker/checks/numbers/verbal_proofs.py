"""Proofs of arithmetic stated in words: the formula that a form of words comes to, and the number that is claimed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from auditing.checker.checks.numbers.verbal_forms import SHARES_AND_MULTIPLES, VerbalForm, values_in
from auditing.checker.mathematics.tree import number_text
from auditing.checker.proofs.claims import of_said
from auditing.checker.proofs.formulas import Formula

_SIGNS = {"a product": "*", "a sum": "+", "a difference": "-", "a quotient": "/", "a percentage": "*", "more than": "+",
          "divided": "/", "multiplied": "*", "added": "+", "a ratio": "/"}  # fmt: skip
# signs of a whole list
_OF_LIST = {"a common divisor": "gcd", "a common multiple": "lcm", "an average": "mean", "a median": "median"}
_ROUNDED = {
    "integer": "round1", "whole number": "round1", "ten": "round10", "hundred": "round100", "tenth": "round0.1",
    "hundredth": "round0.01", "one decimal place": "round0.1", "1 decimal place": "round0.1",
    "two decimal places": "round0.01", "2 decimal places": "round0.01",
}  # fmt: skip
_DIGITS = {
    "units": "digit0",
    "ones": "digit0",
    "last": "digit0",
    "unit": "digit0",
    "tens": "digit1",
    "hundreds": "digit2",
}


def proof_of(*, form: VerbalForm, operands: Sequence[str], claimed_text: str, has_percent: bool) -> dict[str, str]:
    """The words as a formula; nothing for forms that no formula says."""
    right = _formula(claimed_text)
    if form.listed:
        terms = [number_text(value) for value in values_in(operands[0])]
        left = _of_list(form.rule, terms)
    else:
        left = _of_operands(form, operands)
    if left is None:
        return {}
    # "half of 50% is 25": the sign of the result may be left out
    with_sign = f"{right.rstrip('%')}%" if isinstance(right, str) else right
    return of_said([left], [right, with_sign] if has_percent else [right])


def _of_list(rule: str, terms: list[str]) -> Formula | None:
    if rule == "a sum":
        total: Formula = terms[0]
        for term in terms[1:]:
            total = ["+", total, term]
        return total
    return [_OF_LIST[rule], *terms] if rule in _OF_LIST else None


def _of_operands(form: VerbalForm, operands: Sequence[str]) -> Formula | None:
    build = _BUILDERS.get(form.rule)
    if form.rule in _SIGNS and len(operands) == 2:
        left: Formula = [_SIGNS[form.rule], *map(_formula, operands)]
        # "the difference between 3 and 8" has no sign
        return ["abs", left] if "difference " in form.words else left
    if form.rule in SHARES_AND_MULTIPLES:
        sign, factors = SHARES_AND_MULTIPLES[form.rule]
        return [sign, _formula(operands[1]), str(factors[operands[0].lower()])]
    return build(*operands) if build else None


def _rounded(number: str, step: str = "integer") -> Formula:
    return [_ROUNDED[step.lower()], _formula(number)]


_BUILDERS: dict[str, Callable[..., Formula]] = {
    "a square": lambda number: ["^", _formula(number), "2"],
    "a cube": lambda number: ["^", _formula(number), "3"],
    "less than": lambda number, minuend: ["-", _formula(minuend), _formula(number)],
    "a remainder": lambda number, modulus: ["power mod", *_power(number), _formula(modulus)],
    "a digit": lambda digit, number: [_DIGITS[digit.lower()], *_power(number)],
    "a digit sum": lambda number: ["digit sum", _formula(number)],
    "a number of divisors": lambda number: ["divisors", _formula(number)],
    "a rounded value": _rounded,
    "rounded": _rounded,
    "subtracted": lambda number, minuend: ["-", _formula(minuend), _formula(number)],
    "a reciprocal": lambda number: ["/", "1", _formula(number)],
    "squared": lambda number: ["^", _formula(number), "2"],
    "a unit": lambda small, whole: [f"{small.lower()} in {whole.lower()}"],
}


def _power(text: str) -> tuple[Formula, Formula]:
    """7^100 as its base and exponent; a number alone has the exponent 1."""
    base, _, exponent = re.sub(r"[\s{}]", "", text).partition("^")
    return _formula(base), exponent or "1"


def _formula(text: str) -> Formula:
    """1,200 or 3/4 or 25% or $5 as a formula of a proof."""
    text = re.sub(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}", r"\1/\2", text).replace(":", "/")
    text = re.sub(r"[,$\\ ]", "", text)
    above, _, below = text.partition("/")
    return ["/", above, below] if below else above
