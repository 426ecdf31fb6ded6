"""ChatGPT's export of a person's data: a conversation of its conversations.json -> Trace.

A conversation is a tree of messages; the branch that ends in `current_node` is the one that is shown. What was asked of
a tool is a message to it (`recipient`), what it returned a message of it.
Sources, read 2026-11-29: documents of the form in mitkury/chatgpt-export-parser (docs/chatgpt-data-export-format.md),
josephjohncox/chatgpt-json-to-md (README.md); message kinds as they stand in published exports.
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.programs.talk import Head, Talk, branch
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_list

# Content without words of the conversation: how long was thought, and what the program shows.
_SILENT = ("reasoning_recap", "app_pairing_content")
_GIVEN = ("model_set_context", "user_profile", "user_instructions")  # fields of a person's own instructions


def reads(value: Any) -> bool:
    """Whether `value` is a conversation with a tree of messages."""
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict) and "current_node" in value


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError naming the message."""
    record = check_object(value, where=where, field="")
    nodes = check_object(record.get("mapping"), where=where, field="mapping")
    path = branch(nodes, last=record.get("current_node"), parent="parent", where=where, at="mapping")
    if len(path) > limits.steps:
        raise BadRecordError(where=where, field="mapping", reason=f"more than {limits.steps} messages")
    talk, call, model = Talk(), "", record.get("default_model_slug")
    for at, node in path:
        message = node.get("message")
        if not isinstance(message, Mapping):
            continue
        metadata = message.get("metadata")
        if isinstance(metadata, Mapping) and metadata.get("model_slug"):
            model = metadata["model_slug"]
        call = _tell(talk, message, call, where, f"{at}.message")
    head = Head(id=record.get("conversation_id", record.get("id")), title=record.get("title"), model=model)
    return (talk.trace(where=where, at="mapping", limits=limits, head=head),)


def _tell(talk: Talk, message: Mapping[str, Any], call: str, where: str, at: str) -> str:
    """Add a message; the key of the call that the next words of a tool answer."""
    author, content = message.get("author"), message.get("content")
    author = author if isinstance(author, Mapping) else {}
    role, name = author.get("role"), author.get("name")
    if not isinstance(content, Mapping):
        raise BadRecordError(where=where, field=f"{at}.content", reason="must be an object")
    form = content.get("content_type")
    if form in _SILENT:
        return call
    if form == "thoughts":
        talk.say(at, reasoning=_thoughts(content, where, f"{at}.content.thoughts"))
        return call
    words = _words(content, where, f"{at}.content")
    if role in ("user", "system", "developer"):
        talk.ask(words, at, role=role)
    elif role == "tool":
        talk.result(at, output=words, key=call, name=name)
    elif role == "assistant":
        recipient = message.get("recipient")
        if isinstance(recipient, str) and recipient != "all":
            key = talk.call(at, name=recipient, arguments=words)
            talk.keys[key] = key
            return key
        talk.say(at, content=words)
    else:
        raise BadRecordError(where=where, field=f"{at}.author.role", reason="must be system, user, assistant or tool")
    return call


def _thoughts(content: Mapping[str, Any], where: str, at: str) -> list[Any]:
    """Each thought with its heading, where it has words of its own; a heading alone is all that was told of it."""
    rows = check_list(content.get("thoughts") or [], where=where, field=at, limit=10_000)
    thoughts = []
    for index, row in enumerate(rows):
        fields = check_object(row, where=where, field=f"{at}[{index}]")
        words = next((fields[name] for name in ("content", "summary") if fields.get(name)), None)
        thoughts += [{"type": "reasoning", "text": words}] if words else []
    return thoughts


def _words(content: Mapping[str, Any], where: str, at: str) -> object:
    parts = content.get("parts")
    if isinstance(parts, list):
        return [
            _part(fragment)
            for fragment in check_list(parts, where=where, field=f"{at}.parts", limit=10_000)
            if fragment
        ]
    for name in ("text", "result", "content"):
        if content.get(name):
            return content[name]
    arguments = [content[name] for name in _GIVEN if content.get(name)]
    return [{"type": "text", "text": text} for text in arguments]


def _part(fragment: object) -> object:
    """Text as it is; a spoken part by its words, a picture or a file by what it is."""
    if isinstance(fragment, str):
        return {"type": "text", "text": fragment}
    if not isinstance(fragment, Mapping):
        return fragment
    form = fragment.get("content_type")
    if isinstance(fragment.get("text"), str):
        return {"type": "text", "text": fragment["text"]}
    form = form if isinstance(form, str) else "part"
    return {"type": "text", "text": "[image]" if form.startswith("image") else f"[{form}]"}
