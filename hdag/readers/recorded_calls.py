"""One call as it was recorded, what was asked beside what was answered -> Trace; or the body of an answer alone.

The Responses API and Chat Completions of OpenAI, messages of Anthropic, observations of Langfuse, runs of LangSmith,
calls of Weave, prompts with completions as TRL has them; and conversations in one list, as Gemini and ShareGPT have
them. Sources, read 2026-11-29: langfuse (fern/apis, worker/src/__tests__/chatml), langsmith-sdk (schemas.Run),
openai-python (types/responses, types/chat), LLaMA-Factory's data/README.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import compress
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object, first_key
from hdag.readers.messages import read_messages
from hdag.readers.protocols.foreign_messages import as_message, is_message
from hdag.readers.protocols.sides import SYSTEM, talk_of
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_list, check_name, check_size

_TALKS = ("contents", "conversations")
_ASKED = (*_TALKS, "input", "inputs", "prompt")
_ANSWERED = ("output", "outputs", "completion")
_MODELS = ("model", "modelVersion", "model_version", "model_name", "ls_model_name")
OURS = ("problem", "thinking", "answer", "steps", "messages", "text")


def reads(value: Any) -> bool:
    """Whether `value` has the two sides of a call under names of these formats, and none of our own fields."""
    if not isinstance(value, dict) or any(name in value for name in OURS):
        return False
    has_talk = any(isinstance(value.get(name), list) for name in _TALKS)
    has_sides = first_key(fields=value, names=_ASKED) and first_key(fields=value, names=_ANSWERED)
    return has_talk or bool(has_sides) or _is_answer(value)


def _is_answer(value: Mapping[str, Any]) -> bool:
    """Whether this is the body of an answer, which tells not what was asked."""
    is_named = value.get("object") in ("chat.completion", "response") or isinstance(value.get("candidates"), list)
    return is_named or (value.get("type") == "message" and is_message(value))


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace: what was asked is the problem, what was answered its reasoning and answer."""
    record = check_object(value, where=where, field="")
    if _is_answer(record) and "input" not in record:
        # Its own id and model are read from it; a response repeats its instructions.
        talk, at = talk_of(record, role="assistant", where=where, at=""), ""
    else:
        talk, at = _both_sides(record, where)
    trace = trace_of(talk, where=where, at=at, limits=limits)
    trace = replace(trace, model_name=_model(record, where, limits), id=_identifier(record))
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)


def trace_of(talk: list[Any], *, where: str, at: str, limits: Limits) -> Trace:
    """The trace of one conversation."""
    return read_messages(check_list(talk, where=where, field=at, limit=limits.steps), where=where, at=at)


def joined(asked: list[Any], answered: list[Any]) -> list[Any]:
    """One conversation of both sides; agents answer with all of it, what was asked once more."""
    before = [*map(told, asked)]
    if before and before == [*map(told, answered[: len(before)])]:
        return answered
    # A response repeats the instructions that stood before what was asked.
    is_instruction = [told(row)[0] == "system" for row in answered]
    words = (row for row, is_first in zip(answered, is_instruction, strict=True) if not is_first)
    return [*compress(answered, is_instruction), *asked, *words]


def told(row: Any) -> tuple[Any, ...]:
    """What is compared of a message: who said what, and which calls it makes."""
    message = as_message(row) if isinstance(row, Mapping) else {}
    calls = message.get("tool_calls") or None
    return message.get("role"), message.get("content") or None, calls


def _both_sides(record: Mapping[str, Any], where: str) -> tuple[list[Any], str]:
    system, asked, answered = (first_key(fields=record, names=names) for names in (SYSTEM, _ASKED, _ANSWERED))
    talk = joined(
        talk_of(record.get(asked), role="user", where=where, at=asked),
        talk_of(record[answered], role="assistant", where=where, at=answered) if answered else [],
    )
    if system and record.get(system):
        talk = [*talk_of(record[system], role="system", where=where, at=system), *talk]
    if not talk:
        raise BadRecordError(where=where, field=asked, reason="nothing was recorded of what was asked and answered")
    return talk, asked


def _model(record: Mapping[str, Any], where: str, limits: Limits) -> str:
    """The model's name, of the record or of what was answered."""
    extra = record.get("extra")
    # LangSmith keeps what the model was called with beside the call.
    called = [extra.get(name) for name in ("invocation_params", "metadata")] if isinstance(extra, Mapping) else []
    answered = record.get(first_key(fields=record, names=_ANSWERED))
    for fields in (row for row in (record, answered, *called) if isinstance(row, Mapping)):
        named = next((name for name in _MODELS if fields.get(name) is not None), "")
        if named:
            return check_name(fields[named], where=where, field=named, limits=limits)
    return ""


def _identifier(record: Mapping[str, Any]) -> str:
    key = next((record[name] for name in ("id", "responseId") if record.get(name) is not None), "")
    return str(key) if isinstance(key, str | int) else ""
