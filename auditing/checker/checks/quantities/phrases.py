"""Checker: computations that a phrase names: percentages, changes, ratios, intervals, numbers in words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.checks.numbers.beginnings import begins_before
from auditing.checker.checks.numbers.verbal_arithmetic import is_doubtful
from auditing.checker.checks.quantities.amounts import known
from auditing.checker.checks.quantities.compared_forms import BESIDE, ORDERS
from auditing.checker.checks.quantities.equal_forms import EQUALS
from auditing.checker.checks.quantities.figure_forms import FIGURES
from auditing.checker.checks.quantities.gathered_forms import GATHERED
from auditing.checker.checks.quantities.money_forms import MONEY
from auditing.checker.checks.quantities.named_forms import OPERATIONS
from auditing.checker.checks.quantities.phrase_forms import INTERVAL, PHRASES
from auditing.checker.checks.quantities.phrase_pieces import Phrase, number, tree_of
from auditing.checker.checks.quantities.row_forms import ROWS
from auditing.checker.checks.quantities.signed_forms import SIGNED
from auditing.checker.checks.quantities.told_forms import TOLD
from auditing.checker.checks.word_index import WordIndex
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, HOLDS, shown
from auditing.checker.mathematics.evaluate import Setting
from auditing.checker.mathematics.tree import Node, Tree, literals, plain
from auditing.checker.proofs.formulas import of_numbers
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "phrases"
ALL_PHRASES = (*PHRASES, *TOLD, *SIGNED, *EQUALS, *BESIDE, *ORDERS, *OPERATIONS, *ROWS, *FIGURES, *MONEY, *GATHERED)

_INDEX = WordIndex((index, phrase.words) for index, phrase in enumerate(ALL_PHRASES))
_AT_NUMBERS = frozenset(index for index, phrase in enumerate(ALL_PHRASES) if phrase.starts_with_a_number)
# a sign of its first one in front, which is looked at sooner than what stands before it
_NUMBER = re.compile(r"(?=[$€£.\d\\−-])(?<![\w.,])(?:[$€£]\s?)?(?:[-−](?=[\d.]))?(?:\d|\.\d|\\[dt]?frac\b)")
_FEW = 8  # places
_WORD = re.compile(r"[A-Za-z]{1,15}")
# a word before the first number that makes it a part of something else
_PART_BEFORE = re.compile(
    r"(?:\b(?:hundred|thousand|million|between|and|or|first|last|next|other|every|each|number)|\d)\s+$", re.I
)


def check(script: Script) -> Iterator[Placed]:
    """Every form of the table in every passage, and every interval written as a number with its margin."""
    exact = frozenset(value for value in script.given if value.denominator > 1)
    for passage, numbers in _INDEX.by_passage(script):
        for phrase, match in _matches(passage, numbers):
            yield from _judged(passage, match, phrase, exact)
        if "±" in passage.text or "\\pm" in passage.text or "+/-" in passage.text:
            for match in INTERVAL.finditer(passage.text):
                yield from _interval(passage, match, exact)


def _matches(passage: Passage, numbers: list[int]) -> Iterator[tuple[Phrase, re.Match[str]]]:
    """Every form with what it matches; those that may begin anywhere first."""
    text = passage.text
    for index in numbers:
        if index not in _AT_NUMBERS:
            yield from ((ALL_PHRASES[index], match) for match in ALL_PHRASES[index].pattern.finditer(text))
    at_numbers = [ALL_PHRASES[index] for index in numbers if index in _AT_NUMBERS]
    places = [match.start() for match in _NUMBER.finditer(text)] if at_numbers else []
    if len(places) < 2:
        return
    for phrase in at_numbers:
        cue = phrase.pattern
        if not cue.may_match(text):
            continue
        # to ask where the last may begin costs as much as to try a few
        near = places if len(places) < _FEW else places[: bisect_right(places, cue.last_beginning(text))]
        match_at, end = cue.compiled.match, 0
        for start in near:
            # one behind the other, as `finditer` would find them
            if start >= end and (match := match_at(text, start)):
                end = match.end()
                yield phrase, match


def _judged(passage: Passage, match: re.Match[str], phrase: Phrase, exact: frozenset[Fraction]) -> Iterator[Placed]:
    try:
        readings = [build(match.groupdict()) for build in phrase.readings]
        claimed = _claimed(match["r"])
    except (ValueError, KeyError, ZeroDivisionError):
        return  # words or signs between the numbers that this form does not mean
    # a percentage of percentages may be meant in points
    if phrase.rule == "a change in percent" and any(literal.percent for tree in readings for literal in literals(tree)):
        return
    yield from _compared(passage, match, phrase, readings, claimed, exact)


def _claimed(text: str) -> Tree:
    if ":" in text:
        above, below = text.split(":")
        return Node("/", (number(above), number(below)))
    return tree_of(text)


_INTERVAL = Phrase("an interval", (), INTERVAL, ())


def _interval(passage: Passage, match: re.Match[str], exact: frozenset[Fraction]) -> Iterator[Placed]:
    margin: Tree = number(match["b"])
    if match["c"]:
        margin = Node("*", (margin, number(match["c"])))
    for sign, end in (("-", "low"), ("+", "high")):
        claimed = number(match[end].lstrip("-"))
        tree: Tree = Node("neg", (claimed,)) if match[end].startswith("-") else claimed
        reading = Node(sign, (number(match["a"]), margin))
        yield from _compared(passage, match, _INTERVAL, [reading], tree, exact)


def _converts(text: str) -> bool:
    """Half of 2 hours = 60 minutes: units of one kind and two sizes."""
    units = {unit for word in _WORD.findall(text) if (unit := known(word)) is not None}
    return len(units) > len({dimension for dimension, _ in units})


def _compared(
    passage: Passage,
    match: re.Match[str],
    phrase: Phrase,
    readings: list[Tree],
    claimed: Tree,
    exact: frozenset[Fraction],
) -> Iterator[Placed]:
    start, end = match.start(), match.end()
    assumed = Setting(rounded=frozenset(), exact=exact)
    left, right = Side(readings[0], start, end, others=tuple(readings[1:])), Side(claimed, start, end)
    judgement = judge(left, right, phrase.relation, assumed)
    if judgement.state != HOLDS and (phrase.verifies_alone or judgement.state != FAILS):
        return
    # 0.5 is a rounded 0.45, and not the smallest of 0.5, 0.45 and 0.6
    is_another = phrase.picks and judgement.left != judgement.right
    holds = judgement.state == HOLDS and not is_another
    chain = Chain([left, right], [phrase.relation], start, end)
    if not holds and (
        is_doubtful(passage.text, match)
        or _converts(passage.text[start : end + 16])
        or _PART_BEFORE.search(passage.text[max(0, start - 20) : start])
        or begins_before(passage.text[max(0, start - 20) : start])
        or context_doubt(passage.text, chain, 0)
    ):
        return
    doubt = (
        ""
        if holds
        else about_the_text(passage, start, end) or ("" if phrase.is_sure else "another thing may be counted")
    )
    said = plain(claimed)
    correction = "as said" if holds else f"not {said}"
    yield place(
        passage=passage,
        start=start,
        end=end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule=phrase.rule,
        sentence=f"{' '.join(match.group().split())}: {plain(readings[0])} is {shown(judgement.left)}, {correction}.",
        details={
            "read": match.group(),
            "left": shown(judgement.left),
            "right": said,
            "rule": phrase.rule,
            "evidence_latex": rf"\text{{{phrase.rule}: }} {shown(judgement.left)}",
            **({"doubt": doubt} if doubt else {}),
            **(of_numbers(left, right, phrase.relation, assumed) if phrase.is_proved and not is_another else {}),
        },
        grade=Grade.LIKELY if doubt else Grade.CERTAIN,
    )
