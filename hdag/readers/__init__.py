"""One file per input format, each value -> Trace values; `read_any` finds the format."""

from collections.abc import Callable, Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers import (
    agent_log,
    batch_results,
    dag_math,
    inspect_log,
    messages,
    multi_agent,
    plain,
    printed_graph,
    react_log,
    recorded_calls,
    records,
    spans,
    think_tags,
    trajectories,
)
from hdag.readers.programs import (
    agent_steps,
    aider,
    chat_exports,
    chatgpt,
    claude_code,
    codex,
    crewai,
    label_studio,
    openhands,
    typed_messages,
    wrapped,
)
from hdag.readers.records import DEFAULT_LIMITS, Limits

Test = Callable[[Any], bool]
Read = Callable[..., tuple[Trace, ...]]


def _is_record(value: Any) -> bool:
    # A record without any of our fields is somebody else's: "problem is missing" would say nothing to its owner.
    return isinstance(value, dict) and not value.keys().isdisjoint(("problem", "thinking", "answer", "steps"))


def _read_record(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    return (records.read_record(value, where=where, limits=limits),)


OWN = "record"  # the product's own
# The first format that recognises a value reads it; the audit record, whose errors name its fields, comes last.
FORMATS: Mapping[str, tuple[Test, Read]] = {
    "inspect log": (inspect_log.reads, inspect_log.read),
    "Claude Code": (claude_code.reads, claude_code.read),
    "Codex": (codex.reads, codex.read),
    "aider": (aider.reads, aider.read),
    "CrewAI": (crewai.reads, crewai.read),
    "ChatGPT export": (chatgpt.reads, chatgpt.read),
    "chat export": (chat_exports.reads, chat_exports.read),
    "Label Studio": (label_studio.reads, label_studio.read),
    "agent run": (agent_steps.reads, agent_steps.read),
    "typed messages": (typed_messages.reads, typed_messages.read),
    "wrapped conversation": (wrapped.reads, wrapped.read),
    "OpenHands": (openhands.reads, openhands.read),
    "spans": (spans.reads, spans.read),
    "batch result": (batch_results.reads, batch_results.read),
    "messages": (messages.reads, messages.read),
    "HDAG": (printed_graph.reads, printed_graph.read),
    "DAG-MATH": (dag_math.reads, dag_math.read),
    "SWE-agent": (trajectories.reads, trajectories.read),
    "multi-agent log": (multi_agent.reads, multi_agent.read),
    "agent log": (agent_log.reads, agent_log.read),
    "ReAct log": (react_log.reads, react_log.read),
    "recorded call": (recorded_calls.reads, recorded_calls.read),
    "think tags": (think_tags.reads, think_tags.read),
    "plain text": (plain.reads, plain.read),
    OWN: (_is_record, _read_record),
}


def detect(value: object) -> str:
    """The name of the format of `value`, "" for none.

    >>> detect("<think>2</think>2"), detect({"problem": "p", "steps": ["a"]})
    ('think tags', 'record')
    """
    return next((name for name, (test, _) in FORMATS.items() if test(value)), "")


def read_any(value: object, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """The traces that `value` holds, in whichever format. Raises BadRecordError naming `where` and the field."""
    name = detect(value)
    # Most programs export one array of records.
    if not name and isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        places = (f"{where}, record {index}" for index in range(1, len(value) + 1))
        return tuple(trace for row, at in zip(value, places, strict=True) for trace in _read(row, at, limits))
    return _read(value, where, limits)


def _read(value: object, where: str, limits: Limits) -> tuple[Trace, ...]:
    name = detect(value)
    if not name:
        reason = f"is in no known format ({', '.join(FORMATS)})"
        raise BadRecordError(where=where, field="", reason=reason)
    return FORMATS[name][1](value, where=where, limits=limits)
