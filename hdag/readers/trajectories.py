"""Trajectories of SWE-agent {"trajectory": [{thought, action, observation}], "history", "info"} -> Trace.

Source, read 2026-11-29: SWE-agent, docs/usage/trajectories.md and trajectories/demonstrations; older files have the
history of messages alone, each with `agent` and `message_type` or `is_demo`.
"""

from typing import Any

from hdag.core.values import ToolCall, Trace
from hdag.readers.compose import LogStep, check_object, first_text, join
from hdag.readers.records import DEFAULT_LIMITS, JOINT, Limits, as_text, check_list, check_size

_ASKED = ("system", "user")


def reads(value: Any) -> bool:
    """Whether `value` has steps with an action and what was observed, or a history that an agent's messages mark."""
    if not isinstance(value, dict):
        return False
    steps, history = value.get("trajectory"), value.get("history")
    if isinstance(steps, list) and steps and isinstance(steps[0], dict):
        return "action" in steps[0] and "observation" in steps[0] and "response" in steps[0]
    first = history[0] if isinstance(history, list) and history else None
    return (
        isinstance(first, dict)
        and "agent" in first
        and "role" in first
        and not value.keys() & {"question", "problem", "task"}
    )


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace: thoughts are steps, commands are calls of the shell, what was submitted is the answer."""
    fields = check_object(value, where=where, field="")
    has_steps = bool(fields.get("trajectory"))
    rows = check_list(fields.get("history") or [], where=where, field="history", limit=limits.steps)
    problem = _problem(rows, where)
    name = "trajectory" if has_steps else "history"
    steps = check_list(fields.get(name), where=where, field=name, limit=limits.steps)
    pieces: list[LogStep] = []
    calls: list[ToolCall] = []
    for index, row in enumerate(steps):
        at = f"{name}[{index}]"
        step = check_object(row, where=where, field=at)
        if not has_steps and step.get("role") != "assistant":
            # In a history, the message behind an action is what was observed.
            _observe(calls, step, where, at)
            continue
        thought = first_text(fields=step, names=("thought", "response", "content"), where=where, at=f"{at}.")
        pieces.append(LogStep(thought))
        action = as_text(step.get("action"), where=where, field=f"{at}.action")
        output = as_text(step.get("observation"), where=where, field=f"{at}.observation")
        if action.strip():
            calls.append(ToolCall("shell", action, output, len(pieces) - 1 if thought.strip() else None))
    thinking, spans = join(pieces=pieces)
    info = fields.get("info")
    answer = as_text(info.get("submission"), where=where, field="info.submission") if isinstance(info, dict) else ""
    trace = Trace(problem, thinking if spans else "", answer, spans, tuple(calls), id=str(fields.get("id", "")))
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)


def _problem(rows: list[Any], where: str) -> str:
    """What stands before the first word of the agent: the setting and the issue."""
    texts = []
    for index, row in enumerate(rows):
        message = check_object(row, where=where, field=f"history[{index}]")
        if message.get("role") not in _ASKED:
            break
        texts.append(as_text(message.get("content"), where=where, field=f"history[{index}].content"))
    return JOINT.join(text for text in texts if text.strip())


def _observe(calls: list[ToolCall], message: Any, where: str, at: str) -> None:
    if calls and not calls[-1].output and message.get("role") in ("user", "tool"):
        call = calls.pop()
        output = as_text(message.get("content"), where=where, field=f"{at}.content")
        calls.append(ToolCall(call.name, call.arguments, output, call.step))
