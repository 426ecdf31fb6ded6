"""Parts of messages in the form of Anthropic's, whoever wrote them: one rule for calls of tools, one for their results.

Sources, read 2026-11-29: ContentBlock of Bedrock's Converse; Part of Gemini (ExecutableCode, CodeExecutionResult) as
googleapis writes it, in both spellings; part schemas of OpenTelemetry's GenAI conventions (docs/gen-ai); output items
of the Responses API (openai-python, types/responses); ContentToolUse of inspect_ai (_util/content.py); parts of the
AI SDK of Vercel and of LangChain as Langfuse's recorded traces hold them.
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["as_part", "is_call", "is_result"]

# Kinds of calls and results whose names do not end in what they are, and the tool where the part names none.
_CALLS = {"toolUse": "", "functionCall": "", "executableCode": "code_execution", "executable_code": "code_execution"}
_RESULTS = ("toolResult", "functionResponse", "function_response", "codeExecutionResult", "code_execution_result")
# Under which names each protocol keeps our fields of a call; the first that is there counts.
_KEYS = ("call_id", "toolUseId", "toolCallId", "tool_call_id", "tool_use_id", "id")
_NAMES = ("name", "toolName")
_INPUTS = ("input", "args", "arguments", "code", "action", "queries", "operation", "server_tool_call")
_OUTPUTS = ("output", "response", "result", "results", "outputs", "content", "outcome", "server_tool_call_response")
_MEDIA = ("inlineData", "inline_data", "fileData", "file_data", "image", "document", "video", "audio")
_NO_WORDS = ("cachePoint", "cache_point", "videoMetadata")


def is_call(form: object) -> bool:
    """Whether a part or item of this kind is a call of a tool.

    >>> is_call("web_search_call"), is_call("tool-call"), is_call("function_call_output")
    (True, True, False)
    """
    return isinstance(form, str) and (form in _CALLS or form.replace("-", "_").endswith("_call"))


def is_result(form: object) -> bool:
    """Whether a part or item of this kind is what a tool returned."""
    ends = ("_call_output", "_call_response", "tool_result")
    return isinstance(form, str) and (form in _RESULTS or form.replace("-", "_").endswith(ends))


def as_part(block: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part of a message as Anthropic writes it; one that is in no form of these stays what it is.

    >>> as_part({"reasoningContent": {"reasoningText": {"text": "Add."}}})
    {'type': 'thinking', 'thinking': 'Add.'}
    >>> as_part({"toolUse": {"toolUseId": "t", "name": "add", "input": {"a": 2}}})
    {'type': 'tool_use', 'id': 't', 'name': 'add', 'input': {'a': 2}}
    """
    # OpenTelemetry and the Responses API name the kind beside the fields, the others put the fields under its name.
    form = block.get("type") if isinstance(block.get("type"), str) else ""
    if not form and "toolName" in block:
        form = "tool_result" if block.keys() & {"result", "output"} else "tool_call"
    if not form:
        form = next((name for name, inner in block.items() if isinstance(inner, Mapping) and _holds_fields(name)), "")
    fields = block[form] if isinstance(block.get(form), Mapping) and "type" not in block else block
    if is_call(form) or form.endswith("tool_use"):
        return _call(form, fields)
    if is_result(form):
        return {"type": "tool_result", "tool_use_id": _first(fields, _KEYS), "content": _output(fields)}
    return _words(block, form)


def _holds_fields(name: str) -> bool:
    return is_call(name) or is_result(name) or name in _MEDIA or name in _NO_WORDS


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """What stands under the first of `names` that holds anything."""
    return next((fields[name] for name in names if fields.get(name) not in (None, "", [])), None)


def _call(form: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    name = _first(fields, _NAMES) or _CALLS.get(form) or form.replace("-", "_").removesuffix("_call")
    call = {"type": "tool_use", "id": _first(fields, _KEYS), "name": name, "input": _first(fields, _INPUTS)}
    # Tools that run at the provider have their result in the item itself, or what went wrong.
    result = _first(fields, ("output", "outputs", "results", "result", "error"))
    if form == "image_generation_call" and result:
        result = "[image]"
    return call if result is None else call | {"result": _pieces(result)}


def _output(fields: Mapping[str, Any]) -> object:
    """What a tool returned, or at least how it ended: an empty output would look like none."""
    output = _first(fields, _OUTPUTS)
    # The AI SDK wraps it: {"type": "text", "value": "4"}.
    if isinstance(output, Mapping) and output.keys() == {"type", "value"}:
        output = output["value"]
    return _pieces(output)


def _pieces(output: object) -> object:
    """An output in pieces as texts, where all are text: Bedrock's under their kind, logs of the code interpreter."""
    if not isinstance(output, list) or not all(isinstance(piece, Mapping) for piece in output):
        return output
    if output and all(piece.get("type") in ("logs", "image") and "source" not in piece for piece in output):
        return "\n".join(str(piece.get("logs", "[image]")) for piece in output)
    if len(output) == 1 and len(output[0]) == 1:
        ((form, inner),) = output[0].items()
        return inner if form in ("json", "text") else output
    if all(piece.keys() == {"text"} for piece in output):
        return [{"type": "text", "text": piece["text"]} for piece in output]
    return output


def _words(block: Mapping[str, Any], form: str) -> Mapping[str, Any]:
    """Text, reasoning and what is no text."""
    thought = block.get("reasoningContent")
    if isinstance(thought, Mapping):
        clear = thought.get("reasoningText")
        return (
            {"type": "thinking", "thinking": clear.get("text")}
            if isinstance(clear, Mapping)
            else {"type": "redacted_thinking"}
        )
    if "type" not in block and (form in _MEDIA or form in _NO_WORDS):
        return {"type": form} if form in _MEDIA else {"type": "text", "text": ""}
    text = next((block[name] for name in ("text", "content") if block.get(name) is not None), None)
    for name in ("citationsContent", "guardContent"):
        if isinstance(block.get(name), Mapping):
            text = _inner_text(block[name])
    # Agents in C# write the name of their class: Microsoft.Extensions.AI.TextReasoningContent.
    is_reasoning = block.get("thought") is True or "reasoning" in form.lower()
    if isinstance(text, Mapping) and is_reasoning:
        text = text.get("text")
    if isinstance(text, str) and (not form or form == "text" or is_reasoning):
        return {"type": "reasoning" if is_reasoning else "text", "text": text}
    return block


def _inner_text(block: Mapping[str, Any]) -> Any:
    """The text of Bedrock's blocks with citations or under a guard."""
    inner = block.get("content", block.get("text"))
    rows = inner if isinstance(inner, list) else [inner]
    if all(isinstance(row, Mapping) and isinstance(row.get("text"), str) for row in rows):
        return "".join(row["text"] for row in rows)
    return None
