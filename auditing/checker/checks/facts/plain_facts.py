"""Checker: plain facts that need no reading of intention: lists in order, members and counts, numerals, truth tables.

A row of a table is a pattern and a function that says whether the claim holds and what is true. Nothing of it has been
measured on labelled steps yet, so it is a doubt at most (registry.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.checks.facts.calendar_facts import CALENDAR
from auditing.checker.checks.facts.interval_facts import INTERVALS
from auditing.checker.checks.facts.list_facts import LISTS
from auditing.checker.checks.facts.numeral_facts import NUMERALS
from auditing.checker.checks.facts.plain_forms import PlainForm, mixes_shares
from auditing.checker.checks.facts.share_facts import SHARES
from auditing.checker.checks.facts.spelling_facts import SPELLINGS
from auditing.checker.checks.facts.table_facts import TABLED
from auditing.checker.checks.facts.told_facts import TOLD_FACTS
from auditing.checker.checks.facts.value_facts import VALUES
from auditing.checker.checks.facts.whole_facts import WHOLES
from auditing.checker.checks.word_index import WordIndex
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import is_taken_back

NAME = "plain facts"
_FORMS: tuple[PlainForm, ...] = (
    *LISTS,
    *NUMERALS,
    *TABLED,
    *SPELLINGS,
    *WHOLES,
    *VALUES,
    *CALENDAR,
    *TOLD_FACTS,
    *SHARES,
    *INTERVALS,
)
_INDEX = WordIndex((number, form.words) for number, form in enumerate(_FORMS))
_DOUBT = any_of("""
    if suppose assum* whether would not claim* wrong* incorrect* say says said check* test* try trying false isn't never
    let imagine puzzle riddle unless instead mistake* think thought guess* must cannot no neither
""")
_CLAUSE = re.compile(r"[.!?;]\s|\n")
# characters before a claim and behind it in which words may take it back
_BEFORE, _BEHIND = 100, 30


def check(script: Script) -> Iterator[Placed]:
    """Every form of the tables in every passage."""
    for passage, numbers in _INDEX.by_passage(script):
        for index in numbers:
            for match in _FORMS[index].pattern.finditer(passage.text):
                yield from _judged(passage, match, _FORMS[index])


def _judged(passage: Passage, match: re.Match[str], form: PlainForm) -> Iterator[Placed]:
    answer = None if mixes_shares(match.groupdict().get("items") or "") else form.judge(match)
    if answer is None or (not answer[0] and _is_doubtful(passage, match)):
        return
    holds, truth = answer
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule=form.rule,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        sentence=f"{' '.join(match.group().split())[:160]}: {truth}",
        details={"read": match.group()[:300], "rule": form.rule, "evidence_latex": rf"\text{{{form.rule}}}"},
    )


def _is_doubtful(passage: Passage, match: re.Match[str]) -> bool:
    """Whether the words around a claim ask, deny, suppose or report it."""
    text = passage.text
    clause = _CLAUSE.split(text[max(0, match.start() - _BEFORE) : match.start()])[-1]
    is_asked = "?" in text[match.end() : match.end() + _BEHIND].partition("\n")[0]
    if is_asked or _DOUBT.search(clause) or is_taken_back(text, match.end()):
        return True
    return bool(about_the_text(passage, match.start(), match.end()))
