"""Messages of AutoGen and of Pydantic AI, which have a kind of their own for each thing that is said -> Trace.

Sources, read 2026-11-29: AutoGen, autogen_agentchat/messages.py; Pydantic AI, the parts of its messages (part_kind) as
programs that keep them have them.
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.programs.talk import Head, Talk, objects
from hdag.readers.records import DEFAULT_LIMITS, Limits

# What repeats a result, or tells how a message arrived.
_SILENT = ("ToolCallSummaryMessage", "ModelClientStreamingChunkEvent", "UserInputRequestedEvent", "SelectSpeakerEvent")
_SAID = (
    "TextMessage",
    "MultiModalMessage",
    "StopMessage",
    "HandoffMessage",
    "StructuredMessage",
    "CodeGenerationEvent",
)
_KINDS = (*_SILENT, *_SAID, "ThoughtEvent", "ToolCallRequestEvent", "ToolCallExecutionEvent", "MemoryQueryEvent")
_RAN = "CodeExecutionEvent"


def reads(value: Any) -> bool:
    """Whether `value` is a list of such messages, or the result of a task with one."""
    rows = value.get("messages") if isinstance(value, dict) else value
    first = rows[0] if isinstance(rows, list) and rows else None
    if not isinstance(first, dict):
        return False
    is_autogen = first.get("type") in (*_KINDS, _RAN) and "source" in first
    return is_autogen or (first.get("kind") in ("request", "response") and isinstance(first.get("parts"), list))


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError naming the message."""
    record = check_object(value, where=where, field="") if isinstance(value, Mapping) else {}
    talk, model = Talk(), None
    rows = record.get("messages") if record else value
    for at, row in objects(rows, where=where, at="messages", limit=limits.steps):
        if "parts" not in row:
            _tell_autogen(talk, row, where, at)
            continue
        model = row.get("model_name") or model
        talk.ask(row.get("instructions") if not talk.messages else None, f"{at}.instructions", role="system")
        for origin, fragment in objects(row["parts"], where=where, at=f"{at}.parts", limit=limits.steps):
            _tell_part(talk, fragment, where, origin)
    head = Head(id=record.get("id"), model=model)
    return (talk.trace(where=where, at="messages", limits=limits, head=head),)


def _tell_autogen(talk: Talk, row: Mapping[str, Any], where: str, at: str) -> None:
    form, content, origin = row.get("type"), row.get("content"), f"{at}.content"
    if form == "ThoughtEvent":
        talk.say(origin, reasoning=content)
    elif form in ("ToolCallRequestEvent", "ToolCallExecutionEvent"):
        for spot, call in objects(content, where=where, at=origin, limit=5_000):
            if form == "ToolCallRequestEvent":
                talk.call(spot, name=call.get("name"), arguments=call.get("arguments"), key=call.get("id"))
            else:
                talk.result(spot, output=call.get("content"), key=call.get("call_id"), name=call.get("name"))
    elif form in ("MemoryQueryEvent", _RAN):
        output = row.get("result", content)
        talk.result(origin, output=output, key="nothing", name="code" if form == _RAN else "memory")
    elif form in _SAID:
        _speak(talk, row, [*map(_piece, content)] if isinstance(content, list) else content, origin)
    elif form not in _SILENT:
        raise BadRecordError(where=where, field=f"{at}.type", reason="is no kind of message known here")


def _speak(talk: Talk, row: Mapping[str, Any], words: object, origin: str) -> None:
    if row.get("source") in ("user", "user_proxy", "system"):
        talk.ask(words, origin)
    else:
        talk.say(origin, content=words)


def _piece(piece: object) -> object:
    return {"type": "text", "text": piece} if isinstance(piece, str) else {"type": "image"}


def _tell_part(talk: Talk, fragment: Mapping[str, Any], where: str, at: str) -> None:
    """A part of Pydantic AI."""
    form, content, key = fragment.get("part_kind"), fragment.get("content"), fragment.get("tool_call_id")
    form = form.removeprefix("builtin-") if isinstance(form, str) else ""
    if form in ("system-prompt", "user-prompt"):
        words = [_piece(piece) for piece in content] if isinstance(content, list) else content
        talk.ask(words, at, role="system" if form == "system-prompt" else "user")
    elif form == "text":
        talk.say(at, content=content)
    elif form == "thinking":
        talk.say(at, reasoning=content or "[redacted reasoning]")
    elif form == "tool-call":
        talk.call(at, name=fragment.get("tool_name"), arguments=fragment.get("args"), key=key)
    elif form in ("tool-return", "retry-prompt") and fragment.get("tool_name"):
        talk.result(at, output=content, key=key, name=fragment.get("tool_name"))
    elif form == "retry-prompt":
        talk.ask(content, at)
    elif form != "file":
        raise BadRecordError(where=where, field=f"{at}.part_kind", reason="is no kind of part known here")
