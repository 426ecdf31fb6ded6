"""One side of a recorded call, what was asked or what was answered -> messages, however a program wrapped it.

Sources, read 2026-11-29: traces that Langfuse keeps of a dozen frameworks (worker/src/__tests__/chatml); runs of
LangSmith with batches and generations (langsmith-sdk); bodies of responses of OpenAI, Anthropic, Gemini and Bedrock.
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json
from hdag.readers.compose import check_object
from hdag.readers.protocols.foreign_messages import is_message
from hdag.readers.records import as_text

__all__ = ["SYSTEM", "talk_of"]

SYSTEM = ("system", "instructions", "system_instruction", "systemInstruction", "gen_ai.system_instructions")
# What wraps a conversation. Of the last, only the first of several alternatives is read, and in it what stands beside.
_WRAPPERS = ("messages", "contents")
_CHOICES = {"choices": ("message", "text"), "candidates": ("content",), "generations": ("message", "text")}
# A message in an envelope of its own: a choice alone, an answer of Ollama, a turn of an agent of Google's.
_ENVELOPES = ("message", "content", "output")
_DEEPEST = 6  # wrappers in wrappers; nobody wraps deeper, and a hostile record must not break the stack


def talk_of(side: Any, *, role: str, where: str, at: str, depth: int = 0) -> list[Any]:
    """The messages of one side; text is one message of `role`. Raises BadRecordError naming `at`.

    >>> talk_of({"choices": [{"message": {"role": "assistant", "content": "4"}}]}, role="assistant", where="", at="")
    [{'role': 'assistant', 'content': '4'}]
    >>> talk_of('{"messages": [{"role": "user", "content": "2 + 2?"}]}', role="user", where="", at="input")
    [{'role': 'user', 'content': '2 + 2?'}]
    """
    side = _parsed(side)
    if side is None:
        return []
    if isinstance(side, str):
        return [{"role": role, "content": side}]
    if depth >= _DEEPEST:
        raise BadRecordError(where=where, field=at, reason="wraps its messages too deeply")
    if isinstance(side, dict):
        return _of_object(side, role, where, at, depth + 1)
    if isinstance(side, list):
        return _of_list(side, role, where, at, depth + 1)
    raise BadRecordError(where=where, field=at, reason="must be text, a message or a list of messages")


def _parsed(side: Any) -> Any:
    """Langfuse keeps what it was given as JSON in a text, sometimes twice; a text that is no conversation stays one."""
    value = side
    for _ in range(2):
        if not isinstance(value, str) or not value.lstrip().startswith(("{", "[", '"')):
            break
        try:
            value = read_json(value, where="")
        except BadRecordError:
            return side
    return value if not isinstance(value, str) and _is_talk(value) else side


def _is_talk(value: Any, depth: int = 0) -> bool:
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, Mapping):
        return False
    is_wrapped = any(isinstance(first.get(name), list) for name in (*_WRAPPERS, *_CHOICES, "parts"))
    inner = [first[name] for name in _ENVELOPES if isinstance(first.get(name), dict)] if depth < _DEEPEST else []
    is_enveloped = any(_is_talk(row, depth + 1) for row in inner)
    is_named = ("model" in first and "contents" in first) or "toolCallId" in first
    return is_wrapped or is_enveloped or is_named or is_message(first) or first.get("object") == "response"


def _of_list(side: list[Any], role: str, where: str, at: str, depth: int) -> list[Any]:
    # LangSmith keeps batches: a list of conversations, as a rule of one.
    if side and all(isinstance(row, str | list) for row in side):
        if len(side) > 1:
            reason = f"holds {len(side)} texts or conversations; write each as a record of its own"
            raise BadRecordError(where=where, field=at, reason=reason)
        return talk_of(side[0], role=role, where=where, at=f"{at}[0]", depth=depth)
    for index, row in enumerate(side):
        check_object(row, where=where, field=f"{at}[{index}]")
    # Parts alone, as instructions have them, are one message.
    if side and not any(is_message(row) or "parts" in row for row in side):
        return [{"role": role, "parts": side}]
    # A message of Gemini without a role is of whoever's side it is; what holds no words at all is refused as it is.
    return [{"role": role, **row} if not is_message(row) and row.keys() & {"parts", "content"} else row for row in side]


def _of_object(side: dict[str, Any], role: str, where: str, at: str, depth: int) -> list[Any]:
    if is_message(side):
        return [side]
    if isinstance(side.get("parts"), list):
        return [{"role": role, **side}]
    if name := _wrapper_of(side):
        inner = talk_of(side[name], role=role, where=where, at=f"{at}.{name}", depth=depth)
        return _instructions(side, where, at, depth) + inner
    for name, fields in _CHOICES.items():
        if isinstance(side.get(name), list) and side[name]:
            return _of_choice(side[name][0], fields, role, where, f"{at}.{name}[0]", depth)
    # Langfuse and LangSmith keep whatever a program gave them: {"question": "..."} is text like any other.
    filled = [name for name, inner in side.items() if inner not in (None, "", [], {})]
    if len(filled) == 1 and _is_text(side[filled[0]]):
        return talk_of(side[filled[0]], role=role, where=where, at=f"{at}.{filled[0]}", depth=depth)
    return [{"role": role, "content": as_text(side, where=where, field=at)}]


def _wrapper_of(side: Mapping[str, Any]) -> str:
    """The field in which the conversation is; "" for none."""
    if side.get("object") == "response" and "output" in side:
        return "output"
    name = next((name for name in _WRAPPERS if isinstance(side.get(name), str | list)), "")
    return name or next((name for name in _ENVELOPES if isinstance(side.get(name), dict) and _is_talk(side[name])), "")


def _is_text(only: Any) -> bool:
    return isinstance(only, str) or _is_talk(only) or (isinstance(only, list) and [*map(type, only)] == [str])


def _of_choice(choice: Any, fields: tuple[str, ...], role: str, where: str, at: str, depth: int) -> list[Any]:
    while isinstance(choice, list) and choice and depth < _DEEPEST:
        choice, at, depth = choice[0], f"{at}[0]", depth + 1
    row = check_object(choice, where=where, field=at)
    name = next((name for name in fields if row.get(name) is not None), "")
    if not name:
        raise BadRecordError(where=where, field=at, reason=f"holds no {' or '.join(fields)}")
    return talk_of(row[name], role=role, where=where, at=f"{at}.{name}", depth=depth)


def _instructions(side: Mapping[str, Any], where: str, at: str, depth: int) -> list[Any]:
    """The system prompt beside the messages, or in Gemini's config."""
    config = side.get("config")
    for fields in (side, config if isinstance(config, Mapping) else {}):
        for name in SYSTEM:
            if fields.get(name):
                return talk_of(fields[name], role="system", where=where, at=f"{at}.{name}", depth=depth)
    return []
