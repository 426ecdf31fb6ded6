"""Forms of plain facts: a pattern, and a function that says whether what it matches is true."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.answers.notation import UP_TO_TWELVE
from hdag.core.text.cues import Cue

Judge = Callable[[re.Match[str]], tuple[bool, str] | None]
COUNT = rf"(?:\d{{1,4}}|{'|'.join(UP_TO_TWELVE)})"
# both atomic: a comma or a blank that two places could take parts a list of thirty numbers in 2^30 ways
_SPAN = r"-?(?>\d{1,3}(?:,\d{3}){1,3}(?![\d,]*\d)|\d{1,9})(?:\.\d{1,6})?(?:/\d{1,6})?(?:\s?%)?"
_JOINT = r"(?>\s?\$?(?:,\s?(?:and\s)?|\sand\s|;\s)\$?\s?)"
# three numbers and more, or two where a form says so; no number may be cut in two
ITEMS = rf"{_SPAN}(?:{_JOINT}{_SPAN}){{2,40}}(?![\d.,/]*\d)"
PAIRS = rf"{_SPAN}(?:{_JOINT}{_SPAN}){{1,40}}(?![\d.,/]*\d)"
# behind a list: it goes on, or its last number is part of something else
ENDS = r"(?!\s?(?:[-+*/×÷·^:=<>≤≥→⟶!]|->|,?\s?(?:\.\.\.|…)|,?\s(?:etc|or|and so|becomes?|respectively)\b|,?\s?\\[a-z]))"
_ITEM = re.compile(_SPAN)


@dataclass(frozen=True, slots=True)
class PlainForm:
    """One form: its rule, words one of which stands in the text, its pattern, and what is true of a match."""

    rule: str
    words: tuple[str, ...]
    pattern: Cue
    judge: Judge


def plain_form(rule: str, words: str, pattern: str, judge: Judge, *, in_any_case: bool = True) -> PlainForm:
    """A row: words apart by bars, lower case; the pattern in any case of letters where nothing else is said."""
    return PlainForm(rule, tuple(words.split("|")), Cue(pattern, re.IGNORECASE if in_any_case else 0), judge)


def count_of(text: str) -> int:
    """A count in digits or in a word.

    >>> count_of("three"), count_of("12")
    (3, 12)
    """
    return UP_TO_TWELVE.index(text.lower()) if text.lower() in UP_TO_TWELVE else int(text)


def items_of(text: str) -> list[Fraction]:
    """The numbers of a list: 1/4, 1/3 and 1/2.

    >>> [str(value) for value in items_of("1,200, 1/4 and 3.5%")]
    ['1200', '1/4', '7/2']
    """
    return [_value(match.group()) for match in _ITEM.finditer(text)]


def mixes_shares(text: str) -> bool:
    """Whether some numbers of a list are percentages and some are not: 50% and 0.6 are no list of one kind.

    >>> mixes_shares("50%, 0.6 and 0.7"), mixes_shares("50%, 60%")
    (True, False)
    """
    return len({match.group().endswith("%") for match in _ITEM.finditer(text)}) > 1


def _value(text: str) -> Fraction:
    above, _, below = text.strip(" %").replace(",", "").partition("/")
    # 3/0 is no number, and no list of numbers is read where one of them is none
    return Fraction(above) / Fraction(below) if below and int(below) else Fraction(above)
