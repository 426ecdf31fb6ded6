"""Checker: a formula in words filled with numbers must take the values its words were given before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.tree import Num, number_text
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "formulas"
_NUMBER = r"\\?\$?\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,12}(?:\.\d{1,6})?)(\s?\\?%)?"
_UNIT = r"(?:\s?[a-z][a-z ]{0,24}(?:/[a-z]+)?)?"
_SIGN = r"\s*(\+|-|−|–|\*|×|(?<=\s)x(?=\s)|/|÷|\\times|\\cdot|\\div)\s*"
_WORDS = r"([A-Z][A-Za-z' ]{2,48}|[a-z][A-Za-z' ]{2,48})"
# Label = words op words (op words) = number op number ..., in the next line with its label once more
_FILLED = re.compile(
    rf"(?P<label>[A-Za-z][A-Za-z' ]{{2,60}}?)\s*=\s*(?P<words>{_WORDS}(?:{_SIGN}{_WORDS}){{1,3}})"
    rf"(?:\s*=|\.?\n\s{{0,4}}(?:[-*•]\s)?(?P=label)\s*=)\s*(?P<numbers>{_NUMBER}{_UNIT}(?:{_SIGN}{_NUMBER}{_UNIT}){{1,3}})(?=\s*(?:=|$|\n|\.\s|,\s))"
)
# the words of it: a sign of equality, a word and a sign
_IN_WORDS = re.compile(rf"=\s*[A-Za-z][A-Za-z' ]{{2,48}}{_SIGN}")
# "Here is: Cost = price * days = 60", "- Price: 20 - Days: 3 Cost = 20 * 3": a line began at the blank
_LOST_BREAK = re.compile(r"(?:(?<=[\d:])\s(?=[A-Z][A-Za-z' ]{2,60}=)|\s(?=-\s[A-Z][A-Za-z' ]{2,60}:\s))")
_STATED = re.compile(
    r"(?:^|\n|[.;]\s)\s*[-*•]?\s*(?P<label>[A-Za-z][A-Za-z' ]{2,60}?)\s*[:=][ \t]*(?P<tail>[^\n]{1,160})"
)
_LAST = re.compile(rf"(?:^|=)\s*{_NUMBER}{_UNIT}\s*\.?\s*$")
# miles = 70 20% of 70 = 14: another line began behind the 70
_TWO_NUMBERS = re.compile(rf"\s*{_NUMBER}\s+\$?\d")
# length = 3x = 540, breadth = 2x = 360: behind the comma stands another label
_NEXT_LABEL = re.compile(r"[,;]\s{1,4}(?:so |and |then |hence |thus )?[A-Za-z][A-Za-z' ]{0,60}=")
_ARTICLES = re.compile(r"\b(?:the|a|an|of|total|his|her|their|its|so|then|therefore|thus|hence|step|is)\b")
_CHANGES = any_of("now then after left remain* still again ")


@dataclass(frozen=True, slots=True)
class Value:
    """What a label was said to be, and where."""

    value: Fraction
    text: str


def check(script: Script) -> Iterator[Placed]:
    """Cost = price * days = 20 * 45, where "days: 50" stands before."""
    # where nothing is to be filled no label is read
    if not any(_may_be_filled(passage.text) for passage in script.passages):
        return
    values: dict[str, Value | None] = {}
    for passage in script.passages:
        if "=" not in passage.text and ":" not in passage.text:
            continue
        text = _LOST_BREAK.sub("\n", passage.text)
        _learn(text, values)
        # the values of this passage count as well: "price: 20 ... cost = price * days = 20 * 45"
        if any(values.values()) and _may_be_filled(passage.text):
            for match in _FILLED.finditer(text):
                yield from _judged(passage, match, values)


def _may_be_filled(text: str) -> bool:
    return text.count("=") > 1 and bool(_IN_WORDS.search(text))


def _learn(text: str, values: dict[str, Value | None]) -> None:
    """Keeps what labels are said to be; a label with two values is dropped."""
    for match in _STATED.finditer(text):
        last = _LAST.search(_NEXT_LABEL.split(match["tail"], maxsplit=1)[0])
        label = _normal(match["label"])
        if last is None or not label or _TWO_NUMBERS.match(match["tail"]):
            continue
        value = _number(last[1], last[2])
        # a label whose value changes on the way ("the remaining amount") is dropped for good, and marked by None
        before = values.get(label, Value(value, ""))
        is_kept = before is not None and before.value == value and not _CHANGES.search(label)
        values[label] = Value(value, match.group().strip(" \n-*•.;")) if is_kept else None


def _normal(label: str) -> str:
    return " ".join(_ARTICLES.sub(" ", label.lower()).split())


def _number(digits: str, percent: str | None) -> Fraction:
    value = Fraction(digits.replace(",", ""))
    return value / 100 if percent else value


def _judged(passage: Passage, match: re.Match[str], values: dict[str, Value | None]) -> Iterator[Placed]:
    words = [_normal(text) for text in re.split(_SIGN, match["words"])[::2]]
    signs = [_sign(text) for text in re.split(_SIGN, match["words"])[1::2]]
    # words and numbers must pair off, with the same signs between them: a * b = 2 * 3, never a * b = 2 + 3
    numbers = [_number(*number_match.groups()) for number_match in re.finditer(_NUMBER, match["numbers"])]
    if len(numbers) != len(words) or signs != [_sign(text) for text in re.findall(_SIGN, match["numbers"])]:
        return
    for word, number in zip(words, numbers, strict=True):
        value = values.get(word)
        # 25% may be filled in as 25 and as 0.25
        if value is None or number in (value.value, value.value * 100, value.value / 100):
            continue
        expected = number_text(value.value)
        sentence = (
            f'"{word}" was {expected} ({" ".join(value.text.split())}), and {number_text(number)} is put in for it.'
        )
        details = {
            "read": match.group()[:300],
            "left": expected,
            "right": number_text(number),
            "rule": "filled formula",
            "against": value.text,
            "evidence_latex": rf"\text{{{word}}} = {expected} \ne {number_text(number)}",
            **of_values(Num(value.value), Num(number), (value.text,)),
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
