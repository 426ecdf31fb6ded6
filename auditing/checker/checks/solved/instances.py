"""Letters that stand for one thing in each of several instances: y = 6 when x = 3, and what is x when y = 14?

So do letters of two equations whose solutions are two numbers: "the solutions of 3x + 2 = 11 and x + a = 4 are
opposite". Held in one system they would contradict each other.
"""

from __future__ import annotations

import re
from collections import Counter

from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.tree import Sym, free_symbols
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage

# "substituting x = 3 and y = 6 gives": a pair that a rule is found by, of which it has others
_PAIR_BEFORE = re.compile(
    r"\bsubstitut(?:e|ing)\W{0,6}(?:[A-Za-z]\s?=[^=.;]{1,12}(?:\band\b|,)\W{0,6})?$", re.IGNORECASE
)
_PAIR_BEHIND = re.compile(r"\W{0,6}(?:and\b\W{0,6})?[A-Za-z]\s?=")
# y = 6 when x = 3; when x = 3, y = 6
_WHEN_BEFORE = re.compile(r"\bwhen\W{0,6}(?:[A-Za-z]\s?=[^=.;]{1,12},\W{0,6})?$", re.IGNORECASE)
_WHEN_BEHIND = re.compile(r"\W{0,6}when\b", re.IGNORECASE)
_NEAR = 40
# solutions that are told to be related ("the sum of the solutions of ... is 1"); a system has its solutions in common
_RELATED = re.compile(
    r"\b(?:sum|difference|product|ratio) of (?:the |their )?(?:solutions?|roots?)\b|"
    r"\b(?:solutions?|roots?)\b[^.?]{0,200}\b(?:opposites?|reciprocals?|negatives?|inverses?|greater|larger|less|smaller|"
    r"more|twice|thrice|times|half|exceeds?)\b",
    re.IGNORECASE,
)
_TOGETHER = any_of("system* simultaneous*")


def is_of_a_pair(before: str, after: str) -> bool:
    """Whether an equation is one of two that are put into a rule together, by the text on either side of it."""
    head = _PAIR_BEFORE.search(before)
    return head is not None and ("=" in head[0] or _PAIR_BEHIND.match(after) is not None)


def letter_of_one_instance(problem: Passage, chain: Chain) -> str | None:
    """The letter that a problem gives a value for one instance of several; None where it gives none."""
    letter, value = chain.sides[0].tree, chain.sides[1].tree
    if not isinstance(letter, Sym) or value is None or free_symbols(value):
        return None
    before = problem.text[max(0, chain.start - _NEAR) : chain.start]
    is_of_one = _WHEN_BEFORE.search(before) or _WHEN_BEHIND.match(problem.text, chain.end)
    return letter.name if is_of_one else None


def letters_of_related_solutions(problem: Passage) -> set[str]:
    """Letters that stand in two equations of a problem whose solutions are told to be two numbers."""
    if _TOGETHER.search(problem.text) or not _RELATED.search(problem.text):
        return set()
    equations = [chain for chain in problem.page.chains if chain.relations == ["="]]
    times = Counter(letter for chain in equations for letter in _letters_of(chain))
    return {letter for letter, count in times.items() if count > 1}


def _letters_of(chain: Chain) -> set[str]:
    return {letter for side in chain.sides if side.tree is not None for letter in free_symbols(side.tree)}
