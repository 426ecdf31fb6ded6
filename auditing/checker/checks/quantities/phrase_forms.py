"""Phrases that name a computation and its result: "8 is 20% of 40", "from 80 to 100, a 25% increase", "12:18 = 2:3".

A form is a pattern whose group `r` is the number claimed, and the trees that the other groups come to: one for each way
in which people mean the phrase. It is false only where all of them are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.checks.quantities.number_words import NUMBER_WORDS, word_value
from auditing.checker.mathematics.tree import Node, Num, Tree

Groups = dict[str, str | None]
Build = Callable[[Groups], Tree]
_VALUE = r"(?:\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,12})(?:\.\d{1,9})?"
# a number that no sign or letter touches, and that is no part of a longer one
_FREE = r"(?<![\w.,/^*×÷:$-])(?<![*+×÷^/-]\s)(?<!\d:\s)(?<!\d\s:\s)"


def _n(name: str, *, money: bool = True) -> str:
    sign = r"[$€£]?\s?" if money else ""
    return rf"(?P<{name}>{sign}{_VALUE})"


def _percent(name: str) -> str:
    return rf"(?P<{name}>{_VALUE}\s?(?:\\?%|percent\b))"


_SAYS = r"\s*(?:=|\b(?:is equal to|is exactly|is|are|equals|equal|makes|make|gives|give|comes to|yields)\b)\s*"
_ENDS = (
    r"(?![\d.,]*\d|\s?[-+*/×÷^:%=<>±]|\s?\\|\s?percent\b|\s?(?:more|less|times|of|fewer|greater|or|to|dozen|hundred|"
    r"thousand|million|billion|older|younger|higher|lower|larger|smaller|squared|cubed|plus|minus|mod|out|per|"
    r"each|and a)\b|[a-z]|!|\s?\()"
)
_UP = r"(?:increased|raised|marked up|grown|up)"
_DOWN = r"(?:decreased|reduced|discounted|lowered|marked down|diminished|down)"
_CONTAINERS = (
    r"(?:boxes|packs|packets|packages|bags|rows|groups|sets|cases|crates|bunches|cartons|stacks|piles|trays|columns|"
    r"bundles|baskets|shelves|jars|bottles|teams|rolls|decks)"
)
_WORD = rf"(?:{NUMBER_WORDS}|{_VALUE})"
_FREE_WORD = (
    rf"(?<![\w.,/^*×÷$-])(?<![*+×÷^/-]\s)(?<!\w-)(?={NUMBER_WORDS}|{_VALUE}\s+(?:plus|minus|times)\s+{NUMBER_WORDS})"
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """One form: what it is called, a word that must stand in the text, its pattern, and what it may come to."""

    rule: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    readings: tuple[Build, ...]
    # whether its refutations decide; what people may mean otherwise is told as a doubt
    is_sure: bool = True


def number(text: str | None) -> Num:
    """A number as it is written: $1,200, 25 %, 3.50, or in words."""
    digits = (text or "").strip()
    if digits and digits[0].isalpha():
        return Num(Fraction(word_value(digits)))
    percent = digits.endswith(("%", "percent"))
    money = digits[:1] in "$€£"
    digits = re.sub(r"[$€£,\s\\%]|percent", "", digits)
    value = Fraction(digits)
    return Num(value / 100 if percent else value, len(digits.partition(".")[2]), percent, money)


def _of(sign: str, a: str, b: str) -> Build:
    return lambda groups: Node(sign, (number(groups[a]), number(groups[b])))


def _changed(sign: str) -> Build:
    """n * (1 + p)."""
    return lambda groups: Node("*", (number(groups["n"]), Node(sign, (Num(Fraction(1)), number(groups["p"])))))


def _change(groups: Groups) -> Tree:
    """(b - a) / a, without a sign."""
    a, b = number(groups["a"]), number(groups["b"])
    return Node("/", (Node("abs", (Node("-", (b, a)),)), a))


def _power(exponent: int) -> Build:
    return lambda groups: Node("^", (number(groups["n"]), Num(Fraction(exponent))))


def _signed(groups: Groups) -> Tree:
    signs = {"plus": "+", "minus": "-", "times": "*", "divided by": "/"}
    return Node(signs[(groups["sign"] or "").lower()], (number(groups["a"]), number(groups["b"])))


def _phrase(rule: str, words: str, pattern: str, *readings: Build, is_sure: bool = True) -> Phrase:
    return Phrase(rule, tuple(words.split("|")), re.compile(pattern, re.IGNORECASE), readings, is_sure)


_IE = r"(?:,?\s*(?:i\.\s?e\.|that is|namely|which is|which equals|which comes to),?\s+)"
PHRASES = (
    _phrase(
        "a percentage",
        "% of|percent of",
        rf"{_FREE}{_percent('p')}\s+of\s+(?:the\s+)?{_n('n')}{_IE}{_n('r')}{_ENDS}",
        _of("*", "p", "n"),
    ),
    _phrase(
        "which percentage",
        "% of|percent of",
        rf"{_FREE}{_n('a')}\s+is\s+{_percent('r')}\s+of\s+(?:the\s+)?{_n('b')}{_ENDS}",
        _of("/", "a", "b"),
    ),
    _phrase(
        "which percentage",
        "out of",
        rf"{_FREE}{_n('a', money=False)}\s+out of\s+{_n('b', money=False)}{_SAYS}{_percent('r')}"
        r"(?!\s?(?:of|more|less|higher|lower)\b)",
        _of("/", "a", "b"),
    ),
    _phrase(
        "a percentage more",
        "by ",
        rf"{_FREE}{_n('n')}\s+{_UP}\s+by\s+{_percent('p')}{_SAYS}{_n('r')}{_ENDS}",
        _changed("+"),
    ),
    _phrase(
        "a percentage less",
        "by ",
        rf"{_FREE}{_n('n')}\s+{_DOWN}\s+by\s+{_percent('p')}{_SAYS}{_n('r')}{_ENDS}",
        _changed("-"),
    ),
    # "10% off $50 is $5": what is taken off may be meant
    _phrase(
        "a percentage less",
        " off ",
        rf"{_FREE}{_percent('p')}\s+off\s+(?:of\s+)?{_n('n')}{_SAYS}{_n('r')}{_ENDS}",
        _changed("-"),
        _of("*", "p", "n"),
    ),
    _phrase(
        "a change in percent",
        "% |percent ",
        rf"\bfrom\s+{_n('a')}\s+to\s+{_n('b')}\s*,?\s+(?:which is\s+|i\.e\.,?\s+|that is,?\s+)?an?\s+{_percent('r')}\s+"
        r"(?:increase|decrease|rise|drop|gain|loss|reduction|growth|decline)\b(?!\s+(?:per|a|each|every|in|over|annual|on|of)\b)",
        _change,
    ),
    _phrase(
        "a ratio",
        "ratio",
        rf"\bratio(?:\s+(?:of|is))?\s+{_n('a', money=False)}\s?:\s?{_n('b', money=False)}\s+"
        rf"(?:=|simplifies to|reduces to|is equivalent to|is the same as|is equal to|equals)\s+"
        rf"(?P<r>{_VALUE}\s?:\s?{_VALUE})(?!\s?:|[\d.]*\d|%)",
        _of("/", "a", "b"),
    ),
    _phrase(
        "a square",
        " squared",
        rf"{_FREE}{_n('n', money=False)}\s+squared{_SAYS}{_n('r', money=False)}{_ENDS}",
        _power(2),
    ),
    _phrase(
        "a cube", " cubed", rf"{_FREE}{_n('n', money=False)}\s+cubed{_SAYS}{_n('r', money=False)}{_ENDS}", _power(3)
    ),
    _phrase(
        "a dozen",
        " dozen",
        rf"{_FREE}{_n('n', money=False)}\s+dozens?(?P<noun>\s+[a-z]+)?{_SAYS}{_n('r', money=False)}"
        rf"(?(noun)(?=(?P=noun)\b)){_ENDS}",
        lambda groups: Node("*", (number(groups["n"]), Num(Fraction(12)))),
    ),
    _phrase(
        "numbers in words",
        " plus | minus | times ",
        rf"{_FREE_WORD}(?P<a>{_WORD})\s+(?P<sign>plus|minus|times)\s+(?P<b>{_WORD}){_SAYS}(?P<r>{_WORD})\b{_ENDS}(?!-|\s{NUMBER_WORDS})",
        _signed,
    ),
    _phrase(
        "containers",
        "s of ",
        rf"{_FREE}(?P<a>{_WORD})\s+{_CONTAINERS}\s+of\s+(?P<b>{_WORD}){_SAYS}{_n('r', money=False)}{_ENDS}",
        _of("*", "a", "b"),
        is_sure=False,
    ),
    _phrase(
        "a price each",
        " at $",
        rf"{_FREE}{_n('a', money=False)}\s+[a-z]+\s+at\s+(?P<b>\$\s?{_VALUE})(?:\s+(?:each|apiece))?{_SAYS}"
        rf"(?P<r>\$\s?{_VALUE}){_ENDS}",
        _of("*", "a", "b"),
        is_sure=False,
    ),
)
# both ends of an interval are claims of their own
INTERVAL = re.compile(
    rf"{_FREE}(?P<a>{_VALUE})\s?(?:±|\\pm|\+/-)\s?(?P<b>{_VALUE})(?:\s?(?:\*|×|\\times|\\cdot|·)\s?(?P<c>{_VALUE}))?\s?"
    rf"=\s?[(\[]\s?(?P<low>-?{_VALUE})\s?,\s?(?P<high>-?{_VALUE})\s?[)\]]"
)
