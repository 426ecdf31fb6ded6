"""Checker: arithmetic and number theory stated in words: half of 50 is 20, the remainder, the digits, the average."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from auditing.checker.checks.numbers.verbal_deeds import DEEDS
from auditing.checker.checks.numbers.verbal_facts import FACTS
from auditing.checker.checks.numbers.verbal_forms import FORMS, VerbalForm, value_in, values_in
from auditing.checker.checks.numbers.verbal_proofs import proof_of
from auditing.checker.checks.numbers.verbal_turns import TURNS
from auditing.checker.checks.word_index import WordIndex
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.compare import FAILS, HOLDS, OPEN
from auditing.checker.mathematics.tree import number_text
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "sayings"
ALL_FORMS = FORMS + DEEDS + FACTS + TURNS
_INDEX = WordIndex((number, form.words) for number, form in enumerate(ALL_FORMS))
_DOUBT = any_of("""
    if suppose assume whether would not claim* wrong incorrect about approximat* roughly nearly almost around let say
    says check* test* modulo mod base
""")
_BEFORE = re.compile(
    r"(?:\b(?:of|than|plus|minus|times|by|to|from|and|or|another|point|over|twice|thrice|double|triple|half|negative|square|"
    r"root|have|has|having|with)(?:\s+(?:the|an?))?|[-–−+*/×÷^=(](?:\s+(?:the|an?|one))?)\s*[\\($]*$",
    re.I,
)
# 8 times as many as 3 plus 20, 7 out of every 35 in 210 plus 27, 9 choose 1 plus 20
_COUNTED_BEFORE = re.compile(
    r"(?:\d[\d.,]{0,12}%?(?:\s[A-Za-z'’]{1,15}){0,4}\s(?:at|for|in|on|every|per|with|out of)|\bas (?:many|much) as|"
    r"\bchoose)(?:\s(?:the\s)?[\\($£€]*)?$",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(?:plus|minus|less)\b|[+−-]")
_REPORTED = re.compile(r"[\s\\)$.]{0,4}[\"”'’]?\s(?:is|was)\s(?:what|how|the (?:claim|answer of))\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.!?;:]\s|\n|,\s")


def check(script: Script) -> Iterator[Placed]:
    """Every form of the table in every passage."""
    for passage, numbers in _INDEX.by_passage(script):
        for index in numbers:
            for match in ALL_FORMS[index].pattern.finditer(passage.text):
                yield from _judged(passage, match, ALL_FORMS[index])


def _judged(passage: Passage, match: re.Match[str], form: VerbalForm) -> Iterator[Placed]:
    # the last group of every pattern is the number that is claimed
    *operands, claimed_text = match.groups()
    try:
        computed = form.compute(*(values_in(operands[0]) if form.listed else operands))
        claimed = value_in(claimed_text)
    except (ValueError, ZeroDivisionError, OverflowError):
        return
    # 6 + 6, or 14, is right in base 8
    if computed is None or (form.rule.endswith("said again") and passage.is_modular):
        return
    signs = _signs(operands, claimed_text)
    state = _state(computed, claimed, claimed_text, signs)
    # 563.5097 to the nearest hundredth is 563.51, and not 563.5, though that is it to the nearest tenth
    if form.rule == "a rounded value" and state == HOLDS and computed != claimed:
        return
    if state == OPEN or (state == FAILS and is_doubtful(passage.text, match)):
        return
    holds = state == HOLDS
    computed_text = f"{number_text(computed * 100)}%" if "%" in claimed_text else number_text(computed)
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
        **proof_of(form=form, operands=operands, claimed_text=claimed_text, has_percent=signs != NO_SIGN),
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
        grade=Grade.CERTAIN if holds else _grade(form, match.group()),
    )


# forms behind which "which is" has not been measured yet, as fractions and signs of equality
_SIMPLE = frozenset(("a share", "a multiple", "a product", "a sum", "a difference", "a quotient", "a percentage"))


def _grade(form: VerbalForm, text: str) -> Grade:
    is_new = any(sign in text for sign in ("=", "frac", "/")) or (form.rule in _SIMPLE and " which " in text)
    return Grade.LIKELY if is_new else form.grade


NO_SIGN, SOME_SIGN, LEFT_OUT = "no percent sign", "a percent sign", "a percent sign that may be left out"


def _signs(operands: Sequence[str], claimed_text: str) -> str:
    """ "Half of 50% is 25" and "30% of 50% is 15" leave out a sign; in "10% of 50 is 5" none is missing."""
    numbers = [operand for operand in operands if any(char.isdigit() for char in operand)]
    if "%" not in claimed_text and numbers and all("%" in number for number in numbers):
        return LEFT_OUT
    return SOME_SIGN if "%" in "".join((*numbers, claimed_text)) else NO_SIGN


def _state(computed: Fraction, claimed: Fraction, claimed_text: str, signs: str) -> str:
    """Whether the number claimed is the value, also rounded at its last written digit; open where a sign may be meant.

    The last digit of 26% counts in hundredths: half of 50% is not 26%. Digits that are cut off are no rounding, and no
    error either.
    """
    # 5/24 is no rounding of anything
    if any(sign in claimed_text for sign in ("/", ":", "frac")):
        return HOLDS if computed == claimed else FAILS
    decimals = len(claimed_text.partition(".")[2].rstrip("% \\"))
    unit = Fraction(1, 10**decimals) / (100 if "%" in claimed_text else 1)
    # 83% of 130 is 108: a whole number that was rounded may as well be off by one
    share = Fraction(1, 2) if decimals or "%" in claimed_text else Fraction(0)
    if _is_near(computed, claimed, unit, share):
        return HOLDS
    if signs == LEFT_OUT and _is_near(computed, claimed / 100, unit / 100, share):
        return HOLDS
    # a sign too many or too few, and digits cut off
    may_mean = (computed,) if signs == NO_SIGN else (computed, computed * 100, computed / 100)
    return OPEN if any(_is_near(value, claimed, unit, Fraction(1)) for value in may_mean) else FAILS


def _is_near(value: Fraction, claimed: Fraction, unit: Fraction, share: Fraction) -> bool:
    """Equal, or no further than a share of the last digit from a value that has more digits than are written."""
    is_longer = (value / unit).denominator > 1
    return value == claimed or (is_longer and abs(value - claimed) <= unit * share)


def is_doubtful(text: str, match: re.Match[str]) -> bool:
    """Whether the words around a match make it a supposition, a question or a part of a longer computation."""
    head = text[max(0, match.start() - 80) : match.start()]
    clause = _CLAUSE.split(head)[-1]
    tail = text[match.end() : match.end() + 24]
    # '"7 plus 5 makes 13" is what the student wrote'
    if _REPORTED.match(tail):
        return True
    if _ADDS.search(match.group()) and _COUNTED_BEFORE.search(clause):
        return True
    # "3 + half of 50 is 28": a sign or a word before the match makes it a part of something longer
    return bool(_BEFORE.search(head) or _DOUBT.search(clause) or _DOUBT.search(match.group()) or "?" in tail)
