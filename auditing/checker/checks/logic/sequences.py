"""Whole orders that a text lists: "the order is A, B, C", "A < B < C", numbered lines, read on masked text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditing.checker.checks.logic.axes import Axis, is_at_start, names_an_end
from auditing.checker.checks.logic.names import FILL, FIRST, NAME
from auditing.checker.checks.logic.statements import Rule

_SIGN = re.compile(rf"[\ue000-\ue01f]{FILL}*")
_LIST = re.compile(
    rf"{NAME}(?:\s?(?:,|<|>|→|->|=>|–|—|-)\s?(?:and\s|then\s)?(?:\d\.\s)?{NAME}|,?\sand\s{NAME}){{2,6}}", re.IGNORECASE
)
_CUE = re.compile(
    r"\b(?:order|arrangement|ranking|sequence|line-?up|from [a-z -]{3,20} to [a-z -]{3,20})\b[^,;\ue000-\ue0ff]{0,40}?"
    r"(?:\b(?:is|are|be|was)|:)\s?\W{0,4}$",
    re.IGNORECASE,
)
_NOT_THE_ORDER = re.compile(r"\b(?:alphabetical|list(?:ed|s)?|given|particular|names?|objects?)\b", re.IGNORECASE)
DIRECTION = re.compile(
    r"(?:from |\()(?:the )?(?P<a>[a-z]{3,10}(?: [a-z]{3,10})?) to (?:the )?(?P<b>[a-z]{3,10}(?: [a-z]{3,10})?)",
    re.IGNORECASE,
)
_LINE = re.compile(rf"^[^\w\n]{{0,4}}(\d)[.):]\s[^\w\n]{{0,3}}{NAME}[^\w\n]*$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list of objects says, whether words around it say that it is an order, and whether a row is filled."""

    rule: Rule
    start: int
    end: int
    is_called_so: bool = True
    fills_a_row: bool = False


def sequences_of(text: str, axis: Axis, size: int) -> Iterator[Listed]:
    """Every list of three objects and more in a masked sentence that is said to be an order."""
    for match in _LIST.finditer(text):
        signs = [sign[0] for sign in _SIGN.findall(match.group())]
        before, after = text[max(0, match.start() - 90) : match.start()], text[match.end() : match.end() + 24]
        arrows = set(re.findall(r"[<>→]", match.group().replace("->", "→").replace("=>", "→")))
        is_chain = len(arrows) == 1 and not re.search(r",|\sand\s", match.group())
        direction = DIRECTION.search(before) or DIRECTION.match(after.lstrip())
        is_called_so = bool(_CUE.search(before) or DIRECTION.match(after.lstrip()))
        if len(set(signs)) < len(signs) or not (is_chain or is_called_so) or _NOT_THE_ORDER.search(before):
            continue
        yield Listed(_either(signs, size, _directions(direction, axis)), match.start(), match.end())


def numbered_order(text: str, size: int, axis: Axis) -> Listed | None:
    """Numbered lines that name every object once."""
    lines = list(_LINE.finditer(text))
    signs = [line[2] for line in lines]
    if [line[1] for line in lines] != [str(number + 1) for number in range(size)] or len(set(signs)) != size:
        return None
    # numbered as the problem lists them, they are no order
    if signs == [chr(FIRST + index) for index in range(size)]:
        return None
    before = text[: lines[0].start()]
    is_called_so = bool(re.search(r"\b(?:order|arrangement|ranking)\b", before, re.IGNORECASE))
    directions = _directions(DIRECTION.search(before), axis)
    return Listed(_either(signs, size, directions), lines[0].start(), lines[-1].end(), is_called_so)


def begins_at_start(told: re.Match[str] | None, axis: Axis) -> bool | None:
    """Whether "from a to b" begins at the start of an axis; None where neither of them is an end of it."""
    if told is None or not (names_an_end(axis, told["a"]) or names_an_end(axis, told["b"])):
        return None
    return is_at_start(axis, told["a"]) if names_an_end(axis, told["a"]) else not is_at_start(axis, told["b"])


def _directions(told: re.Match[str] | None, axis: Axis) -> tuple[bool, ...]:
    """Both where nothing says it."""
    starts = begins_at_start(told, axis)
    return (True, False) if starts is None else (starts,)


def _either(signs: list[str], size: int, directions: tuple[bool, ...]) -> Rule:
    rules = [_order(signs if forward else signs[::-1], size) for forward in directions]
    return rules[0] if len(rules) == 1 else ["any", *rules]


def _order(signs: list[str], size: int) -> Rule:
    if len(signs) == size:
        return ["all", *(["at", sign, number] for number, sign in enumerate(signs))]
    return ["all", *(["before", first, second] for first, second in itertools.pairwise(signs))]
