"""Named functions: letters that a trace uses as functions, whose bracket multiplies nothing: s(n) = s(n - 1) + 2."""

from __future__ import annotations

import re

from auditing.checker.reading.passages import Script
from hdag.core.text.cues import Cue

# s(n) = ..., "let s(n) be", y_p(t) = ..., y_i^s(p) = ...: one letter in the bracket, and the whole before the sign
_NAMED = Cue(
    r"(?<![A-Za-z\\_^{)\d])([a-zA-Z])(_\{?[A-Za-z0-9]{1,4}\}?)?(?:\^\{?[a-zA-Z]\}?)?\(\s?([a-z])\s?\)[\s$\\)]{0,4}"
    r"(?:=|(?:be|denotes?|is|as|represents?|stands for)\b)"
)
_BRACES = re.compile(r"[{}]")


def named_functions(script: Script) -> frozenset[str]:
    """The names that stand before a letter in brackets and a sign of equality, or what it is to be.

    >>> from auditing.checker.reading.passages import script_of
    >>> from hdag.core.values import Trace
    >>> sorted(named_functions(script_of(Trace("", "Let s(n) = 2n and y_{p}(t) = k. Then a(b + c) = ab + ac."))))
    ['s', 'y_p']
    """
    passages = script.anywhere_near(_NAMED)
    return frozenset(
        letter + _BRACES.sub("", index)
        for passage in passages
        for letter, index, argument in _NAMED.findall(passage.text)
        if letter != argument
    )
