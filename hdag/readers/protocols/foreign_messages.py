"""Messages of other programs as chat messages with `role` and `content`.

Sources, read 2026-11-29: langchain_core.load (constructors {"lc": 1, "id": [..., "HumanMessage"], "kwargs": {...}}) and
messages_to_dict, as LangSmith exports runs; LLaMA-Factory's data/README (ShareGPT with function_call and observation)
and ms-swift (tool_call, tool_response); output items of the Responses API (openai-python, types/responses); Content of
Gemini; messages of OpenTelemetry's GenAI conventions.
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json
from hdag.readers.protocols.parts import as_part, is_call, is_result

__all__ = ["as_message", "calls_of", "is_message"]

_SPEAKERS = {
    "model": "assistant",
    "gpt": "assistant",
    "ai": "assistant",
    "chatbot": "assistant",
    "human": "user",
    "observation": "tool",
    "tool_response": "tool",
    "function_response": "tool",
}
_CALLERS = ("function_call", "tool_call")  # roles whose text is a call
_TYPED = ("human", "ai", "system", "tool", "function", "chat", "developer")  # kinds of LangChain's messages
# Items of a response that hold neither words nor a call: what tools there are, what was approved or packed away.
_SILENT = ("mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "additional_tools", "compaction")


def is_message(row: object) -> bool:
    """Whether `row` is a message or an item of a conversation in one of these forms.

    >>> is_message({"from": "gpt", "value": "4"}), is_message({"type": "text", "text": "4"})
    (True, False)
    """
    if not isinstance(row, Mapping):
        return False
    form = row.get("type")
    is_item = form in ("reasoning", *_SILENT) or (_is_item(form) and row.keys() & {"call_id", "status", "output"})
    return "role" in row or isinstance(row.get("from"), str) or bool(_class_of(row)) or bool(is_item)


def as_message(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message with `role` and `content`, whatever they are called; an item of a response is one of its own.

    >>> as_message({"role": "model", "parts": [{"text": "4"}]})
    {'role': 'assistant', 'content': [{'type': 'text', 'text': '4'}]}
    >>> as_message({"lc": 1, "type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": {"content": "4"}})
    {'content': '4', 'role': 'assistant'}
    """
    row = _of_langchain(row)
    if "role" not in row and isinstance(row.get("from"), str):
        row = {"role": row["from"], "content": row.get("value")}
    role, form = row.get("role"), row.get("type")
    if role is None and (form == "reasoning" or _is_item(form)):
        return {"role": "user" if is_result(form) else "assistant", "content": [as_part(row)]}
    if role is None and form in _SILENT:
        return {"role": "system", "content": None}
    if not isinstance(role, str):
        return row
    if role in _CALLERS:
        return {"role": "assistant", "content": None, "tool_calls": calls_of(row.get("content"))}
    if isinstance(row.get("parts"), list) and row.get("content") is None:
        parts = [as_part(block) if isinstance(block, Mapping) else block for block in row["parts"]]
        row = {key: value for key, value in row.items() if key != "parts"} | {"content": parts}
        # The results of tools stand in messages of a tool there.
        role = "user" if role in ("tool", "function") else role
    return _with_text({**row, "role": _SPEAKERS.get(role.lower(), role)})


def _of_langchain(row: Mapping[str, Any]) -> Mapping[str, Any]:
    if name := _class_of(row):
        inner = next((row[key] for key in ("kwargs", "data") if isinstance(row.get(key), Mapping)), row)
        role = inner.get("role", name) if name == "chat" else name
        row = {key: value for key, value in inner.items() if key != "type"} | {"role": role}
    beside = row.get("additional_kwargs")
    return _with_kwargs(row, beside) if isinstance(beside, Mapping) else row


def _is_item(form: object) -> bool:
    return is_call(form) or is_result(form)


def _class_of(row: Mapping[str, Any]) -> str:
    """Which of LangChain's messages it is, "" for none: AIMessageChunk and type "ai" are the same."""
    path, form = row.get("id"), row.get("type")
    if isinstance(row.get("kwargs"), Mapping) and isinstance(path, list) and path and isinstance(path[-1], str):
        form = path[-1]
    elif "role" in row or not isinstance(form, str) or not ("content" in row or isinstance(row.get("data"), Mapping)):
        return ""
    name = form.removesuffix("Chunk").removesuffix("Message").lower()
    return name if name in _TYPED else ""


def _with_kwargs(row: Mapping[str, Any], beside: Mapping[str, Any]) -> Mapping[str, Any]:
    """What LangChain keeps of a provider's message beside its own fields, where its own fields hold nothing."""
    names = ("tool_calls", "function_call", "reasoning_content", "refusal")
    added = {name: beside[name] for name in names if beside.get(name) and not row.get(name)}
    reasoning = beside.get("reasoning")
    if isinstance(reasoning, Mapping):
        added["reasoning_details"] = reasoning.get("summary")
    return {**row, **added}


def calls_of(content: object) -> list[Any]:
    """The calls that a text tells in JSON; a text in another form is a call in words, kept whole."""
    try:
        value = read_json(content, where="") if isinstance(content, str) else content
    except BadRecordError:
        value = None
    rows = value if isinstance(value, list) else [value]
    if rows and all(isinstance(row, Mapping) and isinstance(row.get("name"), str) for row in rows):
        return rows
    return [{"name": "function_call", "arguments": content}]


def _with_text(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Content that is neither text nor parts: definitions of tools are no result, a spoken answer has its words."""
    content, audio = row.get("content"), row.get("audio")
    if row["role"] == "tool" and isinstance(content, list) and any(_is_result_part(block) for block in content):
        return {**row, "role": "user"}
    if content is None and isinstance(audio, Mapping):
        return {**row, "content": audio.get("transcript")}
    if isinstance(content, Mapping):
        # Langfuse shows the tools that LangChain offers as messages of a tool.
        if row["role"] == "tool" and content.get("type") == "function":
            return {"role": "system", "content": None}
        return row if row["role"] == "tool" else {**row, "content": [as_part(content)]}
    return row


def _is_result_part(block: object) -> bool:
    return isinstance(block, Mapping) and (is_result(block.get("type")) or "toolResult" in block)
