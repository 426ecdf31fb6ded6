"""Checker: results that the trace itself takes back, and what is computed with them all the same.

"Wait, the total should be 15, not 12." takes back the 12 of an earlier line: a computation behind it with 12 rests on
nothing, and one between the two may fall with it. Doubts and notes alone: the 12 may be another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.tree import Node, bare_number, literals, number_text, plain
from auditing.checker.reading.passages import Passage, Placed, Script, numbers_in, place
from hdag.core.text.cues import Cue
from hdag.core.values import Source

NAME = "retractions"
_TAKES_BACK = Cue(
    r"\b(?:wait|oops|actually|sorry|correction|mistake|wrong|incorrect|error|hold on|scratch that|no,|not right"
    r"|misread|"
    r"miscalculated|miscounted|recheck\w*|double[- ]check\w*|on second thought|should have been|should be)\b",
    re.I,
)
_NUMBER = r"\\?[$(]?\(?\s?(-?(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?:\.\d{1,9})?)(?![\d.,]*\d|%|\s?[-+*/^])"
_NOT = re.compile(
    rf"{_NUMBER}(?:\s[a-z]{{1,15}}){{0,3}}\\?[$)]?\)?,?\s(?:and\s)?(?:not|instead of|rather than)\s{_NUMBER}"
)
_BUT = re.compile(
    rf"\bnot\s{_NUMBER}(?:\s[a-z]{{1,15}}){{0,3}}\\?[$)]?\)?,?\s(?:but|it is|it's|it should be)\s(?:rather\s"
    rf"|actually\s)?{_NUMBER}"
)
_SENTENCE = re.compile(r"[.!?]\s|\n")
# of so many retractions of one trace
MAX_RETRACTED = 20


@dataclass(frozen=True, slots=True)
class Retraction:
    """The passage that takes a number back, the passage that had it for a result, and what stands for it now."""

    passage: int
    origin: int
    old: Fraction
    new: Fraction


def check(script: Script) -> Iterator[Placed]:
    """Every computation with a number that was a result, was taken back, and has not been found again since."""
    passages = [passage for passage in script.passages if passage.source is Source.THINKING]
    if not script.near(_TAKES_BACK) or not any(_TAKES_BACK.search(passage.text) for passage in passages):
        return
    results = [frozenset(_results(passage)) for passage in passages]
    for retraction in _retractions(passages, results, script.given):
        for index in range(retraction.origin + 1, len(passages)):
            again = any(retraction.old in results[at] for at in range(retraction.passage, index + 1))
            if index > retraction.passage and again:
                break
            if index != retraction.passage:
                yield from _leaning(passages[index], retraction, is_behind=index > retraction.passage)


def _results(passage: Passage) -> Iterator[Fraction]:
    """The numbers that a passage comes to by a computation."""
    for chain in passage.page.chains:
        for left, right in zip(chain.sides, chain.sides[1:], strict=False):
            number = bare_number(right.tree) if right.tree is not None else None
            if number is not None and not (left.tree is not None and bare_number(left.tree) is not None):
                yield number.value


def _retractions(
    passages: list[Passage], results: list[frozenset[Fraction]], given: frozenset[Fraction]
) -> Iterator[Retraction]:
    count = 0
    for index, passage in enumerate(passages):
        for new, old in _taken_back(passage.text):
            origin = next((at for at in range(index - 1, -1, -1) if old in results[at]), None)
            # a given is not taken back but was misread; and what was never a result, nobody leaned on
            if origin is not None and old not in given and old != new and count < MAX_RETRACTED:
                count += 1
                yield Retraction(index, origin, old, new)


def _taken_back(text: str) -> Iterator[tuple[Fraction, Fraction]]:
    """(new, old) of every sentence that takes a number back."""
    for sentence in _SENTENCE.split(text[:4_000]):
        if _TAKES_BACK.search(sentence):
            for match in _NOT.finditer(sentence):
                yield _value(match[1]), _value(match[2])
            for match in _BUT.finditer(sentence):
                yield _value(match[2]), _value(match[1])


def _value(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))


def _leaning(passage: Passage, retraction: Retraction, *, is_behind: bool) -> Iterator[Placed]:
    """The first computation of a passage with the number that was taken back; nothing where the new one stands, too."""
    if is_behind and retraction.new in numbers_in(passage):
        return
    side = next(
        (side for chain in passage.page.chains for side in _computed(chain) if _uses(side, retraction.old)), None
    )
    if side is None or side.tree is None:
        return
    old, new = number_text(retraction.old), number_text(retraction.new)
    when = "was taken back before" if is_behind else "is taken back later"
    yield place(
        passage=passage,
        start=side.start,
        end=side.end,
        verdict=Verdict.REFUTED if is_behind else Verdict.NOT_APPLICABLE,
        checker=NAME,
        rule="a retracted result" if is_behind else "a result retracted later",
        sentence=f"{plain(side.tree)} computes with {old}, which {when}: it is {new} there.",
        details={"left": old, "right": new, "rule": "a retracted result", "evidence_latex": rf"{old} \to {new}"},
        grade=Grade.LIKELY if is_behind else Grade.NOTE,
    )


def _computed(chain: Chain) -> list[Side]:
    return [side for side in chain.sides if isinstance(side.tree, Node) and bare_number(side.tree) is None]


def _uses(side: Side, value: Fraction) -> bool:
    return side.tree is not None and any(number.value == value for number in literals(side.tree))
