"""Chat-completion messages with reasoning and tool calls -> Trace."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import ToolCall, Trace
from hdag.readers.compose import LogStep, check_object, join
from hdag.readers.records import DEFAULT_LIMITS, JOINT, Limits, as_text, check_list, check_size, check_text
from hdag.readers.tags import split_tags

REASONING = ("reasoning", "reasoning_content", "thinking")


def reads(value: Any) -> bool:
    """Whether `value` is a list of messages or a record with one."""
    messages = value.get("messages") if isinstance(value, dict) else value
    return isinstance(messages, list) and bool(messages) and isinstance(messages[0], dict) and "role" in messages[0]


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace: user messages are the problem, the last assistant text the answer, the rest steps of the thinking."""
    fields = value if isinstance(value, dict) else {"messages": value}
    messages = check_list(fields["messages"], where=where, field="messages", limit=limits.steps)
    trace = read_messages(messages, where=where, at="messages")
    name = fields.get("id")
    trace = replace(trace, id=str(name)) if isinstance(name, str | int) else trace
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)


@dataclass(slots=True)
class _Talk:
    """What has been read of a conversation."""

    problem: list[str] = field(default_factory=list)
    pieces: list[LogStep] = field(default_factory=list)
    calls: dict[str, ToolCall] = field(default_factory=dict)
    answer: str = ""


def read_messages(messages: Sequence[object], *, where: str, at: str) -> Trace:
    """The trace of one conversation. Raises BadRecordError naming the message."""
    talk = _Talk()
    for index, message in enumerate(messages):
        path = f"{at}[{index}]"
        fields = check_object(message, where=where, field=path)
        role = fields.get("role")
        if role in ("user", "system", "developer"):
            talk.problem.append(_content(fields.get("content"), where, path)[0])
        elif role == "assistant":
            _assistant(talk, fields, where, path)
        elif role in ("tool", "function"):
            _tool(talk, fields, where, path)
        else:
            raise BadRecordError(where=where, field=f"{path}.role", reason="must be system, user, assistant or tool")
    thinking, steps = join(pieces=talk.pieces)
    # A talk of the user with himself, or of tool calls alone, holds no reasoning to be audited.
    if not thinking.strip() and not talk.answer.strip():
        raise BadRecordError(where=where, field=at, reason="no assistant message holds text")
    problem = JOINT.join(text for text in talk.problem if text.strip())
    return Trace(problem, thinking, talk.answer, steps, tuple(talk.calls.values()))


def _assistant(talk: _Talk, fields: Mapping[str, Any], where: str, path: str) -> None:
    """One assistant message: reasoning and thinking become steps, tool calls are noted, its text may be the answer."""
    # Only the last assistant text is the answer: what stood there before turns out to be a step.
    if talk.answer.strip():
        talk.pieces.append(LogStep(talk.answer, "assistant"))
        talk.answer = ""
    for name in REASONING:
        if isinstance(fields.get(name), str) and fields[name].strip():
            talk.pieces.append(LogStep(check_text(fields[name], where=where, field=f"{path}.{name}"), "assistant"))
            break
    text, reasoning = _content(fields.get("content"), where, path)
    if "</think>" in text:
        tagged, text = split_tags(text, where=where, field=f"{path}.content")
        reasoning += tagged
    if reasoning.strip():
        talk.pieces.append(LogStep(reasoning, "assistant"))
    calls = fields.get("tool_calls") or []
    for number, call in enumerate(check_list(calls, where=where, field=f"{path}.tool_calls", limit=5_000)):
        _call(talk, call, text, where, f"{path}.tool_calls[{number}]")
        text = ""
    talk.answer = text


def _call(talk: _Talk, call: object, text: str, where: str, path: str) -> None:
    """Remember a call; text beside it is a step that made it."""
    if text.strip():
        talk.pieces.append(LogStep(text, "assistant"))
    fields = check_object(call, where=where, field=path)
    function = fields.get("function")
    inner = function if isinstance(function, Mapping) else {"name": function, "arguments": fields.get("arguments")}
    name = check_text(inner.get("name"), where=where, field=f"{path}.function.name")
    arguments = as_text(inner.get("arguments"), where=where, field=f"{path}.function.arguments")
    key = fields.get("id")
    # A call without an id, or with one that was used before, gets a key of its own: no call is overwritten.
    key = key if isinstance(key, str) and key not in talk.calls else f"#{len(talk.calls)}"
    talk.calls[key] = ToolCall(name, arguments, "", len(talk.pieces) - 1 if talk.pieces else None)


def _tool(talk: _Talk, fields: Mapping[str, Any], where: str, path: str) -> None:
    """Give the output to its call, or to the first one without output."""
    output = _content(fields.get("content"), where, path)[0]
    key = fields.get("tool_call_id")
    if key not in talk.calls:
        # Old logs name no call: the output goes to the first call still without one.
        key = next((name for name, call in talk.calls.items() if not call.output), None)
    if key is None:
        raise BadRecordError(where=where, field=f"{path}.tool_call_id", reason="answers no tool call")
    talk.calls[key] = replace(talk.calls[key], output=output)


def _content(value: object, where: str, path: str) -> tuple[str, str]:
    """Text and reasoning of a message's content: a string, null, or a list of typed parts."""
    if value is None or isinstance(value, str):
        return as_text(value, where=where, field=f"{path}.content"), ""
    texts: list[str] = []
    thoughts: list[str] = []
    for index, row in enumerate(check_list(value, where=where, field=f"{path}.content", limit=20_000)):
        at = f"{path}.content[{index}]"
        fields = check_object(row, where=where, field=at)
        if fields.get("type") in ("reasoning", "thinking"):
            thoughts.append(as_text(fields.get("reasoning") or fields.get("thinking"), where=where, field=at))
        elif "text" in fields:
            texts.append(check_text(fields["text"], where=where, field=f"{at}.text"))
        else:
            texts.append(f"[{fields.get('type', 'part')}]")  # an image or file: named, not lost silently
    return "\n".join(texts), JOINT.join(thoughts)
