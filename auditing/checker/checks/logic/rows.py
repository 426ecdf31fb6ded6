"""Rows that a step fills from one end: "from left to right: first is the owl, then second can be any bird"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.checks.logic.axes import ORDINAL, Axis, number_of
from auditing.checker.checks.logic.names import NAME
from auditing.checker.checks.logic.sequences import Listed, begins_at_start
from auditing.checker.checks.logic.statements import Rule
from auditing.checker.checks.logic.worlds import World

_DIRECTION = re.compile(
    r"\bfrom (?:the )?(?P<a>[a-z]{3,10}(?: [a-z]{3,10})?) to (?:the )?(?P<b>[a-z]{3,10}(?: [a-z]{3,10})?)\s?[:,]",
    re.IGNORECASE,
)
_FILLED = re.compile(
    rf"(?:^|[,:;]|\bthen|\band)\s(?:the )?(?P<nth>{ORDINAL})(?: or (?P<also>{ORDINAL}))? (?:is|are) "
    rf"{NAME}(?: or {NAME})?(?=\s?[,.;]|$|\sand\b)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    rf"(?:^|[,:;]|\bthen|\band)\s(?P<list>(?:{ORDINAL})(?:(?:,| and|, and)\s(?:{ORDINAL})){{0,6}}) "
    r"can be any [a-z]+\b",
    re.IGNORECASE,
)
CLAUSE = re.compile(
    rf"\b(?:{ORDINAL})(?:(?:,|,? and|,? or| to| through) (?:{ORDINAL})){{0,9}} (?:is|are|can be) [^,;.]{{0,80}}",
    re.IGNORECASE,
)
_NTH = re.compile(rf"\b(?:{ORDINAL})\b", re.IGNORECASE)


def rows_of(text: str, axis: Axis, world: World, told: str) -> Iterator[Listed]:
    """What a masked sentence says of the places of a row, counted from the end that it names.

    An object at a place (behind the last one it is nobody's), or a place that is left to anybody, although a statement
    that was taken up before gives it to one. `told` is what the trace says so far, in lower case with single blanks.
    """
    direction = _DIRECTION.search(text)
    starts = begins_at_start(direction, axis)
    if direction is None or starts is None:
        return
    size = len(world.names.objects)

    def seat_of(nth: str) -> int:
        number = number_of(nth)
        return number if starts or number >= size else size - 1 - number

    for match in _FILLED.finditer(text, direction.end() - 1):
        seats = [seat_of(nth) for nth in (match["nth"], match["also"]) if nth]
        rules: list[Rule] = [["at", sign, seat] for sign in (match[3], match[4]) if sign for seat in seats]
        rule = rules[0] if len(rules) == 1 else ["any", *rules]
        yield Listed(rule, match.start("nth"), match.end(), fills_a_row=rule[0] == "at")
    taken = {
        rule[2]
        for rule, sentence in zip(world.rules, world.texts, strict=True)
        if rule[0] == "at" and " ".join(sentence.lower().split()).strip(" -.") in told
    }
    for match in _OPEN.finditer(text, direction.end() - 1):
        seat = next((seat for seat in map(seat_of, _NTH.findall(match["list"])) if seat in taken), None)
        if seat is not None:
            # a place that is open may be another object's, too
            yield Listed(["open", seat], match.start("list"), match.end())
