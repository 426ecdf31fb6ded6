"""What a step offers and what it uses: values, symbols, telling words, references, cues. One pass, linear patterns.

"Step 3: From step 1 we get x = 1,040." has label 3, value 1040, result 1040, symbol x, reference 1.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from hdag.core.text.cues import Cue

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
# a number right behind a relation sign or a verb of being: "= 80", "is $80"
RESULT = Cue(r"(?:=|≈|\b(?:is|are|get|gives|equals)\b)[\s$\\(\-]{0,6}(\d[\d,]*(?:\.\d+)?)")
# a letter alone, but not A, I, a, i: those are words
SYMBOL = re.compile(r"[B-HJ-Zb-hj-z](?![A-Za-z'’])(?<![A-Za-z\\'’].)")
WORD = re.compile(r"[A-Za-z]{3,}")
OPENING_WORD = re.compile(r"[A-Za-z*]+")
# the number in front of a step: "Step 3:", "### 3.", "(3)."
LABEL = re.compile(r"[\s#*]{0,6}(?:step|part)?\s{0,2}\(?(\d{1,3})\s{0,2}[:.)]", re.IGNORECASE)
# the number behind an equation: "x = 2   (1)" at the end of a line, "\tag{1}"
TAG = re.compile(r"\(\s?(\d{1,2})\s?\)[ \t]{0,4}$|\\tag\s?\{(\d{1,2})\}", re.MULTILINE)
REFERENCE = Cue(
    r"\b(?:steps?|equations?|eqs?\.?|parts?|by|from|using)\s{1,2}\(?(\d{1,3})\)?"
    r"(?:\s{0,2}(?:,|and|&|or|to)\s{0,2}\(?(\d{1,3})\b)?(?:\s{0,2}(?:,|and|&|or)\s{0,2}\(?(\d{1,3})\b)?",
    re.IGNORECASE,
)
BARE_REFERENCE = re.compile(r"(?:by|from|using)\s", re.IGNORECASE)
CONCLUDES = Cue(r"\b(?:therefore|thus|hence|so|finally|substitut\w{0,5}|plug|simplif\w{0,4}|combine|now)\b", re.I)
GIVES = Cue(r"\b(?:given|we know|problem states|denote|let|identify|defined?|assume)\b", re.I)
GATHERS = Cue(
    r"\b(?:add|sum|total|combine|altogether|difference|compare|both|all (?:the|of)|substitut\w{0,5}|plug)\b", re.I
)
GATHERED = 160  # characters in which a step tells that it gathers; that it concludes or gives, it tells sooner
EMPTY: frozenset[int] = frozenset()
# 1 and 2 stand everywhere: to share them says nothing.
COMMON_VALUES = frozenset(("1", "2"))
_COMMON_WORDS = """
the and are been but can does for from had has have her his into its just let may our out she some such than that
their them then there these they this those thus was were what which who will with would you your step now first
next therefore since need find total number calculate know given using use get value
"""
COMMON_WORDS = frozenset(_COMMON_WORDS.split())
SUFFIXES = ("ing", "ies", "es", "ed", "s")


class StepEvidence(NamedTuple):
    """One step as the linker sees it. values keep their order; results stand after "=" or "is"."""

    label: int | None
    values: tuple[str, ...]
    results: frozenset[str]
    symbols: frozenset[str]
    words: frozenset[str]
    references: frozenset[int]
    tags: frozenset[int]
    opening: tuple[str, ...]
    concludes: bool
    gives: bool
    gathers: bool


def read_evidence(*, text: str) -> StepEvidence:
    """The evidence in one step's text.

    >>> read_evidence(text="Step 3: From step 1 we get x = 1,040.").references
    frozenset({1})
    """
    label = LABEL.match(text)
    # The step's own number is no value of it.
    body = text[label.end() :] if label else text
    head = body[:GATHERED]
    return StepEvidence(
        label=int(label.group(1)) if label else None,
        values=tuple(dict.fromkeys(values_in(text=body))),
        results=frozenset(_canonical(match.group(1)) for match in RESULT.finditer(body)),
        symbols=frozenset(SYMBOL.findall(body)),
        words=frozenset(map(stem, set(WORD.findall(body)))) - COMMON_WORDS,
        references=frozenset(_references(body)),
        tags=frozenset(int(bracketed or tagged) for bracketed, tagged in TAG.findall(body))
        if "(" in body or "\\tag" in body
        else EMPTY,
        opening=tuple(map(str.lower, OPENING_WORD.findall(body[:120])[:8])),
        concludes=bool(CONCLUDES.search(head, 0, 60)),
        gives=bool(GIVES.search(head, 0, 80)),
        gathers=bool(GATHERS.search(head)),
    )


def values_in(*, text: str) -> tuple[str, ...]:
    """The numbers of `text` in one spelling: no thousands commas, no trailing zeros.

    >>> values_in(text="$1,040.50 and 8.0")
    ('1040.5', '8')
    """
    return _values_in(text)


# of a step what it rests on is asked twice: other steps, and the problem
@lru_cache(maxsize=512)
def _values_in(text: str) -> tuple[str, ...]:
    return tuple(map(_canonical, NUMBER.findall(text)))


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """`word` in lower case without its commonest endings, three letters kept."""
    word = word.lower()
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


@lru_cache(maxsize=8192)
def _canonical(number: str) -> str:
    """One spelling of a number, so that equal values have equal keys: "1,040.50" -> "1040.5", "007" -> "7"."""
    if number.isdigit() and number[0] != "0":
        return number
    whole, _, decimals = number.replace(",", "").partition(".")
    decimals = decimals.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{decimals}" if decimals else whole


def _references(body: str) -> Iterable[int]:
    """The numbers of earlier steps or equations that the text names: "by steps 1, 2 and 4" gives 1, 2, 4."""
    low = body.lower()
    if "(" not in low and "step" not in low and "eq" not in low and "part" not in low:
        return  # most steps name none, and the search is the slowest pattern here
    for match in REFERENCE.finditer(body):
        if BARE_REFERENCE.match(match.group()) and "(" not in match.group():
            continue  # "from 30" is a number, "from (3)" a reference
        yield from (int(group) for group in match.groups() if group)
