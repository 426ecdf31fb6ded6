"""Messages of other protocols in the form of Anthropic's: Bedrock, Gemini, OpenTelemetry, Responses, ShareGPT.

Forms as each protocol names them: ContentBlock of Converse, Content of Gemini, the message schemas of OpenTelemetry's
GenAI conventions, items of the Responses API.
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["as_message", "as_part"]

_SPEAKERS = {"model": "assistant", "gpt": "assistant", "ai": "assistant", "human": "user"}
# Names of a call and of its result, and under which each key of ours stands there.
_USES = {
    "toolUse": {"id": "toolUseId", "name": "name", "input": "input"},
    "functionCall": {"id": "id", "name": "name", "input": "args"},
    "tool_call": {"id": "id", "name": "name", "input": "arguments"},
    "function_call": {"id": "call_id", "name": "name", "input": "arguments"},
}
_RESULTS = {
    "toolResult": ("toolUseId", "content"),
    "functionResponse": ("id", "response"),
    "tool_call_response": ("id", "response"),
    "function_call_output": ("call_id", "output"),
}


def as_message(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message with `role` and `content`, whatever they are called; an item of a response is one of its own.

    >>> as_message({"role": "model", "parts": [{"text": "4"}]})
    {'role': 'assistant', 'content': [{'type': 'text', 'text': '4'}]}
    >>> as_message({"type": "function_call_output", "call_id": "a", "output": "4"})["role"]
    'user'
    """
    if "role" not in row and isinstance(row.get("from"), str):
        row = {"role": row["from"], "content": row.get("value")}
    role, kind = row.get("role"), row.get("type")
    if role is None and (kind == "reasoning" or kind in _USES or kind in _RESULTS):
        return {"role": "user" if kind in _RESULTS else "assistant", "content": [as_part(row)]}
    if isinstance(row.get("parts"), list) and row.get("content") is None:
        parts = [as_part(part) if isinstance(part, Mapping) else part for part in row["parts"]]
        row = {key: value for key, value in row.items() if key != "parts"} | {"content": parts}
        # The results of tools stand in messages of a tool there.
        role = "user" if role in ("tool", "function") else role
    return {**row, "role": _SPEAKERS.get(role, role)} if isinstance(role, str) else row


def as_part(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part of a message as Anthropic writes it; one that is in no form of these stays what it is.

    >>> as_part({"reasoningContent": {"reasoningText": {"text": "Add."}}})
    {'type': 'thinking', 'thinking': 'Add.'}
    >>> as_part({"toolUse": {"toolUseId": "t", "name": "add", "input": {"a": 2}}})
    {'type': 'tool_use', 'id': 't', 'name': 'add', 'input': {'a': 2}}
    """
    # OpenTelemetry and the Responses API name the kind beside the fields, the others put the fields under its name.
    kind = next((name for name in (*_USES, *_RESULTS) if name == part.get("type") or name in part), "")
    fields = part[kind] if isinstance(part.get(kind), Mapping) else part
    if kind in _USES:
        return {"type": "tool_use"} | {ours: fields.get(theirs) for ours, theirs in _USES[kind].items()}
    if kind in _RESULTS:
        key, output = (fields.get(theirs) for theirs in _RESULTS[kind])
        return {"type": "tool_result", "tool_use_id": key, "content": _output(output)}
    return _words(part)


def _words(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Text and reasoning."""
    thought = part.get("reasoningContent")
    if isinstance(thought, Mapping):
        clear = thought.get("reasoningText")
        return (
            {"type": "thinking", "thinking": clear.get("text")}
            if isinstance(clear, Mapping)
            else {"type": "redacted_thinking"}
        )
    text = part.get("text", part.get("content"))
    if part.get("type") in ("text", "reasoning") and isinstance(text, str):
        return {**part, "text": text}
    if "type" not in part and isinstance(text, str):
        return {"type": "reasoning" if part.get("thought") is True else "text", "text": text}
    return part


def _output(output: object) -> object:
    """What a tool returned; Bedrock wraps each piece under its kind."""
    if isinstance(output, list) and all(isinstance(piece, Mapping) and len(piece) == 1 for piece in output):
        pieces = [next(iter(piece.items())) for piece in output]
        if len(pieces) == 1 and pieces[0][0] in ("json", "text"):
            return pieces[0][1]
        return [{"type": "text", "text": text} if kind == "text" else {kind: text} for kind, text in pieces]
    return output
