"""Letters that are no unknowns: units behind numbers, functions before their arguments."""

from __future__ import annotations

import re

from auditing.checker.reading.passages import Script
from hdag.core.text.cues import Cue

# f(x) = ..., and f(g(x)) = ...
_FUNCTION = Cue(r"(?<![A-Za-z\\])([a-zA-Z])\(([a-z]|[a-zA-Z]\([a-z]\))\)\s*=")
_SCALED_LETTER = re.compile(
    r"(?<!\d)10\s?\^\s?(?:\{-?\d{1,2}\}|-?\d{1,2})[\s,~\\]{1,4}([mgsKJNWVACLThF])(?![A-Za-z({])"
)
_GLUED_LETTER = re.compile(r"\d(min|sec|hrs?|lbs?|oz|ft|mph|rpm|[cmk]m|[mk]g|m[lL]|[mgshLVWJNKTA])(?![\w^(*/+])")
# 293.15 \, \mathrm{K}, and \boxed{188} m: what is set upright behind a number, or stands behind a boxed one
_UPRIGHT_LETTER = re.compile(
    r"\d[\s~,\\]{0,4}\\(?:mathrm|text|textrm|rm)\s?\{[\s~,\\]{0,3}([A-Za-z])\}|\\boxed\{[\d.,]{1,12}\}[\s~,\\]{0,4}([a-zA-Z])(?![A-Za-z])"
)
# e(19), e(18): a letter before several numbers in brackets, which no product is written as
_APPLIED_LETTER = re.compile(r"(?<![A-Za-z\d\\}])(e|\\sigma|\\phi|\\varphi|\\tau|\\psi)\s?\((\d{1,6})\)")
_IMAGINARY = Cue(
    r"\bi\s?\^\s?\{?2\}?\s?=\s?-\s?1|\bimaginary\b|\bcomplex (?:numbers?|conjugates?|plane|roots?)\b", re.IGNORECASE
)


def function_letters(text: str) -> set[str]:
    """Letters that the problem uses as functions: t(x) = 3x + 1 makes t(5) no product."""
    return {match[1] for match in _FUNCTION.finditer(text)}


def letters_applied(script: Script) -> set[str]:
    """e in e(19) = e(18) + e(17), sigma in sigma(127) = 1 + 127: functions that the problem need not define."""
    numbers: dict[str, set[str]] = {}
    for name, number in _APPLIED_LETTER.findall(script.text):
        numbers.setdefault(name.lstrip("\\"), set()).add(number)
    return {name for name, applied in numbers.items() if len(applied) > 1}


def imaginary_letters(script: Script) -> set[str]:
    """i where a text speaks of complex numbers: to solve for it as for an unknown would prove anything."""
    return {"i"} if any(_IMAGINARY.search(passage.text) for passage in script.anywhere_near(_IMAGINARY)) else set()


def unit_letters(script: Script) -> set[str]:
    """Letters that stand behind numbers alone ("540m", "5min"), and never by themselves; and those behind 10^(-9)."""
    texts = [passage.text for passage in (script.problem, *script.passages)]
    glued = {letter for text in texts for match in _GLUED_LETTER.finditer(text) for letter in match[1]}
    scaled = {match[1] for text in texts for match in _SCALED_LETTER.finditer(text)} if "10" in script.text else set()
    if "{" in script.text:
        scaled |= {letter for text in texts for pair in _UPRIGHT_LETTER.findall(text) for letter in pair if letter}
    return (
        {"Å"}
        | scaled
        | {letter for letter in glued if not any(re.search(rf"(?<![A-Za-z\d]){letter}(?![A-Za-z])", t) for t in texts)}
    )


def letters_without_a_value(script: Script) -> frozenset[str]:
    """All letters for which no equation can be solved: functions, units, the imaginary unit."""
    applied = function_letters(script.problem.text) | letters_applied(script)
    return frozenset(applied | unit_letters(script) | imaginary_letters(script))
