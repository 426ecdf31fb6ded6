"""Moduli and bases that a trace speaks of: a relation that is false in decimals may be true in one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.mathematics.compare import Judgement
from auditing.checker.mathematics.tree import Node, Num, Tree, walk
from auditing.checker.reading.links import Link
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


# a register of so many bits loses what it cannot hold
_REGISTER = re.compile(r"\bbits?\b|\d-bit|\boverflow|\bcomplement|\bwrap|\bxor\b|\bcarry-?less", re.IGNORECASE)
_NEARBY = 120


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
        # be false; below its digits the base is known.
        digits = {int(digit) for digit in _DIGITS.findall(text)} | ({10} if _BELOW.search(text) else set())
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


def bases_below(link: Link) -> set[Num]:
    """The bases that stand below the digits of a link: 8 in 253_8 = 171; none where a register may lose digits."""
    nodes = (node for tree in (link.left, link.right) for node in walk(tree) if isinstance(node, Node))
    bases = {base for node in nodes if node.op == "numeral" for base in node.args[1:] if isinstance(base, Num)}
    start, end = max(0, link.left_side.start - _NEARBY), link.right_side.end + _NEARBY
    return bases if bases and not _REGISTER.search(link.passage.text[start:end]) else set()


def holds_in_one_of(link: Link, bases: set[Num]) -> bool:
    """Whether the link holds once the digits without a base stand in one of these, too: 126_7 - 54_7 = 42."""
    return any(link.agrees(_written_in(base, link.left), _written_in(base, link.right)) for base in bases)


def _written_in(base: Num, tree: Tree) -> Tree:
    if isinstance(tree, Num):
        digits = str(tree.value)
        return Node("numeral", (tree, base)) if digits.isdigit() and max(map(int, digits)) < base.value else tree
    if isinstance(tree, Node) and tree.op != "numeral":
        return Node(tree.op, tuple(_written_in(base, arg) for arg in tree.args))
    return tree
