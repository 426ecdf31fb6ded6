"""Chat messages with reasoning and tool calls -> Trace, as OpenAI (chat completions) and Anthropic document them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import ToolCall, Trace
from hdag.readers.compose import LogStep, check_object, join
from hdag.readers.protocols.foreign_messages import as_message, calls_of, is_message
from hdag.readers.protocols.observed import with_calls
from hdag.readers.protocols.parts import as_part, is_result
from hdag.readers.records import (
    DEFAULT_LIMITS,
    JOINT,
    Limits,
    as_text,
    check_list,
    check_name,
    check_size,
    check_text,
)
from hdag.readers.tags import split_tags

REASONING = ("reasoning", "reasoning_content", "thinking")
_SHOWN = ("image", "image_url", "audio", "video", "document", "file")  # parts that are named and not read


def reads(value: Any) -> bool:
    """Whether `value` is a list of messages or a record with one."""
    messages = value.get("messages") if isinstance(value, dict) else value
    return isinstance(messages, list) and bool(messages) and is_message(messages[0])


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace: user messages are the problem, the last assistant text the answer, the rest steps of the thinking."""
    fields = value if isinstance(value, dict) else {"messages": value}
    messages = check_list(fields["messages"], where=where, field="messages", limit=limits.steps)
    trace = read_messages(messages, where=where, at="messages")
    # Anthropic keeps the system prompt beside the messages, where OpenAI has a message of its own.
    system = _content(fields.get("system"), where, "system").text
    model = check_name(fields.get("model"), where=where, field="model", limits=limits)
    problem = JOINT.join(text for text in (system, trace.problem) if text.strip())
    trace = replace(trace, problem=problem, model_name=model)
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
    tools: set[str] = field(default_factory=set)  # names of what was called
    answer: str = ""


def read_messages(messages: Sequence[object], *, where: str, at: str, places: Sequence[str] = ()) -> Trace:
    """The trace of one conversation. Raises BadRecordError naming the message, or where it was made from."""
    talk = _Talk()
    for index, message in with_calls(messages):
        path = places[index] if places else f"{at}[{index}]"
        fields = as_message(check_object(message, where=where, field=path))
        role = fields.get("role")
        if role in ("user", "system", "developer"):
            content = _content(fields.get("content"), where, path)
            talk.problem.append(content.text)
            _give_results(talk, content, where, path)
        elif role == "assistant":
            for turn, first in _turns(fields):
                _assistant(talk, turn, where, path, first)
        # LangChain in JavaScript lets a tool speak under its own name.
        elif role in ("tool", "function") or (isinstance(role, str) and role in talk.tools):
            _tool(talk, fields, where, path)
        else:
            raise BadRecordError(where=where, field=f"{path}.role", reason="must be system, user, assistant or tool")
    thinking, steps = join(pieces=talk.pieces)
    # A talk of the user with himself, or of tool calls alone, holds no reasoning to be audited.
    if not thinking.strip() and not talk.answer.strip():
        raise BadRecordError(where=where, field=at, reason="no assistant message holds text")
    problem = JOINT.join(text for text in talk.problem if text.strip())
    return Trace(problem, thinking, talk.answer, steps, tuple(talk.calls.values()))


@dataclass(slots=True)
class _Content:
    """What the content of a message holds: its text, its reasoning, calls of tools, and (key of a call, output)."""

    text: str = ""
    reasoning: str = ""
    calls: list[Mapping[str, Any]] = field(default_factory=list)
    results: list[tuple[object, str]] = field(default_factory=list)


def _turns(fields: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """A message cut behind every result in it, each piece with the number of its first part.

    Tools that run at the provider return within the message: what is said after the last result is the answer, and
    what was said before a call is a step, as in a conversation of several messages.
    """
    content = fields.get("content")
    if not isinstance(content, list):
        yield fields, 0
        return
    parts = [as_part(row) if isinstance(row, Mapping) else row for row in content]
    ends = [number + 1 for number, row in enumerate(parts) if _returns(row)]
    cuts = [0, *ends, len(parts)] if ends and ends[-1] < len(parts) else [0, *ends[:-1], len(parts)]
    for first, end in pairwise(cuts):
        yield ({**fields, "content": parts[first:end]} if not first else {"content": parts[first:end]}), first


def _returns(row: object) -> bool:
    return isinstance(row, Mapping) and ("result" in row or is_result(row.get("type")))


def _assistant(talk: _Talk, fields: Mapping[str, Any], where: str, path: str, first: int = 0) -> None:
    """One assistant message: reasoning and thinking become steps, tool calls are noted, its text may be the answer."""
    # Only the last assistant text is the answer: what stood there before turns out to be a step.
    if talk.answer.strip():
        talk.pieces.append(LogStep(talk.answer, "assistant"))
        talk.answer = ""
    beside = _reasoning_beside(fields, where, path)
    if beside.strip():
        talk.pieces.append(LogStep(beside, "assistant"))
    content = _content(fields.get("content"), where, path, first)
    # A refusal stands in the place of the content, which is null then.
    text, reasoning = content.text or as_text(fields.get("refusal"), where=where, field=path), content.reasoning
    if "</think>" in text:
        tagged, text = split_tags(text, where=where, field=f"{path}.content")
        reasoning += tagged
    if reasoning.strip():
        talk.pieces.append(LogStep(reasoning, "assistant"))
    calls = check_list(fields.get("tool_calls") or [], where=where, field=f"{path}.tool_calls", limit=5_000)
    # LangChain writes calls of Anthropic's twice, beside the content and in it.
    keys = [call.get("id") for call in calls if isinstance(call, Mapping) and call.get("id")]
    inside = [call for call in content.calls if call["id"] not in keys]
    # The form of before tools: one function, and no key.
    earlier = [{"function": fields["function_call"]}] if isinstance(fields.get("function_call"), Mapping) else []
    for number, call in enumerate([*calls, *earlier, *inside, *_tagged_calls(text)]):
        _call(talk, call, text, where, f"{path}.tool_calls[{number}]")
        text = ""
    _give_results(talk, content, where, path)
    talk.answer = text


def _tagged_calls(text: str) -> list[Any]:
    """Calls that open models write into their text: <tool_call>{"name": ..., "arguments": ...}</tool_call>."""
    pieces = [piece.partition("</tool_call>") for piece in text.split("<tool_call>")[1:]]
    return [call for inner, closed, _ in pieces if closed for call in calls_of(inner)]


def _reasoning_beside(fields: Mapping[str, Any], where: str, path: str) -> str:
    """Reasoning in a field of its own, under the first of its names that holds any."""
    for name in REASONING:
        if isinstance(fields.get(name), str) and fields[name].strip():
            return check_text(fields[name], where=where, field=f"{path}.{name}")
    details = fields.get("reasoning_details")
    return _thought({"summary": details}, where, path) if isinstance(details, list) else ""


def _call(talk: _Talk, call: object, text: str, where: str, path: str) -> None:
    """Remember a call; text beside it is a step that made it."""
    if text.strip():
        talk.pieces.append(LogStep(text, "assistant"))
    fields = check_object(call, where=where, field=path)
    arguments = fields.get("arguments", fields.get("args"))  # `args` is LangChain's
    flat = {"name": fields.get("function") or fields.get("name"), "arguments": arguments}
    inner = next((fields[kind] for kind in ("function", "custom") if isinstance(fields.get(kind), Mapping)), flat)
    name = check_text(inner.get("name"), where=where, field=f"{path}.function.name")
    arguments = as_text(inner.get("arguments", inner.get("input")), where=where, field=f"{path}.function.arguments")
    key = fields.get("id")
    # A call without an id, or with one that was used before, gets a key of its own: no call is overwritten.
    key = key if isinstance(key, str) and key not in talk.calls else f"#{len(talk.calls)}"
    talk.tools.add(name)
    talk.calls[key] = ToolCall(name, arguments, "", len(talk.pieces) - 1 if talk.pieces else None)


def _tool(talk: _Talk, fields: Mapping[str, Any], where: str, path: str) -> None:
    """Give the output to its call, or to the first one without output."""
    content = fields.get("content")
    is_json = isinstance(content, Mapping)
    output = as_text(content, where=where, field=path) if is_json else _output(content, where, path)
    error = fields.get("error")
    # Inspect keeps what went wrong beside the content, which is empty then.
    if not output.strip() and isinstance(error, Mapping):
        output = as_text(error.get("message"), where=where, field=f"{path}.error.message")
    _give_output(talk, fields.get("tool_call_id"), output, where, f"{path}.tool_call_id")


def _give_results(talk: _Talk, content: _Content, where: str, path: str) -> None:
    for key, output in content.results:
        _give_output(talk, key, output, where, f"{path}.tool_use_id")


def _give_output(talk: _Talk, key: object, output: str, where: str, path: str) -> None:
    if not isinstance(key, str) or key not in talk.calls:
        # Old logs name no call: the output goes to the first call still without one.
        key = next((name for name, call in talk.calls.items() if not call.output), None)
    if key is None:
        raise BadRecordError(where=where, field=path, reason="answers no tool call")
    talk.calls[key] = replace(talk.calls[key], output=output)


def _content(value: object, where: str, path: str, first: int = 0) -> _Content:
    """The content of a message: a string, null, or a list of typed parts."""
    if value is None or isinstance(value, str):
        return _Content(as_text(value, where=where, field=f"{path}.content"))
    content, texts, thoughts = _Content(), list[str](), list[str]()
    for index, row in enumerate(check_list(value, where=where, field=f"{path}.content", limit=20_000), first):
        at = f"{path}.content[{index}]"
        part = as_part(check_object(row, where=where, field=at))
        kind = part.get("type")
        kind = kind if isinstance(kind, str) else "part"
        if kind in ("reasoning", "thinking", "redacted_thinking"):
            thoughts.append(_thought(part, where, at))
        # Also server_tool_use, web_search_tool_result and their like.
        elif kind.endswith("tool_use"):
            called = {"name": part.get("name"), "arguments": part.get("input")}
            content.calls.append({"id": part.get("id"), "function": called})
            if "result" in part:
                content.results.append((part.get("id"), _output(part["result"], where, at)))
        elif kind.endswith("tool_result"):
            content.results.append((part.get("tool_use_id"), _output(part.get("content"), where, at)))
        else:
            texts.append(_part_text(part, kind, where, at))
    content.text, content.reasoning = "\n".join(texts), JOINT.join(thoughts)
    return content


def _part_text(part: Mapping[str, Any], kind: str, where: str, at: str) -> str:
    """The text of a part; an image or file is named, not lost silently."""
    for name in ("text", "refusal"):
        if name in part:
            return check_text(part[name], where=where, field=f"{at}.{name}")
    # A part of a protocol that is not known here: its name in the place of its words would be audited as reasoning.
    if kind == "part" or kind.endswith("text"):
        raise BadRecordError(where=where, field=at, reason=f"is a part in no known form ({', '.join(part)})"[:200])
    return f"[{kind}]"


def _thought(part: Mapping[str, Any], where: str, at: str) -> str:
    """Reasoning in the clear, whole or in pieces."""
    value, instead = _in_the_clear(part)
    if isinstance(value, list):
        return JOINT.join(text for text in (_piece(row, where, at) for row in value) if text)
    return as_text(value, where=where, field=at) or instead


def _piece(row: object, where: str, at: str) -> str:
    """A piece of reasoning; pieces have no pieces, however deep somebody nests them."""
    value, instead = _in_the_clear(check_object(row, where=where, field=at))
    return as_text(value, where=where, field=at) or instead


def _in_the_clear(part: Mapping[str, Any]) -> tuple[Any, str]:
    """What can be read of it, and what stands there if that is nothing: a provider's cipher is nobody's reasoning."""
    is_hidden = bool(part.get("redacted")) or part.get("type") == "redacted_thinking"
    # What an open model thought stands in `content` of an item of the Responses API, and its summary is empty then.
    names = ("summary",) if is_hidden else ("reasoning", "thinking", "text", "content", "summary")
    is_hidden = is_hidden or bool(part.get("encrypted_content") or part.get("data"))
    return next((part[name] for name in names if part.get(name)), None), "[redacted reasoning]" if is_hidden else ""


def _output(value: object, where: str, at: str) -> str:
    """What a tool returned: text, parts that are read here, or any JSON, results inside of results as well."""
    is_parts = isinstance(value, list) and all(_is_plain_part(row) for row in value)
    return _content(value, where, at).text if is_parts else as_text(value, where=where, field=at)


def _is_plain_part(row: object) -> bool:
    # A hit of a search is no part: its name in the place of its address would lose what the tool returned.
    kind = row.get("type") if isinstance(row, Mapping) else None
    return isinstance(kind, str) and (kind.endswith("text") or kind.removeprefix("input_") in _SHOWN)
