"""One call as it was recorded, what was asked beside what was answered -> Trace.

The Responses API of OpenAI, observations of Langfuse, runs of LangSmith with messages, spans of OpenTelemetry, prompts
with their completions as TRL has them; and conversations in one list, as Gemini and ShareGPT have them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json
from hdag.core.values import Trace
from hdag.readers.compose import check_object, first_key
from hdag.readers.messages import read_messages
from hdag.readers.records import DEFAULT_LIMITS, Limits, as_text, check_list, check_name, check_size

_TALKS = ("contents", "conversations")
_ASKED = (*_TALKS, "input", "inputs", "prompt", "gen_ai.input.messages")
_ANSWERED = ("output", "outputs", "completion", "gen_ai.output.messages")
_SYSTEM = ("instructions", "system_instruction", "systemInstruction", "gen_ai.system_instructions")
_MODELS = ("model", "gen_ai.response.model", "gen_ai.request.model")
_OURS = ("problem", "thinking", "answer", "steps", "messages", "text")


def reads(value: Any) -> bool:
    """Whether `value` has the two sides of a call under names of these formats, and none of our own fields."""
    if not isinstance(value, dict) or any(name in value for name in _OURS):
        return False
    fields = _fields(value)
    has_talk = any(isinstance(fields.get(name), list) for name in _TALKS)
    return has_talk or bool(first_key(fields=fields, names=_ASKED) and first_key(fields=fields, names=_ANSWERED))


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace: what was asked is the problem, what was answered its reasoning and answer."""
    record = check_object(value, where=where, field="")
    fields = _fields(record)
    system, asked, answered = (first_key(fields=fields, names=names) for names in (_SYSTEM, _ASKED, _ANSWERED))
    messages = [
        *(_talk(fields[system], "system", where, system) if fields.get(system) else []),
        *_talk(fields.get(asked), "user", where, asked),
        *(_talk(fields[answered], "assistant", where, answered) if answered else []),
    ]
    trace = read_messages(check_list(messages, where=where, field="", limit=limits.steps), where=where, at=asked)
    named = first_key(fields=fields, names=_MODELS)
    model = check_name(fields.get(named), where=where, field=named, limits=limits)
    key = record.get("id")
    trace = replace(trace, model_name=model, id=str(key) if isinstance(key, str | int) else "")
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)


def _fields(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Where the two sides stand: in the attributes of a span, else in the record itself."""
    attributes = record.get("attributes")
    return attributes if isinstance(attributes, dict) and "gen_ai.input.messages" in attributes else record


def _talk(side: Any, role: str, where: str, at: str) -> list[Any]:
    """One side of the call as messages."""
    # Attributes of a span are texts: a list of messages stands there as JSON.
    if at.startswith("gen_ai.") and isinstance(side, str):
        side = read_json(side, where=f"{where}, {at}")
    if isinstance(side, str):
        return [{"role": role, "content": side}]
    if isinstance(side, dict):
        return _of_object(side, role, where, at)
    if isinstance(side, list) and all(isinstance(row, dict) for row in side):
        # Parts alone, as instructions have them, are one message.
        is_parts = bool(side) and not any("role" in row or "from" in row for row in side)
        return [{"role": role, "parts": side}] if is_parts and role == "system" else side
    raise BadRecordError(where=where, field=at, reason="must be text, a message or a list of messages")


def _of_object(side: dict[str, Any], role: str, where: str, at: str) -> list[Any]:
    if isinstance(side.get("messages"), list):
        return list(side["messages"])
    if isinstance(side.get("choices"), list) and side["choices"]:
        choice = check_object(side["choices"][0], where=where, field=f"{at}.choices[0]")
        return [choice.get("message")]
    if "role" in side:
        return [side]
    if "parts" in side:
        return [{"role": role, **side}]
    # Langfuse and LangSmith keep whatever a program gave them: {"question": "..."} is text like any other.
    texts = [text for text in side.values() if text not in (None, "")]
    only = texts[0] if len(texts) == 1 else side
    return [{"role": role, "content": as_text(only, where=where, field=at)}]
