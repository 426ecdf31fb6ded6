"""Equations of points: (x, y) = (3, 4) says that x is 3 and y is 4."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree
from auditing.checker.reading.passages import MAX_PASSAGE, Passage
from hdag.core.text.cues import Cue

_LETTER, _NUMBER = r"\s?([A-Za-z])\s?", r"\s?([-−]?\d{1,9}(?:\.\d{1,6})?)\s?"
_POINT = Cue(
    rf"(?<![\w\\])\({_LETTER},{_LETTER}(?:,{_LETTER})?\)\s?=\s?\({_NUMBER},{_NUMBER}(?:,{_NUMBER})?\)(?![,\s]{{0,4}}\()"
)
# one of several points, or one that is tried
_SEVERAL = re.compile(r"\b(?:or|either|points?|vertex|vertices|solutions|try|test|check|cases?)\b|[,;{]\s?$", re.I)


def with_points(passage: Passage) -> list[Chain]:
    """The chains of a passage, and those that its one equation between points stands for."""
    chains = passage.page.chains
    if ")" not in passage.text or "=" not in passage.text:
        return chains
    found = list(_POINT.finditer(passage.text[:MAX_PASSAGE]))
    if len(found) != 1 or _SEVERAL.search(passage.text[max(0, found[0].start() - 80) : found[0].end() + 40]):
        return chains
    return sorted([*chains, *_components(found[0])], key=lambda chain: chain.start)


def holds_a_point(passage: Passage) -> bool:
    """Whether an equation between points adds to the chains of a passage."""
    return with_points(passage) is not passage.page.chains


def is_of_a_point(left: Side, right: Side, passage: Passage) -> bool:
    """Whether two sides are components of two points: between them a bracket closes and another opens."""
    between = passage.text[left.end : right.start]
    return ")" in between and "(" in between


def _components(match: re.Match[str]) -> Iterator[Chain]:
    for letter, number in ((1, 4), (2, 5), (3, 6)):
        if match[letter] and match[number]:
            sides = [
                Side(tree, *match.span(at))
                for tree, at in ((Sym(match[letter]), letter), (_tree(match[number]), number))
            ]
            yield Chain(sides, ["="], match.start(letter), match.end(number))


def _tree(text: str) -> Tree:
    digits = text.lstrip("-−")
    number = Num(Fraction(digits), len(digits.partition(".")[2]))
    return number if digits == text else Node("neg", (number,))
