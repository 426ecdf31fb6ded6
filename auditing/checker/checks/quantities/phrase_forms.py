"""Phrases that name a computation and its result: "8 is 20% of 40", "from 80 to 100, a 25% increase", "12:18 = 2:3".

A form is a pattern whose group `r` is the number claimed, and the trees that the other groups come to: one for each way
in which people mean the phrase. It is false only where all of them are.
"""

from __future__ import annotations

from fractions import Fraction

from auditing.checker.checks.quantities.number_words import NUMBER_WORDS
from auditing.checker.checks.quantities.phrase_pieces import FREE, VALUE, Build, Groups, number, of, phrase
from auditing.checker.mathematics.tree import Node, Num, Tree
from auditing.checker.mathematics.vocabulary import GOES_ON
from hdag.core.text.cues import Cue


def _n(name: str, *, money: bool = True) -> str:
    sign = r"[$€£]?\s?" if money else ""
    return rf"(?P<{name}>{sign}{VALUE})"


def _percent(name: str) -> str:
    return rf"(?P<{name}>{VALUE}\s?(?:\\?%|percent\b))"


_SAYS = r"\s*(?:=|\b(?:is equal to|is exactly|is|are|equals|equal|makes|make|gives|give|comes to|yields)\b)\s*"
_ENDS = (
    rf"(?![\d.,]*\d|,?\s(?:{GOES_ON})|\s?[-+*/×÷^:%=<>±]|"
    r"\s?\\|\s?percent\b|\s?(?:more|less|times|of|fewer|greater|or|to|dozen|hundred|"
    r"thousand|million|billion|older|younger|higher|lower|larger|smaller|squared|cubed|plus|minus|mod|out|per|"
    r"each|and a)\b|[a-z]|!|\s?\()"
)
_UP = r"(?:increased|raised|marked up|grown|up)"
_DOWN = r"(?:decreased|reduced|discounted|lowered|marked down|diminished|down)"
_CONTAINERS = (
    r"(?:boxes|packs|packets|packages|bags|rows|groups|sets|cases|crates|bunches|cartons|stacks|piles|trays|columns|"
    r"bundles|baskets|shelves|jars|bottles|teams|rolls|decks)"
)
_WORD = rf"(?:{NUMBER_WORDS}|{VALUE})"
_FREE_WORD = (
    rf"(?<![\w.,/^*×÷$-])(?<![*+×÷^/-]\s)(?<!\w-)(?={NUMBER_WORDS}|{VALUE}\s+(?:plus|minus|times)\s+{NUMBER_WORDS})"
)


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


_IE = r"(?:,?\s*(?:i\.\s?e\.|that is|namely|which is|which equals|which comes to),?\s+)"
PHRASES = (
    phrase(
        "a percentage",
        "% of|percent of",
        rf"{FREE}{_percent('p')}\s+of\s+(?:the\s+)?{_n('n')}{_IE}{_n('r')}{_ENDS}",
        of("*", "p", "n"),
    ),
    phrase(
        "which percentage",
        "% of|percent of",
        rf"{FREE}{_n('a')}\s+is\s+{_percent('r')}\s+of\s+(?:the\s+)?{_n('b')}{_ENDS}",
        of("/", "a", "b"),
    ),
    phrase(
        "which percentage",
        "out of",
        rf"{FREE}{_n('a', money=False)}\s+out of\s+{_n('b', money=False)}{_SAYS}{_percent('r')}"
        r"(?!\s?(?:of|more|less|higher|lower)\b)",
        of("/", "a", "b"),
    ),
    phrase(
        "a percentage more",
        "by ",
        rf"{FREE}{_n('n')}\s+{_UP}\s+by\s+{_percent('p')}{_SAYS}{_n('r')}{_ENDS}",
        _changed("+"),
    ),
    phrase(
        "a percentage less",
        "by ",
        rf"{FREE}{_n('n')}\s+{_DOWN}\s+by\s+{_percent('p')}{_SAYS}{_n('r')}{_ENDS}",
        _changed("-"),
    ),
    # "10% off $50 is $5": what is taken off may be meant
    phrase(
        "a percentage less",
        " off ",
        rf"{FREE}{_percent('p')}\s+off\s+(?:of\s+)?{_n('n')}{_SAYS}{_n('r')}{_ENDS}",
        _changed("-"),
        of("*", "p", "n"),
    ),
    phrase(
        "a change in percent",
        "% |percent ",
        rf"\bfrom\s+{_n('a')}\s+to\s+{_n('b')}\s*,?\s+(?:which is\s+|i\.e\.,?\s+|that is,?\s+)?an?\s+{_percent('r')}\s+"
        r"(?:increase|decrease|rise|drop|gain|loss|reduction|growth|decline)\b(?!\s+(?:per|a|each|every|in|over"
        r"|annual|on|of)\b)",
        _change,
    ),
    phrase(
        "a ratio",
        "ratio",
        rf"\bratio(?:\s+(?:of|is))?\s+{_n('a', money=False)}\s?:\s?{_n('b', money=False)}\s+"
        rf"(?:=|simplifies to|reduces to|is equivalent to|is the same as|is equal to|equals)\s+"
        rf"(?P<r>{VALUE}\s?:\s?{VALUE})(?!\s?:|[\d.]*\d|%)",
        of("/", "a", "b"),
    ),
    phrase(
        "a square",
        " squared",
        rf"{FREE}{_n('n', money=False)}\s+squared{_SAYS}{_n('r', money=False)}{_ENDS}",
        _power(2),
    ),
    phrase("a cube", " cubed", rf"{FREE}{_n('n', money=False)}\s+cubed{_SAYS}{_n('r', money=False)}{_ENDS}", _power(3)),
    phrase(
        "a dozen",
        " dozen",
        rf"{FREE}{_n('n', money=False)}\s+dozens?(?P<noun>\s+[a-z]+)?{_SAYS}{_n('r', money=False)}"
        rf"(?(noun)(?=(?P=noun)\b)){_ENDS}",
        lambda groups: Node("*", (number(groups["n"]), Num(Fraction(12)))),
    ),
    phrase(
        "numbers in words",
        " plus | minus | times ",
        rf"{_FREE_WORD}(?P<a>{_WORD})\s+(?P<sign>plus|minus|times)\s+(?P<b>{_WORD}){_SAYS}(?P<r>{_WORD})\b{_ENDS}"
        rf"(?!-|\s{NUMBER_WORDS})",
        _signed,
    ),
    phrase(
        "containers",
        "s of ",
        rf"{FREE}(?P<a>{_WORD})\s+{_CONTAINERS}\s+of\s+(?P<b>{_WORD}){_SAYS}{_n('r', money=False)}{_ENDS}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    phrase(
        "a price each",
        " at $",
        rf"{FREE}{_n('a', money=False)}\s+[a-z]+\s+at\s+(?P<b>\$\s?{VALUE})(?:\s+(?:each|apiece))?{_SAYS}"
        rf"(?P<r>\$\s?{VALUE}){_ENDS}",
        of("*", "a", "b"),
        is_sure=False,
    ),
)
# both ends of an interval are claims of their own
INTERVAL = Cue(
    rf"{FREE}(?P<a>{VALUE})\s?(?:±|\\pm|\+/-)\s?(?P<b>{VALUE})(?:\s?(?:\*|×|\\times|\\cdot|·)\s?(?P<c>{VALUE}))?\s?"
    rf"=\s?[(\[]\s?(?P<low>-?{VALUE})\s?,\s?(?P<high>-?{VALUE})\s?[)\]]"
)
