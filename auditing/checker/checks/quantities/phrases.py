"""Checker: computations that a phrase names: percentages, changes, ratios, intervals, numbers in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.checks.numbers.verbal_arithmetic import is_doubtful
from auditing.checker.checks.quantities.phrase_forms import INTERVAL, PHRASES, Phrase, number
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
# a word before the first number that makes it a part of something else
_PART_BEFORE = re.compile(
    r"(?:\b(?:hundred|thousand|million|and|or|first|last|next|other|every|each|number)|\d)\s+$", re.I
)


def check(script: Script) -> Iterator[Placed]:
    """Every form of the table in every passage, and every interval written as a number with its margin."""
    exact = frozenset(value for value in script.given if value.denominator > 1)
    for passage in script.passages:
        for phrase in PHRASES:
            if any(word in passage.lower for word in phrase.words):
                for match in phrase.pattern.finditer(passage.text):
                    yield from _judged(passage, match, phrase, exact)
        if "±" in passage.text or "\\pm" in passage.text or "+/-" in passage.text:
            for match in INTERVAL.finditer(passage.text):
                yield from _interval(passage, match, exact)


def _judged(passage: Passage, match: re.Match[str], phrase: Phrase, exact: frozenset[Fraction]) -> Iterator[Placed]:
    try:
        readings = [build(match.groupdict()) for build in phrase.readings]
        claimed = _claimed(match["r"])
    except (ValueError, KeyError, ZeroDivisionError):
        return
    # a percentage of percentages may be meant in points
    if phrase.rule == "a change in percent" and any(literal.percent for tree in readings for literal in literals(tree)):
        return
    yield from _compared(passage, match, phrase.rule, readings, claimed, exact, is_sure=phrase.is_sure)


def _claimed(text: str) -> Tree:
    if ":" in text:
        above, below = text.split(":")
        return Node("/", (number(above), number(below)))
    return number(text)


def _interval(passage: Passage, match: re.Match[str], exact: frozenset[Fraction]) -> Iterator[Placed]:
    margin: Tree = number(match["b"])
    if match["c"]:
        margin = Node("*", (margin, number(match["c"])))
    for sign, end in (("-", "low"), ("+", "high")):
        claimed = number(match[end].lstrip("-"))
        tree: Tree = Node("neg", (claimed,)) if match[end].startswith("-") else claimed
        reading = Node(sign, (number(match["a"]), margin))
        yield from _compared(passage, match, "an interval", [reading], tree, exact, is_sure=True)


def _compared(
    passage: Passage,
    match: re.Match[str],
    rule: str,
    readings: list[Tree],
    claimed: Tree,
    exact: frozenset[Fraction],
    *,
    is_sure: bool,
) -> Iterator[Placed]:
    start, end = match.start(), match.end()
    assumed = Setting(rounded=frozenset(), exact=exact)
    left, right = Side(readings[0], start, end, others=tuple(readings[1:])), Side(claimed, start, end)
    judgement = judge(left, right, "=", assumed)
    if judgement.state not in (HOLDS, FAILS):
        return
    holds = judgement.state == HOLDS
    chain = Chain([left, right], ["="], start, end)
    if not holds and (
        is_doubtful(passage.text, match)
        or _PART_BEFORE.search(passage.text[max(0, start - 20) : start])
        or context_doubt(passage.text, chain, 0)
    ):
        return
    doubt = "" if holds else about_the_text(passage, start, end) or ("" if is_sure else "another thing may be counted")
    said = plain(claimed)
    correction = "as said" if holds else f"not {said}"
    yield place(
        passage=passage,
        start=start,
        end=end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule=rule,
        sentence=f"{' '.join(match.group().split())}: {plain(readings[0])} is {shown(judgement.left)}, {correction}.",
        details={
            "read": match.group(),
            "left": shown(judgement.left),
            "right": said,
            "rule": rule,
            "evidence_latex": rf"\text{{{rule}: }} {shown(judgement.left)}",
            **({"doubt": doubt} if doubt else {}),
            **of_numbers(left, right, "=", assumed),
        },
        grade=Grade.LIKELY if doubt else Grade.CERTAIN,
    )
