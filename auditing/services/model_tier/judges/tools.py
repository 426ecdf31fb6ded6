"""The tools of the audit model: none has a side effect, none evaluates code, a malformed call is an error to read.

functions  add, subtract, multiply, divide, correlation, linear_regression (RADO, appendix C)
calculate  an expression of numbers, exactly      check  a statement, by the checkers of the computer tier
algebra    solve, simplify, expand, factor, integrate: the symbolic engine in its sandbox
convert    a quantity to another unit             dates  days between dates, or a date plus days
search     passages of uploaded documents, only where the operator switched it on

Reads Document (search only); writes nothing.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any, Protocol

from auditing.checker.examination import examine_graph
from auditing.checker.mathematics.cursor import UnreadableError
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.grammar import parse_slice
from auditing.checker.mathematics.tokens import tokenize
from auditing.checker.mathematics.tree import Tree, number_text
from auditing.checker.sandbox.pool import warm_sandbox
from auditing.core.model_tier.audit_functions import ToolRefusedError, call_tool
from hdag.core.levels import Level
from hdag.core.values import Graph, Segment, Source, Trace

__all__ = ["Passage", "Search", "ToolResult", "Toolbox"]

_LONGEST = 2000  # characters of an input
# "3.5 km -> m", "3.5 km to m"
_QUANTITY = re.compile(r"\s*(-?[0-9]{1,15}(?:\.[0-9]{1,15})?)\s*([^->]{1,40}?)\s*(?:->|\bto\b)\s*([^->]{1,40}?)\s*")
# "m/s^2": letters, powers, at most three further factors; pint evaluates what it is given, so nothing else gets there.
_UNIT = re.compile(r"[A-Za-zµ°Ω]{1,20}(?:\^-?[0-9])?(?:[*/][A-Za-zµ°Ω]{1,20}(?:\^-?[0-9])?){0,3}")
# "solve x^2 - 4 = 0", "factor x^2 - 4"
_ALGEBRA = re.compile(r"\s*(solve|simplify|expand|factor|integrate)\s([^\n]{1,400})")
# "2024-01-31 to 2024-03-01"; "2024-01-31 + 30 days"
_BETWEEN = re.compile(r"\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\s+to\s+([0-9]{4}-[0-9]{2}-[0-9]{2})\s*")
_SHIFT = re.compile(r"\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\s*([+-])\s*([0-9]{1,6})\s*days?\s*")


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that a search found, and the document it stands in."""

    document: str
    text: str


class Search(Protocol):
    """Where an audit model may look things up; what it finds is data, like the trace."""

    def find(self, *, query: str, limit: int) -> tuple[Passage, ...]:
        """The best passages, best first."""
        ...


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave; `refuted`: a checker found the statement false."""

    ok: bool
    text: str
    refuted: bool = False


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of one audit; search is off unless given."""

    search: Search | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The tools that may be called."""
        return (*_TOOLS, "search") if self.search else tuple(_TOOLS)

    def call(self, *, tool: str, text: str) -> ToolResult:
        """Carry out one call; whatever is wrong with it comes back as an error in words."""
        try:
            if tool not in self.names:
                raise ToolRefusedError(f"there is no tool {tool[:40]!r}; there are {', '.join(self.names)}")
            if len(text) > _LONGEST:
                raise ToolRefusedError(f"the input has {len(text)} characters, the limit is {_LONGEST}")
            return self._look_up(text) if tool == "search" else _TOOLS[tool](text)
        except (ToolRefusedError, UnreadableError) as error:
            return ToolResult(False, str(error))

    def _look_up(self, text: str) -> ToolResult:
        passages = self.search.find(query=text, limit=3) if self.search else ()
        return ToolResult(True, "\n".join(f"[{p.document}] {p.text[:1500]}" for p in passages) or "nothing found")


def _function(text: str) -> ToolResult:
    return ToolResult(True, str(call_tool(text)))


def _calculate(text: str) -> ToolResult:
    value = value_of(_parsed(text))
    if value is None:
        raise ToolRefusedError(f"{text.strip()[:80]!r} has no exact value")
    return ToolResult(True, number_text(value)[:1000])


def _check(text: str) -> ToolResult:
    """What the computer tier finds in `text` on its own."""
    if not text.strip():
        raise ToolRefusedError("there is nothing to check")
    # A trace of one step with nothing before it: every number in the text is granted.
    segment = Segment("ST1", Level.STEP, text, Source.THINKING, 0, len(text))
    findings = examine_graph(trace=Trace("", text), graph=Graph((segment,), ()))["ST1"]
    lines = [
        f"{finding.verdict}{' (doubtful)' if finding.doubts else ''}: {finding.evidence.sentence}"
        for finding in findings
    ]
    refuted = any(finding.accuses for finding in findings)
    return ToolResult(True, "\n".join(lines) or "nothing here that a checker can settle", refuted)


def _algebra(text: str) -> ToolResult:
    match = _ALGEBRA.fullmatch(text)
    sides = match[2].split("=") if match else []
    if not match or len(sides) != (2 if match[1] == "solve" else 1):
        raise ToolRefusedError("algebra looks like solve x^2 - 4 = 0, or factor x^2 - 4 (simplify, expand, integrate)")
    # The grammar of the checkers reads it, and no evaluator: the engine only ever sees a tree of known operations.
    trees = tuple(_parsed(side) for side in sides)
    result = warm_sandbox().run(task=match[1], trees=trees)
    if result is None:
        raise ToolRefusedError("the symbolic engine cannot do that within its limits")
    solution = ", ".join(result) if isinstance(result, list) else str(result)
    return ToolResult(True, (solution or "no solution")[:1000].replace("**", "^"))


def _parsed(text: str) -> Tree:
    tokens = tokenize(text)
    tree, end = parse_slice(tokens=tokens, start=0, end=len(tokens))
    if end != len(tokens):
        raise ToolRefusedError(f"{text.strip()[:80]!r} is not one expression")
    return tree


def _convert(text: str) -> ToolResult:
    match = _QUANTITY.fullmatch(text)
    if not match or not all(_UNIT.fullmatch(unit) for unit in match.groups()[1:]):
        raise ToolRefusedError("a conversion looks like 3.5 km -> m")
    import pint  # here: it takes long to import, and few audits convert

    try:
        converted = _units().Quantity(float(match[1]), match[2]).to(match[3])
    except (pint.PintError, ArithmeticError, TypeError, ValueError, AttributeError):
        raise ToolRefusedError(f"{match[2]} cannot be converted to {match[3]}") from None
    return ToolResult(True, f"{converted.magnitude:.12g} {match[3]}")


@cache
def _units() -> Any:
    import pint

    return pint.UnitRegistry(cache_folder=None)


def _dates(text: str) -> ToolResult:
    between, shift = _BETWEEN.fullmatch(text), _SHIFT.fullmatch(text)
    try:
        if between:
            days = (date.fromisoformat(between[2]) - date.fromisoformat(between[1])).days
            return ToolResult(True, f"{days} days")
        if shift:
            days = int(shift[3]) * (1 if shift[2] == "+" else -1)
            end = date.fromisoformat(shift[1]) + timedelta(days=days)
            return ToolResult(True, f"{end.isoformat()}, a {end:%A}")
    except (ValueError, OverflowError) as error:
        raise ToolRefusedError(f"no such date ({error})") from None
    raise ToolRefusedError("dates look like 2024-01-31 to 2024-03-01, or 2024-01-31 + 30 days")


_TOOLS: dict[str, Callable[[str], ToolResult]] = {
    "function": _function,
    "calculate": _calculate,
    "check": _check,
    "algebra": _algebra,
    "convert": _convert,
    "dates": _dates,
}
