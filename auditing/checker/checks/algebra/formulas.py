"""Checker: a formula in words filled with numbers must take the values its words were given before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.tree import number_text
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "formulas"
_NUMBER = r"\\?\$?\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,12}(?:\.\d{1,6})?)(\s?\\?%)?"
_UNIT = r"(?:\s?[a-z][a-z ]{0,24}(?:/[a-z]+)?)?"
_SIGN = r"\s*(\+|-|−|–|\*|×|(?<=\s)x(?=\s)|/|÷|\\times|\\cdot|\\div)\s*"
_WORDS = r"([A-Z][A-Za-z' ]{2,48}|[a-z][A-Za-z' ]{2,48})"
# Label = words op words (op words) = number op number ...
_FILLED = re.compile(
    rf"(?P<label>[A-Za-z][A-Za-z' ]{{2,60}})\s*=\s*(?P<words>{_WORDS}(?:{_SIGN}{_WORDS}){{1,3}})\s*="
    rf"\s*(?P<numbers>{_NUMBER}{_UNIT}(?:{_SIGN}{_NUMBER}{_UNIT}){{1,3}})(?=\s*(?:=|$|\n|\.\s|,\s))"
)
_STATED = re.compile(r"(?:^|\n|[.;]\s)\s*[-*•]?\s*(?P<label>[A-Za-z][A-Za-z' ]{2,60}?)\s*[:=]\s*(?P<tail>[^\n]{1,160})")
_LAST = re.compile(rf"(?:^|=)\s*{_NUMBER}{_UNIT}\s*\.?\s*$")
_ARTICLES = re.compile(r"\b(?:the|a|an|of|total|his|her|their|its|so|then|therefore|thus|hence|step|is)\b")
_CHANGES = any_of("now then after left remain* still again ")


@dataclass(frozen=True, slots=True)
class Value:
    """What a label was said to be, and where."""

    value: Fraction
    text: str


def check(script: Script) -> Iterator[Placed]:
    """Cost = price * days = 20 * 45, where "days: 50" stands before."""
    known: dict[str, Value | None] = {}
    for passage in script.passages:
        if "=" in passage.text or ":" in passage.text:
            _learn(passage.text, known)
        if passage.text.count("=") > 1 and any(known.values()):
            for match in _FILLED.finditer(passage.text):
                yield from _judged(passage, match, known)


def _learn(text: str, known: dict[str, Value | None]) -> None:
    """Keeps what labels are said to be; a label with two values is dropped."""
    for match in _STATED.finditer(text):
        last = _LAST.search(match["tail"])
        label = _normal(match["label"])
        if last is None or not label:
            continue
        value = _number(last[1], last[2])
        before = known.get(label, Value(value, ""))
        kept = before is not None and before.value == value and not _CHANGES.search(label)
        known[label] = Value(value, match.group().strip(" \n-*•.;")) if kept else None


def _normal(label: str) -> str:
    return " ".join(_ARTICLES.sub(" ", label.lower()).split())


def _number(digits: str, percent: str | None) -> Fraction:
    value = Fraction(digits.replace(",", ""))
    return value / 100 if percent else value


def _judged(passage: Passage, match: re.Match[str], known: dict[str, Value | None]) -> Iterator[Placed]:
    words = [_normal(part) for part in re.split(_SIGN, match["words"])[::2]]
    signs = [_sign(part) for part in re.split(_SIGN, match["words"])[1::2]]
    numbers = [_number(*found.groups()) for found in re.finditer(_NUMBER, match["numbers"])]
    if len(numbers) != len(words) or signs != [_sign(part) for part in re.findall(_SIGN, match["numbers"])]:
        return
    for word, number in zip(words, numbers, strict=True):
        value = known.get(word)
        if value is None or number in (value.value, value.value * 100, value.value / 100):
            continue
        shown = number_text(value.value)
        sentence = f'"{word}" was {shown} ({" ".join(value.text.split())}), and {number_text(number)} is put in for it.'
        details = {
            "read": match.group()[:300],
            "left": shown,
            "right": number_text(number),
            "rule": "filled formula",
            "against": value.text,
            "evidence_latex": rf"\text{{{word}}} = {shown} \ne {number_text(number)}",
        }
        yield place(
            passage=passage,
            start=match.start(),
            end=match.end(),
            verdict=Verdict.REFUTED,
            checker=NAME,
            rule="filled formula",
            sentence=sentence,
            details=details,
        )
        return


def _sign(text: str) -> str:
    return {"−": "-", "–": "-", "×": "*", "x": "*", r"\times": "*", r"\cdot": "*", "÷": "/", r"\div": "/"}.get(
        text, text
    )
