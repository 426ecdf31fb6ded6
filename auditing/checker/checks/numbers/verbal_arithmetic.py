"""Checker: arithmetic and number theory stated in words: half of 50 is 20, the remainder, the digits, the average."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.numbers.verbal_forms import FORMS, VerbalForm, value_in, values_in
from auditing.checker.checks.numbers.verbal_proofs import proof_of
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.tree import number_text
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "sayings"
_DOUBT = any_of("""
    if suppose assume whether would not claim* wrong incorrect about approximat* roughly nearly almost around let say
    says check* test* modulo mod base
""")
_BEFORE = re.compile(
    r"(?:\b(?:of|than|plus|minus|times|by|to|from|and|or|another|point|over|twice|thrice|double|triple|half|negative|square|"
    r"root)(?:\s+the)?|[-+*/×÷^=(])\s*[\\($]*$",
    re.I,
)
_CLAUSE = re.compile(r"[.!?;:]\s|\n|,\s")


def check(script: Script) -> Iterator[Placed]:
    """Every form of the table in every passage."""
    for passage in script.passages:
        for form in FORMS:
            if any(word in passage.lower for word in form.words):
                for match in form.pattern.finditer(passage.text):
                    yield from _judged(passage, match, form)


def _judged(passage: Passage, match: re.Match[str], form: VerbalForm) -> Iterator[Placed]:
    # the last group of every pattern is the number that is claimed
    *operands, claimed_text = match.groups()
    try:
        computed = form.compute(*(values_in(operands[0]) if form.listed else operands))
        claimed = value_in(claimed_text)
    except (ValueError, ZeroDivisionError, OverflowError):
        return
    if computed is None:
        return
    holds = _same(computed, claimed, claimed_text, "%" in match.group())
    if not holds and is_doubtful(passage.text, match):
        return
    computed_text = number_text(computed)
    # a formula may close behind the number: "is \\(3\\)"
    said = " ".join(match.group().split()).rstrip("\\")
    correction = "as said" if holds else "not " + claimed_text.strip(" \\")
    sentence = f"{said}: it is {computed_text}, {correction}."
    details = {
        "read": match.group(),
        "left": computed_text,
        "right": claimed_text.strip(),
        "rule": form.rule,
        "evidence_latex": rf"\text{{{form.rule}: }} {computed_text}",
        **proof_of(form=form, operands=operands, claimed_text=claimed_text, has_percent="%" in match.group()),
    }
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule=form.rule,
        sentence=sentence,
        details=details,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
    )


def _same(computed: Fraction, claimed: Fraction, claimed_text: str, percent: bool) -> bool:
    """Equal, or equal once rounded or cut off at the last written digit; a percent sign may be left out."""
    decimals = len(claimed_text.partition(".")[2].rstrip("% \\"))
    unit = Fraction(1, 10**decimals)
    # "half of 50% is 25"
    for value in (computed, computed * 100, computed / 100) if percent else (computed,):
        if value == claimed or (abs(value - claimed) < unit and (decimals or value.denominator > 1)):
            return True
    return False


def is_doubtful(text: str, match: re.Match[str]) -> bool:
    """Whether the words around a match make it a supposition, a question or a part of a longer computation."""
    head = text[max(0, match.start() - 80) : match.start()]
    clause = _CLAUSE.split(head)[-1]
    tail = text[match.end() : match.end() + 24]
    # "3 + half of 50 is 28": a sign or a word before the match makes it a part of something longer
    return bool(_BEFORE.search(head) or _DOUBT.search(clause) or _DOUBT.search(match.group()) or "?" in tail)
