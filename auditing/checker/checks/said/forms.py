"""Forms of algebra told in words: for each a pattern around its formulas, and the expressions that its words come to.

"Subtracting $3x$ from $7x$ gives $5x$" matches the form of a deed; the last formula of a match is what is claimed,
those before it are the operands. A form is added by a row of `FORMS`; operations.py judges the matches.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.checks.said.marked import FORMULA
from auditing.checker.mathematics.tree import Node, Num, Tree
from hdag.core.text.cues import Cue

_JUST = r"(?:just\s|simply\s|exactly\s|also\s|then\s|therefore\s|thus\s)?"
_THE = r"(?:the\s(?:expression|polynomial|term|function|value|result|number)\s)?"
# a noun is something, and may be so under an equation that is still to be solved
IS = (
    rf"(?:,?\s(?:which\s)?(?:is\sequal\sto|is\s{_JUST}equal\sto|is|equals|becomes|simplifies\sto|comes\s(?:out\s)?to|works\sout\sto|"
    rf"will\sbe|must\sbe|evaluates\sto)\s{_JUST}{_THE}|\s?=\s?)"
)
# what is done to expressions gives another one
GET = (
    r"(?:,?\s(?:and\s|then\s|so\s)?(?:(?:we|you|I|one)\s(?:then\s)?(?:get|obtain|have|find|arrive\sat|end\sup\swith)|gives|yields|"
    r"produces|results\sin|leads\sto|to\s(?:get|obtain|give)|giving|yielding|which\s(?:gives|yields|is)|is|equals|"
    rf"makes|will\sgive)(?:\sus)?\s{_JUST}{_THE}|\s?=\s?)"
)
_MANY = r"@(?:,\s@){0,6},?\sand\s@"
_TERMS = (
    r"(?:the\s|these\s|those\s)?(?:two\s)?(?:like\s)?"
    r"(?:terms?\s|expressions?\s|polynomials?\s|monomials?\s|factors?\s)?"
)
_SHARES = {
    "half": Fraction(1, 2), "one half": Fraction(1, 2), "one-half": Fraction(1, 2), "a third": Fraction(1, 3),
    "one third": Fraction(1, 3), "one-third": Fraction(1, 3), "two thirds": Fraction(2, 3),
    "two-thirds": Fraction(2, 3),
    "a quarter": Fraction(1, 4), "one quarter": Fraction(1, 4), "one-quarter": Fraction(1, 4),
    "a fourth": Fraction(1, 4), "one-fourth": Fraction(1, 4), "three quarters": Fraction(3, 4),
    "three-quarters": Fraction(3, 4), "a fifth": Fraction(1, 5), "one-fifth": Fraction(1, 5),
    "twice": Fraction(2), "double": Fraction(2), "two times": Fraction(2), "thrice": Fraction(3),
    "triple": Fraction(3), "three times": Fraction(3), "four times": Fraction(4), "five times": Fraction(5),
}  # fmt: skip
_VERBS = {"doubl": Fraction(2), "tripl": Fraction(3), "halv": Fraction(1, 2), "negat": Fraction(-1)}

# the expressions that the words may mean: the difference of two has no order
Build = Callable[[re.Match[str], Sequence[Tree]], tuple[Tree, ...]]


@dataclass(frozen=True, slots=True)
class SaidForm:
    """One form of words: its pattern over marked formulas, what it comes to, and whether it tells of a deed."""

    pattern: Cue
    build: Build
    is_deed: bool


def _numbered(value: Fraction) -> Tree:
    """A factor as a reader writes it: 2, 1/3, -1."""
    if value.denominator > 1:
        return Node("/", (Num(Fraction(value.numerator)), Num(Fraction(value.denominator))))
    return Num(value)


def _folded(sign: str) -> Build:
    return lambda match, operands: (functools.reduce(lambda a, b: Node(sign, (a, b)), operands),)


def _either_way(sign: str) -> Build:
    def build(match: re.Match[str], operands: Sequence[Tree]) -> tuple[Tree, ...]:
        a, b = operands
        return Node(sign, (a, b)), Node(sign, (b, a))

    return build


def _second_first(sign: str) -> Build:
    return lambda match, operands: (Node(sign, (operands[1], operands[0])),)


def _mean(match: re.Match[str], operands: Sequence[Tree]) -> tuple[Tree, ...]:
    total = functools.reduce(lambda a, b: Node("+", (a, b)), operands)
    return (Node("/", (total, Num(Fraction(len(operands))))),)


def _share(match: re.Match[str], operands: Sequence[Tree]) -> tuple[Tree, ...]:
    factor = _SHARES[" ".join(match["share"].lower().split())]
    if factor.numerator == 1 and factor.denominator > 1:
        return (Node("/", (operands[0], Num(Fraction(factor.denominator)))),)
    return (Node("*", (_numbered(factor), operands[0])),)


def _scaled(match: re.Match[str], operands: Sequence[Tree]) -> tuple[Tree, ...]:
    factor = _VERBS[match["verb"].lower()]
    if factor == -1:
        return (Node("neg", (operands[0],)),)
    return (Node("*", (_numbered(factor), operands[0])),)


def _raised(exponent: int) -> Build:
    return lambda match, operands: (Node("^", (operands[0], Num(Fraction(exponent)))),)


def _inverted(match: re.Match[str], operands: Sequence[Tree]) -> tuple[Tree, ...]:
    return (Node("/", (Num(Fraction(1)), operands[0])),)


def _negated(match: re.Match[str], operands: Sequence[Tree]) -> tuple[Tree, ...]:
    return (Node("neg", (operands[0],)),)


def _itself(match: re.Match[str], operands: Sequence[Tree]) -> tuple[Tree, ...]:
    return (operands[0],)


def cue(pattern: str) -> Cue:
    return Cue(pattern.replace("@", FORMULA), re.IGNORECASE)


def _noun(pattern: str, build: Build) -> SaidForm:
    return SaidForm(cue(rf"\b{pattern}{IS}(?P<claimed>@)"), build, is_deed=False)


def _between(pattern: str, build: Build) -> SaidForm:
    return SaidForm(cue(rf"{pattern}{IS}(?P<claimed>@)"), build, is_deed=False)


def _deed(pattern: str, build: Build) -> SaidForm:
    return SaidForm(cue(rf"\b{pattern}{GET}(?P<claimed>@)"), build, is_deed=True)


FORMS = (
    _noun(rf"sum\sof\s{_TERMS}{_MANY}", _folded("+")),
    _noun(rf"product\sof\s{_TERMS}{_MANY}", _folded("*")),
    _noun(rf"difference\s(?:of|between)\s{_TERMS}@\sand\s@", _either_way("-")),
    _noun(r"quotient\sof\s@\s(?:and|by|divided\sby)\s@", _folded("/")),
    _noun(rf"(?:average|mean|arithmetic\smean)\sof\s{_TERMS}{_MANY}", _mean),
    _noun(
        r"(?:the|this|our)\s(?:product|sum|difference|quotient|square|cube|expression|polynomial|fraction)\s@", _itself
    ),
    _noun(
        rf"(?P<share>{'|'.join(sorted(_SHARES, key=len, reverse=True))})\s(?:of\s)?(?:the\s(?:term|expression)\s)?@",
        _share,
    ),
    _noun(r"square\sof\s(?:the\s(?:binomial|expression|term)\s)?@", _raised(2)),
    _noun(r"cube\sof\s(?:the\s(?:binomial|expression|term)\s)?@", _raised(3)),
    _noun(r"(?:reciprocal|multiplicative\sinverse)\sof\s(?:the\s(?:fraction|expression)\s)?@", _inverted),
    _noun(r"(?:negative|opposite|additive\sinverse)\sof\s(?:the\s(?:term|expression)\s)?@", _negated),
    _between(r"@\splus\s@", _folded("+")),
    _between(r"@\sminus\s@", _folded("-")),
    _between(r"@\s(?:times|multiplied\sby)\s@", _folded("*")),
    _between(r"@\sdivided\sby\s@", _folded("/")),
    _between(r"@\ssquared", _raised(2)),
    _between(r"@\scubed", _raised(3)),
    _deed(rf"add(?:ing)?\s{_TERMS}(?:up\s)?@\s(?:and|to)\s@(?:\stogether)?", _folded("+")),
    _deed(rf"add(?:ing)?\s{_TERMS}(?:up\s)?@(?:,\s@){{1,6}},?\sand\s@(?:\stogether)?", _folded("+")),
    _deed(rf"combin(?:e|ing)\s{_TERMS}{_MANY}", _folded("+")),
    _deed(rf"combin(?:e|ing)\s{_TERMS}@\swith\s@", _folded("+")),
    _deed(r"subtract(?:ing)?\s@\sfrom\s@", _second_first("-")),
    _deed(rf"multiply(?:ing)?\s{_TERMS}(?:out\s)?@\s(?:by|and|with|times)\s@(?:\stogether)?", _folded("*")),
    _deed(rf"divid(?:e|ing)\s{_TERMS}@\sby\s@", _folded("/")),
    _deed(r"squar(?:e|ing)\s(?:the\s(?:binomial|expression|term)\s)?@", _raised(2)),
    _deed(r"cub(?:e|ing)\s(?:the\s(?:binomial|expression|term)\s)?@", _raised(3)),
    _deed(r"(?P<verb>doubl|tripl|halv|negat)(?:e|ing)\s(?:the\s(?:term|expression)\s)?@", _scaled),
)
