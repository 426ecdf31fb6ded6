"""Checker: objects in a fixed order: every order that fits all statements of the problem is tried.

For logical deduction ("The owl is the leftmost. The hawk is to the right of the crow."). Seven objects have 5,040
orders, so trying them all is exact and quick; more objects are not examined.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditing.checker.findings import Verdict
from auditing.checker.proofs.formulas import packed
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "orderings"
MAX_OBJECTS = 7
_ORDINALS = "first second third fourth fifth sixth seventh".split()
_ORDINAL = "|".join(_ORDINALS)
_OBJECTS = Cue(r"\b(?:three|four|five|six|seven)\s\w+:\s([^.:\n]{5,300})\.")
_ITEM = r"(?:the |an? )?([a-z][a-z' ]{1,30}?)"
_COMPARED = re.compile(
    rf"\b{_ITEM} (?:is|are|finished) (?:(more expensive|less expensive|cheaper|newer|older|above|below) (?:than )?"
    rf"|to the (left|right) of ){_ITEM}(?=\.|,|$)",
    re.IGNORECASE,
)
_PLACED = re.compile(
    rf"\b{_ITEM} (?:is|are|finished) (?:the )?(?:({_ORDINAL})(?:-|\s))?(?:(from the left|from the right|most expensive|"
    r"cheapest|newest|oldest|to-last|last|leftmost|rightmost)\b)",
    re.IGNORECASE,
)
_FINISHED = re.compile(rf"\b{_ITEM} finished ({_ORDINAL})(?=\.|,|$)", re.IGNORECASE)
_EARLIER = frozenset(("more expensive", "newer", "above", "left"))
_FROM_START = frozenset(("from the left", "leftmost", "most expensive", "newest"))
_DIRECTION = re.compile(
    r"\bfrom (?:the )?(left|right|first|last|newest|oldest|most|least|cheapest)\b[^:.]{0,40}?"
    r"\bto\b[^:.]{0,30}:\s*(.+)$",
    re.IGNORECASE | re.DOTALL,
)
_FORWARD = frozenset(("left", "first", "newest", "most"))
_SEAT = re.compile(rf"\b({_ORDINAL}) is {_ITEM}(?=,|\.|$)", re.IGNORECASE)

Order = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One statement of the problem: the first object stands before the second, or at a place counted from 0."""

    text: str
    first: str
    second: str = ""
    place: int = 0

    def fits(self, order: Order) -> bool:
        """Whether an order keeps it."""
        if self.second:
            return order.index(self.first) < order.index(self.second)
        return order[self.place] == self.first

    def as_proof(self) -> list[str | int]:
        """As the proof holds it."""
        return ["before", self.first, self.second] if self.second else ["at", self.first, self.place]


def check(script: Script) -> Iterator[Placed]:
    """A place that no order gives an object is refuted; a place that every order gives it is verified."""
    objects = _objects(script.problem.text)
    if objects is None:
        return
    rules = list(_rules(script.problem.text, objects))
    orders = (
        [order for order in itertools.permutations(objects) if all(rule.fits(order) for rule in rules)] if rules else []
    )
    # no order left: a statement was misread; too many: the statements that could be read say too little
    if not orders or len(orders) > 100:
        return
    for passage in script.passages:
        direction = _DIRECTION.search(passage.text)
        if direction is not None:
            yield from _seats(passage, direction, orders, rules)


def _objects(problem: str) -> list[str] | None:
    """The objects that the problem lists before its statements, without articles."""
    match = _OBJECTS.search(problem)
    if match is None or "fixed order" not in problem:
        return None
    objects = [re.sub(r"^(?:and )?(?:an? |the )?", "", name.strip().lower()) for name in match[1].split(",")]
    return objects if 2 < len(objects) <= MAX_OBJECTS and len(set(objects)) == len(objects) else None


def _rules(problem: str, objects: list[str]) -> Iterator[Rule]:
    # what follows are answers to choose from, not facts
    statements = problem.split("Options:")[0].split("Q:")[0]
    for match in _COMPARED.finditer(statements):
        first, second = _object(match[1], objects), _object(match[4], objects)
        if first and second:
            ahead = (match[2] or match[3]).lower() in _EARLIER
            yield Rule(match.group(), first, second) if ahead else Rule(match.group(), second, first)
    for match in _PLACED.finditer(statements):
        name = _object(match[1], objects)
        if name:
            number = _ORDINALS.index(match[2].lower()) if match[2] else 0
            start = match[3].lower() in _FROM_START
            yield Rule(match.group(), name, place=number if start else len(objects) - 1 - number)
    for match in _FINISHED.finditer(statements):
        name = _object(match[1], objects)
        if name:
            yield Rule(match.group(), name, place=_ORDINALS.index(match[2].lower()))


def _object(text: str, objects: list[str]) -> str:
    text = text.lower().strip()
    return next((name for name in objects if text == name or text.endswith(" " + name)), "")


def _seats(passage: Passage, direction: re.Match[str], orders: list[Order], rules: list[Rule]) -> Iterator[Placed]:
    forward = direction[1].lower() in _FORWARD
    objects = sorted(orders[0])
    for match in _SEAT.finditer(passage.text, direction.start(2)):
        name = _object(match[2], objects)
        number = _ORDINALS.index(match[1].lower())
        if not name or number >= len(objects):
            continue
        # an order is kept from the left, the newest, the most expensive; a passage may count from the other end
        at = number if forward else len(objects) - 1 - number
        fits = sum(order[at] == name for order in orders)
        # true in some orders only: the statements do not decide it
        if 0 < fits < len(orders):
            continue
        seats = sorted({(order.index(name) if forward else len(objects) - 1 - order.index(name)) for order in orders})
        where = " or ".join(_ORDINALS[seat] for seat in seats)
        sentence = f"By the statements of the problem, {name} is {where}{'' if fits else f', not {match[1].lower()}'}."
        details = {
            "said": match.group(),
            "computed": where,
            "rule": "order",
            "orders": str(len(orders)),
            **packed(
                {
                    "kind": "order",
                    "objects": objects,
                    "rules": [rule.as_proof() for rule in rules],
                    "texts": [rule.text for rule in rules],
                    "name": name,
                    "ordinal": match[1].lower(),
                    "place": at,
                }
            ),
            "evidence_latex": rf"\text{{{sentence}}}",
        }
        yield place(
            passage=passage,
            start=match.start(),
            end=match.end(),
            checker=NAME,
            rule="order",
            sentence=sentence,
            details=details,
            verdict=Verdict.VERIFIED if fits else Verdict.REFUTED,
        )
