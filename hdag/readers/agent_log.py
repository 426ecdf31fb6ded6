"""Agent logs (thought, tool, input, output) -> Trace: thoughts are steps, tools are tool calls."""

from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import ToolCall, Trace
from hdag.readers.compose import LogStep, check_object, first_key, first_text, join
from hdag.readers.records import DEFAULT_LIMITS, Limits, as_text, check_list, check_size

LISTS = ("steps", "trajectory", "log", "intermediate_steps")
THOUGHTS = ("thought", "thinking", "reasoning", "log")  # LangChain's action has its words in `log`
TOOLS, INPUTS, OUTPUTS = ("tool", "action"), ("input", "tool_input", "action_input"), ("output", "observation")
PROBLEMS, ANSWERS = ("problem", "task", "question", "input"), ("answer", "final_answer", "output")


def reads(value: Any) -> bool:
    """Whether `value` is a record with a list of {thought or tool, ...}."""
    items = value.get(first_key(fields=value, names=LISTS)) if isinstance(value, dict) else None
    first = _entry(items[0]) if isinstance(items, list) and items else None
    return isinstance(first, dict) and bool(first_key(fields=first, names=("thought", *TOOLS)))


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError naming the entry."""
    fields = check_object(value, where=where, field="")
    name = first_key(fields=fields, names=LISTS)
    pieces: list[LogStep] = []
    calls: list[ToolCall] = []
    for index, row in enumerate(check_list(fields[name], where=where, field=name, limit=limits.steps)):
        at = f"{name}[{index}]"
        entry = check_object(_entry(row), where=where, field=at)
        thought = first_text(fields=entry, names=THOUGHTS, where=where, at=f"{at}.")
        tool = first_text(fields=entry, names=TOOLS, where=where, at=f"{at}.")
        if not thought.strip() and not tool.strip():
            raise BadRecordError(where=where, field=at, reason="holds neither thought nor tool")
        pieces.append(LogStep(thought))
        if tool.strip():
            texts = [
                as_text(entry.get(first_key(fields=entry, names=keys)), where=where, field=f"{at}.{keys[0]}")
                for keys in (INPUTS, OUTPUTS)
            ]
            # A tool entry without a thought: no step of the trace made the call.
            made_by = index if thought.strip() else None
            calls.append(ToolCall(tool, texts[0], texts[1], made_by))
    thinking, spans = join(pieces=pieces)
    problem = first_text(fields=fields, names=PROBLEMS, where=where)
    answer = first_text(fields=fields, names=ANSWERS, where=where)
    trace = Trace(problem, thinking if spans else "", answer, spans, tuple(calls), id=str(fields.get("id", "")))
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)


def _entry(row: object) -> object:
    """An entry of the log; LangChain's intermediate steps are pairs of an action and what was observed."""
    if isinstance(row, list) and len(row) == 2 and isinstance(row[0], dict):
        return {**row[0], "observation": row[1]}
    return row
