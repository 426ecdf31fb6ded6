"""Multi-agent logs {question, history: [{content, role, name}]} (who_and_when) -> Trace; the speaker is kept."""

from typing import Any

from hdag.core.values import Trace
from hdag.readers.compose import LogStep, check_object, first_key, first_text, join
from hdag.readers.records import DEFAULT_LIMITS, Limits, as_text, check_list, check_size

SPEAKERS = ("name", "agent", "speaker", "role")
PROBLEMS = ("question", "problem", "task")


def reads(value: Any) -> bool:
    """Whether `value` is a record with a history of contents."""
    history = value.get("history") if isinstance(value, dict) else None
    return isinstance(history, list) and bool(history) and isinstance(history[0], dict) and "content" in history[0]


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace: every message a step with its speaker. Raises BadRecordError naming the message."""
    fields = check_object(value, where=where, field="")
    pieces = []
    for index, row in enumerate(check_list(fields["history"], where=where, field="history", limit=limits.steps)):
        at = f"history[{index}]"
        message = check_object(row, where=where, field=at)
        key = first_key(fields=message, names=SPEAKERS)
        speaker = as_text(message.get(key), where=where, field=f"{at}.{key}") if key else ""
        pieces.append(LogStep(as_text(message.get("content"), where=where, field=f"{at}.content"), speaker))
    thinking, spans = join(pieces=pieces)
    problem = first_text(fields=fields, names=PROBLEMS, where=where)
    name = fields.get("id", fields.get("question_ID", ""))
    trace = Trace(problem, thinking, "", spans, id=str(name))
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)
