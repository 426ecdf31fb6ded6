"""Checker: "17 mod 5 = 2" and "30/7 = 4 remainder 2": quotients and remainders of whole numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.tree import Num
from auditing.checker.proofs.claims import of_said
from auditing.checker.proofs.formulas import of_congruence
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

NAME = "remainders"
_WHOLE = r"\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,15}"
# no sign, bracket or letter touches the first number: "3 * 17 mod 5" divides another one
_FREE = r"(?<![\w.,^*/×÷)}\]−+-])(?<![-+*/×÷^−)]\s)"
_MODULO = re.compile(
    rf"{_FREE}(?P<a>{_WHOLE})\s+(?:mod|modulo|\\bmod|\\mod)\s+(?P<b>{_WHOLE})\s*(?:=|\bis\b|\bequals\b)\s*(?P<r>{_WHOLE})"
    r"(?![\w.,]*\d|\s?[-+*/×÷^%!(=≡]|\s*\\|\s+(?:mod|modulo|plus|minus|times|or|and)\b)"
)
_REMAINS = re.compile(
    rf"{_FREE}(?P<a>{_WHOLE})\s?(?:/|÷|\\div|divided by)\s?(?P<b>{_WHOLE})\s*(?:=|\bis\b|\bequals\b|\bgives\b)\s*"
    rf"(?P<q>{_WHOLE}),?\s*(?:with\s+)?(?:a\s+)?(?:remainder(?:\s+of)?|rem\.?|[Rr])\s*(?P<r>{_WHOLE})(?![\w.,]*\d|\s?[-+*/×÷^%])"
)
# whatever is divided by 5 leaves no 7
_ENDS = r"(?![\w.,]*\d|[A-Za-z]|[ ]?[-+*/×÷^%(]|[ ][a-z][ ]?[-+*/^])"
_BY = rf"\bby[\s$\\(]{{1,4}}(?P<b>{_WHOLE}){_ENDS}"
# "the remainder of 192 when divided by 7" names what is divided
_LEAVES = (
    r"\b(?:(?:leav|giv|yield|ha[sv]|get|with)\w{0,3}\s(?:a\s|the\s)?remainder(?:\sof)?|remainder\s(?:is|equals|=))"
)
_CLAIMED = rf"{_LEAVES}[\s$\\(]{{1,4}}(?P<r>[-−]?(?:{_WHOLE})){_ENDS}"
_LEFT_BY = (
    re.compile(rf"{_CLAIMED}[\s$\\)]{{1,4}}(?:when|if|upon|on|after)\s[^.;:?\n]{{0,40}}?{_BY}"),
    re.compile(rf"\b[Dd]ivi(?:ded?|ding|sion)\b[^.;:?=\n]{{0,40}}?{_BY}[^.;:?\d\n]{{1,40}}?{_CLAIMED}"),
)
_OTHER_BASE = Cue(r"\bbase\b|\bbinary\b|\boctal\b|\bhex", re.IGNORECASE)
_PART_BEFORE = re.compile(
    r"\b(?:of|plus|minus|times|by|than|half|twice|negative|to|and|or|not|if|power|[b-zB-Z])\s+$", re.IGNORECASE
)


def check(script: Script) -> Iterator[Placed]:
    """Every remainder that is claimed of two whole numbers; nothing where a text counts in another base."""
    if any(_OTHER_BASE.search(passage.text) for passage in script.anywhere_near(_OTHER_BASE)):
        return
    forms = [form for form in _FORMS if form[0].search(script.text)]
    for passage in script.passages if forms else ():
        for sign, pattern, judge in forms:
            for match in pattern.finditer(passage.text) if sign.search(passage.text) else ():
                yield from judge(passage, match)


def _left_over(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    """A division by 5 leaves 0 to 4, so neither 7 nor -3 is its remainder."""
    divisor, remainder = _int(match["b"]), _int(match["r"].replace("−", "-"))
    if divisor > 0 and not 0 <= remainder < divisor:
        sentence = f"a division by {divisor} leaves a remainder from 0 to {divisor - 1}"
        for placed in _placed(passage, match, False, sentence, remainder, {}):
            evidence = replace(placed.finding.evidence, rule="no remainder")
            # a new kind: a doubt at most
            yield replace(placed, finding=replace(placed.finding, evidence=evidence, grade=Grade.LIKELY))


def _modulo(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    number, modulus, claimed = (_int(match[name]) for name in ("a", "b", "r"))
    if modulus < 2:
        return
    remainder = number % modulus
    # 17 mod 5 = 7 is a congruence, and true
    if claimed != remainder and (claimed - number) % modulus == 0:
        return
    proof = of_congruence(Num(Fraction(number)), Num(Fraction(claimed)), modulus)
    sentence = f"{number} leaves {remainder} modulo {modulus}"
    yield from _placed(passage, match, claimed == remainder, sentence, claimed, proof)


def _remains(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    number, divisor, quotient, remainder = (_int(match[name]) for name in ("a", "b", "q", "r"))
    if divisor < 1:
        return
    # 30 = 7 * 4 + 2
    product = ["*", str(divisor), str(quotient)]
    proof = of_said([["+", product, str(remainder)]], [str(number)])
    holds = divisor * quotient + remainder == number
    if holds and remainder >= divisor:
        yield from _left_over(passage, match)
        return
    sentence = f"{number} divided by {divisor} is {number // divisor} with the remainder {number % divisor}"
    yield from _placed(passage, match, holds, sentence, f"{quotient} with {remainder}", proof)


def _placed(
    passage: Passage, match: re.Match[str], holds: bool, sentence: str, claimed: object, proof: dict[str, str]
) -> Iterator[Placed]:
    start, end = match.span()
    if not holds and _is_doubtful(passage, match):
        return
    doubt = "" if holds else about_the_text(passage, start, end)
    yield place(
        passage=passage,
        start=start,
        end=end,
        checker=NAME,
        rule="a remainder",
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        sentence=f"{sentence}{', as said' if holds else f', not {claimed}'}.",
        details={
            "read": match.group(),
            "right": str(claimed),
            "rule": "a remainder",
            **({"doubt": doubt} if doubt else {}),
            **proof,
        },
        grade=Grade.LIKELY if doubt else Grade.CERTAIN,
    )


def _is_doubtful(passage: Passage, match: re.Match[str]) -> bool:
    start, end = match.span()
    if "a" in match.re.groupindex and _PART_BEFORE.search(passage.text[max(0, start - 20) : start]):
        return True
    chain = Chain([Side(None, start, start), Side(None, start, end)], ["="], start, end)
    return bool(context_doubt(passage.text, chain, 0))


def _int(text: str) -> int:
    return int(text.replace(",", ""))


# what stands in the text, what is looked for then, and who judges it
_FORMS = (
    (re.compile(r" mod|\\b?mod"), _MODULO, _modulo),
    (re.compile(r"\d,?\s?(?:with |rem|[Rr]\s?\d)"), _REMAINS, _remains),
    *((re.compile("remainder"), pattern, _left_over) for pattern in _LEFT_BY),
)
