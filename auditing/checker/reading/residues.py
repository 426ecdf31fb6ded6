"""Moduli and bases that a trace speaks of: a relation that is false in decimals may be true in one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.mathematics.compare import Judgement
from auditing.checker.reading.passages import Script

_CLOCK = re.compile(
    r"(?:\\b?mod\b|\\pmod\b|\bmod\b|\bmodulo\b|\b(?:divided|divisible) by\b|\bmultiples? of\b|"
    r"\bremainders?\b[^.\d]{0,40}\bby\b|\bGF\(|[FZℤ]\}?[_/])[\s{(\\$]{0,6}(\d{1,9})"
)
_VAGUE = re.compile(r"\\p?mod[\s{(]{0,4}[a-zA-Z]|\b(?:mod|modulo)\b[\s\\($]{0,5}[a-zA-Z]\b|[a-zA-Z0-9)}]_\{?[a-zA-Z]\b")
_BASE = re.compile(r"\bbase[ -][\\($]{0,3}\{?(\d{1,3})")
# 101₂: the base below the digits
_BELOW = re.compile(r"[\dA-F]([₂-₉]|₁[₀-₆])(?![₀-₉])")
_DOWN = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_NAMED = {"binary": 2, "base two": 2, "base-two": 2, "octal": 8, "base eight": 8, "base ten": 10, "base 10": 10}
_UNKNOWN_BASE = re.compile(r"\bbase[ -][\\($]{0,3}\{?[a-zA-Z]\b|\bbases\b|hexadecimal|in base")
_DIGITS = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Residues:
    """Every modulus and base that is named; `is_readable` is false when one is named that could not be read."""

    moduli: frozenset[int]
    bases: frozenset[int]
    is_readable: bool

    def may_hold(self, judgement: Judgement, text: str) -> bool:
        """Whether the false relation could be a true congruence, or a true equation in a base."""
        left, right = judgement.left, judgement.right
        if not self.is_readable or not isinstance(left, Fraction) or not isinstance(right, Fraction):
            return True
        gap = left - right
        # 17 = 2 modulo 5: the two sides differ by a multiple of the modulus
        if gap.denominator != 1 or any(gap.numerator % modulus == 0 for modulus in self.moduli):
            return True
        # 101 + 11 = 1000 in base two: no digit reaches the base. Ten is left out, for in it the relation is known to
        # be false.
        digits = {int(digit) for digit in _DIGITS.findall(text)}
        return any(max(digits, default=0) < base for base in self.bases if base < 10)


def read_residues(script: Script) -> Residues:
    """Reads the whole trace: a modulus named later may have been meant before.

    Tens count as moduli always: "the last digits" need not be called a remainder.
    """
    moduli, bases, is_readable = {10, 100, 1000}, set[int](), True
    for passage in (script.problem, *script.passages):
        text = passage.text
        moduli |= {int(value) for value in _CLOCK.findall(text)}
        bases |= {int(value) for value in _BASE.findall(text)}
        bases |= {int(below.translate(_DOWN)) for below in _BELOW.findall(text)}
        bases |= {base for name, base in _NAMED.items() if name in passage.lower}
        is_readable = (
            is_readable and not _VAGUE.search(text) and not (_UNKNOWN_BASE.search(text) and not _BASE.search(text))
        )
    # dividing by 1 leaves no remainder at all
    moduli = {value for value in moduli if value > 1}
    is_readable = is_readable and bool(len(moduli) > 3 or bases) and max(bases, default=2) <= 10
    return Residues(frozenset(moduli), frozenset(bases), is_readable)
