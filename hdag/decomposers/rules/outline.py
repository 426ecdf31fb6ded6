"""The tree of a trace: goal over strategies over tactics over steps over operations, as deep as the trace needs."""

from collections.abc import Iterator

from hdag.core.levels import Level
from hdag.core.spans import Span, gaps, trim
from hdag.core.values import Source, Trace
from hdag.decomposers.rules.drafts import Draft
from hdag.decomposers.rules.equations import find_equations
from hdag.decomposers.rules.units import Unit, split_units


def outline(*, trace: Trace) -> Draft:
    """The goal with everything below it; every non-blank character of the trace lies in some draft."""
    parts = [*_thinking(trace), *_tool_calls(trace), *_answer(trace)]
    goal = _goal(trace, parts)
    goal.parts = parts
    return goal


def _goal(trace: Trace, parts: list[Draft]) -> Draft:
    for source in (Source.PROBLEM, Source.THINKING, Source.ANSWER):
        text = trace.source_text(source)
        if text.strip():
            return Draft(Level.GOAL, source, trim(text=text, span=Span(0, len(text))), kind="objective")
    first = parts[0]
    return Draft(Level.GOAL, first.source, first.span, first.source_index, kind="objective")


def _thinking(trace: Trace) -> list[Draft]:
    text = trace.thinking
    pieces: list[tuple[Unit, int | None]] = []
    given = [Span(step.start, step.end) for step in trace.steps]
    for gap in gaps(within=Span(0, len(text)), covered=given):
        pieces.extend((unit, None) for unit in split_units(text=text, within=gap))
    for step in trace.steps:
        pieces.append((Unit(trim(text=text, span=Span(step.start, step.end)), -1), step.index))
    pieces.sort(key=lambda piece: piece[0].span)
    return list(_steps(text, pieces, Source.THINKING))


def _answer(trace: Trace) -> list[Draft]:
    units = split_units(text=trace.answer, within=Span(0, len(trace.answer)))
    return list(_steps(trace.answer, [(unit, None) for unit in units], Source.ANSWER))


def _tool_calls(trace: Trace) -> Iterator[Draft]:
    for index, call in enumerate(trace.tool_calls):
        span = trim(text=call.text, span=Span(0, len(call.text)))
        yield Draft(Level.STEP, Source.TOOL_CALL, span, index, kind="tool_call")


def _steps(text: str, pieces: list[tuple[Unit, int | None]], source: Source) -> Iterator[Draft]:
    for unit, step in pieces:
        operations = [] if unit.code else find_equations(text=text, within=unit.span)
        parts = [Draft(Level.OPERATION, source, span, kind="calculation", step=step) for span in operations]
        yield Draft(Level.STEP, source, unit.span, kind="inference", step=step, parts=parts)
