"""Rates of exchange that the problem tells: "If 4 daps = 7 yaps and 5 yaps = 3 baps", then "4 daps = 21 baps".

Two amounts of different things are worth the same; what a step says of two of them has to follow from these rates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.solved.placing import is_open, refuted
from auditing.checker.mathematics.tree import Node, Num, Tree
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "a rate of exchange"
_AMOUNT = r"(?<![\w./])(?<![-+*/^×]\s)(?P<{0}>\d{{1,5}})\s(?P<{1}>[a-z]{{2,15}})"
_IS = r"\s?(?:=|equals?|are\s(?:equal|equivalent|worth)(?:\sto)?|(?:have|has)\sthe\ssame\svalue\sas)\s?"
_TOLD = Cue(_AMOUNT.format("count", "thing") + _IS + r"(?P<other>\d{1,5})\s(?P<rival>[a-z]{2,15})\b", re.IGNORECASE)
# 4 daps = 7 (3 baps) = 21 baps: the first amount and the last
_SAID = Cue(
    _AMOUNT.format("count", "thing")
    + r"\s?=\s?(?:(?:(?!\b(?:and|so|or|then|while|if)\b)[^=\n.;,]){1,60}=\s?)?(?P<other>\d{1,5}(?:/\d{1,5})?)\s"
    r"(?P<rival>[a-z]{2,15})\b(?!\s?[-+*/×^])",
    re.IGNORECASE,
)
_OVER_ZERO = re.compile(r"/0+$")
# rates of a problem: one alone is no exchange, and of many few are meant
_FEWEST, _MOST = 2, 8


def check(script: Script) -> Iterator[Placed]:
    """What a step says two amounts to be worth, against the rates of the problem."""
    told = list(_TOLD.finditer(script.problem.text))
    if not _FEWEST <= len(told) <= _MOST:
        return
    rates = _rates(told)
    for passage in script.near(_SAID):
        for match in _SAID.finditer(passage.text):
            yield from _judged(passage, match, rates, tuple(rate[0] for rate in told))


def _name(word: str) -> str:
    return word.lower().rstrip("s")


def _rates(told: list[re.Match[str]]) -> dict[tuple[str, str], Tree]:
    """What one of a thing is worth in another; nothing where two ways lead to different rates."""
    rates: dict[tuple[str, str], Tree] = {}
    for rate in told:
        thing, rival = _name(rate["thing"]), _name(rate["rival"])
        count, amount = Num(Fraction(rate["count"])), Num(Fraction(rate["other"]))
        if thing == rival or not count.value or not amount.value or (thing, rival) in rates:
            return {}
        rates[thing, rival], rates[rival, thing] = Node("/", (amount, count)), Node("/", (count, amount))
    # two rates in a row are a third
    for (thing, by), first in list(rates.items()):
        for (again, rival), second in list(rates.items()):
            if by == again and thing != rival:
                worth = Node("*", (first, second))
                if _value(rates.setdefault((thing, rival), worth)) != _value(worth):
                    return {}
    return rates


def _judged(
    passage: Passage, match: re.Match[str], rates: dict[tuple[str, str], Tree], texts: tuple[str, ...]
) -> Iterator[Placed]:
    rate = rates.get((_name(match["thing"]), _name(match["rival"])))
    if rate is None or _OVER_ZERO.search(match["other"]):
        return
    count, claimed = Num(Fraction(match["count"])), _fraction(match["other"])
    worth = Node("*", (count, rate))
    if _value(worth) == Fraction(match["other"]) or is_open(passage, match.start(), match.end()):
        return
    sentence = f"{match['count']} {match['thing']} are not worth {match['other']} {match['rival']}:"
    yield refuted(passage, match.span(), RULE, (worth, claimed), sentence, texts)


def _fraction(text: str) -> Tree:
    above, _, below = text.partition("/")
    number = Num(Fraction(above))
    return Node("/", (number, Num(Fraction(below)))) if below else number


def _value(tree: Tree) -> Fraction:
    if isinstance(tree, Num):
        return tree.value
    assert isinstance(tree, Node)
    first, second = map(_value, tree.args)
    return first * second if tree.op == "*" else first / second
