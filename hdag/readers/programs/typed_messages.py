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
        for place, part in objects(row["parts"], where=where, at=f"{at}.parts", limit=limits.steps):
            _tell_part(talk, part, where, place)
    head = Head(id=record.get("id"), model=model)
    return (talk.trace(where=where, at="messages", limits=limits, head=head),)


def _tell_autogen(talk: Talk, row: Mapping[str, Any], where: str, at: str) -> None:
    kind, content, place = row.get("type"), row.get("content"), f"{at}.content"
    if kind == "ThoughtEvent":
        talk.say(place, reasoning=content)
    elif kind in ("ToolCallRequestEvent", "ToolCallExecutionEvent"):
        for spot, call in objects(content, where=where, at=place, limit=5_000):
            if kind == "ToolCallRequestEvent":
                talk.call(spot, name=call.get("name"), arguments=call.get("arguments"), key=call.get("id"))
            else:
                talk.result(spot, output=call.get("content"), key=call.get("call_id"), name=call.get("name"))
    elif kind in ("MemoryQueryEvent", _RAN):
        output = row.get("result", content)
        talk.result(place, output=output, key="nothing", name="code" if kind == _RAN else "memory")
    elif kind in _SAID:
        _speak(talk, row, [*map(_piece, content)] if isinstance(content, list) else content, place)
    elif kind not in _SILENT:
        raise BadRecordError(where=where, field=f"{at}.type", reason="is no kind of message known here")


def _speak(talk: Talk, row: Mapping[str, Any], words: object, place: str) -> None:
    if row.get("source") in ("user", "user_proxy", "system"):
        talk.ask(words, place)
    else:
        talk.say(place, content=words)


def _piece(piece: object) -> object:
    return {"type": "text", "text": piece} if isinstance(piece, str) else {"type": "image"}


def _tell_part(talk: Talk, part: Mapping[str, Any], where: str, at: str) -> None:
    """A part of Pydantic AI."""
    kind, content, key = part.get("part_kind"), part.get("content"), part.get("tool_call_id")
    kind = kind.removeprefix("builtin-") if isinstance(kind, str) else ""
    if kind in ("system-prompt", "user-prompt"):
        words = [_piece(piece) for piece in content] if isinstance(content, list) else content
        talk.ask(words, at, role="system" if kind == "system-prompt" else "user")
    elif kind == "text":
        talk.say(at, content=content)
    elif kind == "thinking":
        talk.say(at, reasoning=content or "[redacted reasoning]")
    elif kind == "tool-call":
        talk.call(at, name=part.get("tool_name"), arguments=part.get("args"), key=key)
    elif kind in ("tool-return", "retry-prompt") and part.get("tool_name"):
        talk.result(at, output=content, key=key, name=part.get("tool_name"))
    elif kind == "retry-prompt":
        talk.ask(content, at)
    elif kind != "file":
        raise BadRecordError(where=where, field=f"{at}.part_kind", reason="is no kind of part known here")
