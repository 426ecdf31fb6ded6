"""What one unit holds of another, said in a sentence: "an hour has 60 minutes", "there are 12 inches in a foot".

Part of the check `units`. As a rate ("50 minutes per hour") it may be how long somebody does something, and is a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from auditing.checker.checks.numbers.beginnings import begins_before
from auditing.checker.checks.quantities.amounts import UNIT, counts_days, is_between_systems, known
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.tree import Node, Num, Sym, number_text
from auditing.checker.proofs.formulas import formula, packed
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

_COUNT = r"(?P<count>\d{1,3}(?:,\d{3}){1,2}|\d{1,7}(?:\.\d{1,4})?)"
_WHOLE, _PART = rf"(?P<whole>(?!in\b){UNIT})", rf"(?P<part>(?!in\b){UNIT})"
_ONE = rf"(?:an?|one|1|each|every)\s{_WHOLE}"
# an hour lesson, an hour-long one, a day of work: another hour, or another day
_OTHERS = "lessons?|class|sessions?|periods?|shifts?|games?|practice|meetings?|school|work"
_ENDS = rf"(?!-|\s(?:of|for|at|on|when|where|{_OTHERS})\b)"
_HOLDS = Cue(
    rf"\b(?:(?:an|a|one|each|every)\s{_WHOLE}\s(?:has|contains|consists of|is made up of|is equal to|equals|is)|"
    rf"1\s(?P<held>(?!in\b){UNIT})\s(?:has|contains|consists of))\s{_COUNT}\s{_PART}{_ENDS}",
    re.IGNORECASE,
)
_THERE_ARE = Cue(
    rf"(?:\bthere (?:are|is)\s{_COUNT}\s{_PART}\s(?:in|per)|"
    rf"(?<![\w.,/*+=-])(?<![*+=/-]\s)(?P<number>\d{{1,5}})\s(?P<named>(?!in\b){UNIT})\s(?:are in|make(?: up)?|equals?))"
    rf"\s{_ONE}{_ENDS}",
    re.IGNORECASE,
)
_NUMBER_OF = Cue(
    rf"(?:(?<![\w.,/*+=-])(?<![*+=/-]\s)(?P<number>\d{{1,7}})\sis\sthe\s(?:total\s)?number\sof\s(?P<named>(?!in\b){UNIT})"
    rf"\sin\s{_ONE}{_ENDS}|\bthe\s(?:total\s)?number\sof\s{_PART}\sin\s(?:an?|one|1|each|every)\s(?P<held>(?!in\b){UNIT})"
    rf"\s(?:is|equals|is\sequal\sto)\s{_COUNT}(?!\s?[-+*/×^]|[\d.,/]*\d|\s(?:times|to|or)\b))",
    re.IGNORECASE,
)
_RATE = Cue(rf"(?<![\w.,]){_COUNT}\s?{_PART}\s?(?:/|\bper\b)\s?{_WHOLE}(?![\w/^])", re.IGNORECASE)
_RATIO = Cue(rf"(?<![\w.,])1\s?{_WHOLE}\s?(?:/|\bper\b)\s?{_COUNT}\s?{_PART}(?![\w/^])", re.IGNORECASE)
# a factor is rounded so far, and a slip stays so near that nothing else may be meant
_OF_WORK = frozenset(map(Fraction, (5, 8, 10, 12)))
_ROUNDED, _NEAR = Fraction(3, 100), Fraction(2)


def tellers_near(script: Script) -> list[tuple[Cue, bool]]:
    """The forms of which the words stand somewhere in a script, each with whether it is a rate."""
    forms = (_HOLDS, False), (_THERE_ARE, False), (_NUMBER_OF, False), (_RATE, True), (_RATIO, True)
    return [form for form in forms if form[0].may_match(script.text)]


def has_own_units(problem: Passage) -> bool:
    """Whether a problem gives a unit its own size: "if there are 20 cups in a gallon" holds for all that follows."""
    text = problem.text[:MAX_PASSAGE]
    told = (_told(match) for cue in (_HOLDS, _THERE_ARE, _NUMBER_OF) for match in cue.finditer(text))
    return any(factor is not None and factor.told != factor.true for factor in told)


def factors_told(passage: Passage, tellers: Iterable[tuple[Cue, bool]], *, is_scaled: bool) -> Iterator[Placed]:
    """Every sentence that says how many of one unit another one holds; with a scale or a plan only those that hold."""
    text = passage.text[:MAX_PASSAGE]
    for cue, is_rate in tellers:
        for match in cue.finditer(text):
            yield from (
                placed
                for placed in _judged(passage, match, is_rate=is_rate)
                if not is_scaled or placed.finding.verdict is Verdict.VERIFIED
            )


def _is_of_work(count: Fraction, units: frozenset[str]) -> bool:
    """A day of work has eight hours, a week of it five days."""
    return counts_days(units) and count in _OF_WORK


class _Factor(NamedTuple):
    """How many of a part one whole is told to hold, and how many it holds."""

    whole: str
    smaller: str
    told: Fraction
    true: Fraction


def _told(match: re.Match[str]) -> _Factor | None:
    groups = match.groupdict()
    whole, smaller = groups.get("held") or groups["whole"], groups.get("named") or groups["part"]
    count = Fraction((groups.get("number") or groups["count"]).replace(",", ""))
    large, small = known(whole), known(smaller)
    if large is None or small is None or large[0] != small[0] or large[1] <= small[1]:
        return None
    is_mixed = is_between_systems(frozenset((whole, smaller)))
    return None if is_mixed else _Factor(whole, smaller, count, large[1] / small[1])


def _judged(passage: Passage, match: re.Match[str], *, is_rate: bool) -> Iterator[Placed]:
    told = _told(match)
    if told is None:
        return
    whole, smaller, count, factor = told
    units = frozenset((whole, smaller))
    off = count / factor
    holds = off == 1
    is_far = is_rate and not 1 / _NEAR <= off <= _NEAR
    if not holds and (abs(off - 1) <= _ROUNDED or is_far or _is_of_work(count, units)):
        return
    # a day that has six hours may be one of work
    is_open = match.re is _HOLDS.compiled and counts_days(units)
    start, end = match.start(), match.end()
    chain = Chain([Side(None, start, end), Side(None, start, end)], ["="], start, end)
    # half a yard is 1.5 feet
    is_part = not is_rate and begins_before(passage.text[max(0, start - 24) : start])
    if not holds and (is_part or context_doubt(passage.text, chain, 0)):
        return
    meant = "another rate may be meant" if is_rate else "a day of work may be meant" if is_open else ""
    doubt = "" if holds else about_the_text(passage, start, end) or meant
    true = f"1 {whole} is {number_text(factor)} {smaller}"
    left, right = Node("*", (Num(Fraction(1)), Sym(whole))), Node("*", (Num(count), Sym(smaller)))
    yield place(
        passage=passage,
        start=start,
        end=end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker="units",
        rule="conversion",
        sentence=f"{true}{'' if holds else f', not {number_text(count)} {smaller}'}.",
        details={
            "read": match.group(),
            "left": f"{number_text(factor)} {smaller}",
            "right": f"{number_text(count)} {smaller}",
            "rule": "conversion",
            "evidence_latex": rf"\text{{{true}}}",
            **({"doubt": doubt} if doubt else {}),
            **packed({"kind": "measures", "left": formula(left), "right": formula(right), "rounded": []}),
        },
        grade=Grade.LIKELY if doubt else Grade.CERTAIN,
    )
