"""Statements about places and comparisons in an order, read from sentences whose names are masked (names.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from auditing.checker.checks.logic.axes import AXES, BY_NAME, COUNTS, ORDINAL, Axis, is_at_start, number_of
from auditing.checker.checks.logic.names import NAME

# ["before", a, b], ["at", a, place], ["next", a, b], ["right before", a, b], ["between", a, b, c],
# ["not", rule], ["all", rule, ...], ["any", rule, ...]
Rule = list[Any]

_NOT = (
    r"\s(?:(?:is|are|was|were|does|did|do|can|must|could)(?:\snot|n['’]t)|can['’]?t|cannot)"
    r"(?:\s(?:be|finish|sit|live|come|stand|rank|cost|have\s(?:finished|been)))?"
)
_IS = (
    r"\s(?:(?:must|has\sto|have\sto|will)\s(?:be|finish|sit|live|come|stand)|is|are|was|were|finished|finishes|came|"
    r"comes|sits|sat|lives|lived|stands|stood|ranks|ranked|placed|arrived|costs?|ended\sup|ends\sup)"
)
_ADVERB = (
    r"(?:\s(?:in|at|seated|located|placed|therefore|thus|then|now|also|definitely|still|somewhere|sitting|standing|"
    r"finished|exactly)){0,2}"
)
# a subject stands where a clause begins: in "whoever sits next to Anna is left of Ben" Anna is none
_BEGINS = (
    r"(?:(?:^|[,;:(]|\b(?:and|but|so|that|then|thus|hence|therefore|because|since|means|conclude|know|while|as|where))"
    r"\s{0,2}(?:[-*•]\s|\(\d\)\s|\d[.)]\s)?|(?<=[\"“]))"
)
_DIRECTLY = (
    r"(?P<near>\s(?:immediately|directly|just|right(?=\s(?:before|after|behind|in\sfront|ahead|above|below|next))))?"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A rule with the words that it was read from, and where they stand in their sentence."""

    rule: Rule
    start: int
    end: int
    axis: str


@dataclass(frozen=True, slots=True)
class _Patterns:
    compared: re.Pattern[str]
    placed: re.Pattern[str]
    turned: re.Pattern[str]
    counted: re.Pattern[str]


_NEXT = re.compile(
    rf"{_BEGINS}{NAME}(?:(?P<not>{_NOT})|{_IS}){_ADVERB}\s(?:directly\s|right\s|immediately\s)?"
    rf"(?:next\sto|adjacent\sto|beside)\s{NAME}(?!['’]s|\w)",
    re.IGNORECASE,
)
_SIDES = {"left": "row", "right": "row", "front": "race", "back": "race", "top": "stack", "bottom": "stack"}
_BETWEEN = re.compile(
    rf"{_BEGINS}{NAME}(?:(?P<not>{_NOT})|{_IS}){_ADVERB}\sbetween\s{NAME}\sand\s{NAME}(?!['’]s|\w)", re.IGNORECASE
)


@lru_cache(maxsize=16)
def _patterns(axis: Axis) -> _Patterns:
    relation = rf"(?:(?P<earlier>{axis.earlier})|(?P<later>{axis.later}))"
    superlative = rf"(?:{axis.start}|{axis.end})"
    seat = (
        rf"(?:\s(?:the|in|at|on|in\sthe|at\sthe|on\sthe))?(?:\s(?:(?P<ord>{ORDINAL})[-\s](?:"
        rf"(?:[a-z]{{3,12}}\s)?from\s(?:the\s)?(?P<side>left|right|front|back|top|bottom)|(?P<tolast>to[-\s]last|from\slast)|"
        rf"(?:the\s)?(?P<super>{superlative}))|"
        rf"(?P<only>{superlative})(?!\sof\b)|(?P<middle>middle)|"
        rf"(?P<bare>{ORDINAL})(?:\s(?:place|position|spot|seat))?|"
        rf"(?:house|seat|chair|position|place|spot)\s(?:number\s|#)?(?P<number>\d)))"
        # what is said to be so goes on no further: "is the first bird to the left of"
        r"(?=\s?(?:[.,;:)!\"”]|$|and\b|so\b|because\b|since\b|but\b(?!\s(?:one|two|three)\b)|as\b)|\s(?:place|book|bird|fruit|vehicle|person|one|"
        r"house|seat)\s?(?:[.,;)]|$))"
    )
    return _Patterns(
        re.compile(
            rf"{_BEGINS}{NAME}(?:(?P<not>{_NOT})|{_IS}){_ADVERB}{_DIRECTLY}\s{relation}\s{NAME}(?!['’]s|\w)",
            re.IGNORECASE,
        ),
        re.compile(rf"{_BEGINS}{NAME}(?:(?P<not>{_NOT})|{_IS}){_ADVERB}{seat}", re.IGNORECASE),
        re.compile(
            rf"{_BEGINS}(?:the\s)?(?:(?P<ord>{ORDINAL})[-\s])?(?P<only>{superlative})(?:\s[a-z]{{3,10}})?\s(?:is|was|are)\s"
            rf"{NAME}(?=[.,;!]|$|\sand\b|\sso\b)",
            re.IGNORECASE,
        ),
        re.compile(
            rf"\b(?P<count>no|two|three|four|five|six)\s[a-z]{{3,12}}(?:\s(?:that|which|who))?(?:\s(?:is|are|was|were))?\s"
            rf"{relation}\s{NAME}(?!['’]s|\w)",
            re.IGNORECASE,
        ),
    )


def axes_of(text: str) -> set[str]:
    """The axes on which a masked text compares objects, or names their places."""
    return {
        axis.name
        for axis in AXES
        if _patterns(axis).compared.search(text)
        or any(
            match["super"] or match["only"] or _SIDES.get((match["side"] or "").lower()) == axis.name
            for match in _patterns(axis).placed.finditer(text)
        )
    }


def statements_of(text: str, axis_name: str, size: int) -> Iterator[Statement]:
    """Every statement of a masked sentence; the objects stand in its rules by their signs."""
    axis = BY_NAME[axis_name]
    patterns = _patterns(axis)
    for match in patterns.compared.finditer(text):
        yield _told(match, _compared(match), axis)
    for match in patterns.placed.finditer(text):
        rule = _placed(match, axis, size)
        if rule:
            yield _told(match, rule, axis)
    for match in patterns.turned.finditer(text):
        number = number_of(match["ord"]) if match["ord"] else 0
        seat = number if is_at_start(axis, match["only"]) else size - 1 - number
        yield _told(match, ["at", match[3], seat], axis)
    for match in patterns.counted.finditer(text):
        number = COUNTS[match["count"].lower()]
        name = match[4]
        yield _told(match, ["at", name, number if match["earlier"] else size - 1 - number], axis)
    for match in _NEXT.finditer(text):
        yield _told(match, _denied(match, ["next", match[1], match[3]]), axis)
    for match in _BETWEEN.finditer(text):
        yield _told(match, _denied(match, ["between", match[1], match[3], match[4]]), axis)


def _told(match: re.Match[str], rule: Rule, axis: Axis) -> Statement:
    return Statement(rule, match.start(), match.end(), axis.name)


def _denied(match: re.Match[str], rule: Rule) -> Rule:
    return ["not", rule] if match["not"] else rule


def _compared(match: re.Match[str]) -> Rule:
    first, second = match[1], match[match.re.groups]
    if match["later"]:
        first, second = second, first
    return _denied(match, ["right before" if match["near"] else "before", first, second])


def _placed(match: re.Match[str], axis: Axis, size: int) -> Rule:
    name = match[1]
    number = number_of(match["ord"] or match["bare"] or "first")
    if match["middle"]:
        return _denied(match, ["at", name, size // 2]) if size % 2 else []
    if match["number"]:
        # houses and seats are counted from the left; elsewhere from either end
        number = int(match["number"]) - 1
    if match["side"] and _SIDES[match["side"].lower()] != axis.name:
        return []
    end = match["side"] or match["super"] or match["only"]
    if match["tolast"]:
        places = [size - 1 - number] if axis.name == "race" else [size - 1 - number, number]
    elif end:
        places = [number if is_at_start(axis, end) else size - 1 - number]
    else:
        places = [number] if axis.name in ("race", "row") else [number, size - 1 - number]
    # counted from an end that nobody names, a claim may mean either: it is false where both are
    rules = [_denied(match, ["at", name, seat]) for seat in places]
    return rules[0] if len(rules) == 1 else ["any", *rules]
