"""Exports of Claude's app and of Open WebUI: a conversation of either -> Trace.

Open WebUI keeps reasoning, calls of tools and what they returned as `<details>` within the text of an answer.
Sources, read 2026-11-29: documents of the forms in Sinity/polylogue (docs/providers/claude-ai.md),
brandtcormorant/claude-json-schema (README.md) and chromaticsequence/aistudio_to_openwebui_migration (README.md); parts
that fold out as published programs write them for Open WebUI, with the result in an attribute or behind the summary.
"""

import html
from collections.abc import Iterator, Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.messages import REASONING
from hdag.readers.programs.claude_code import tell_assistant
from hdag.readers.programs.talk import Head, Talk, branch, objects
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_list

_OPEN, _CLOSE = '<details type="', "</details>"


def reads(value: Any) -> bool:
    """Whether `value` is a conversation of either program."""
    if not isinstance(value, dict):
        return False
    chat = value.get("chat")
    return isinstance(value.get("chat_messages"), list) or (
        isinstance(chat, dict) and not chat.keys().isdisjoint(("history", "messages"))
    )


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError naming the message."""
    record = check_object(value, where=where, field="")
    return ((_of_claude if "chat_messages" in record else _of_webui)(record, where, limits),)


def _of_claude(record: Mapping[str, Any], where: str, limits: Limits) -> Trace:
    talk = Talk()
    for at, row in objects(record["chat_messages"], where=where, at="chat_messages", limit=limits.steps):
        sender, content = row.get("sender"), row.get("content") or row.get("text")
        if sender == "human":
            talk.ask(content, at)
            files = check_list(row.get("attachments") or [], where=where, field=f"{at}.attachments", limit=1_000)
            for file in files:
                talk.ask(file.get("extracted_content") if isinstance(file, Mapping) else None, f"{at}.attachments")
        elif sender == "assistant":
            # How many tokens are left is said between the parts.
            blocks = content if isinstance(content, list) else []
            spoken = [block for block in blocks if not _is_type(block, "token_budget")]
            tell_assistant(talk, spoken if isinstance(content, list) else content, at)
        else:
            raise BadRecordError(where=where, field=f"{at}.sender", reason="must be human or assistant")
    head = Head(id=record.get("uuid"), title=record.get("name"), model=record.get("model"))
    return talk.trace(where=where, at="chat_messages", limits=limits, head=head)


def _is_type(block: object, form: str) -> bool:
    return isinstance(block, Mapping) and block.get("type") == form


def _of_webui(record: Mapping[str, Any], where: str, limits: Limits) -> Trace:
    chat = check_object(record.get("chat"), where=where, field="chat")
    history = chat.get("history")
    nodes = history.get("messages") if isinstance(history, Mapping) else None
    if isinstance(history, Mapping) and isinstance(nodes, Mapping) and nodes:
        path = branch(nodes, last=history.get("currentId"), parent="parentId", where=where, at="chat.history.messages")
    else:
        path = [*objects(chat.get("messages"), where=where, at="chat.messages", limit=limits.steps)]
    talk, model = Talk(), None
    talk.ask(chat.get("system"), "chat.system", role="system")
    for at, row in path:
        if row.get("role") in ("user", "system"):
            talk.ask(row.get("content"), f"{at}.content", role=row["role"])
        elif row.get("role") == "assistant":
            model = row.get("model") or model
            beside = next((row[name] for name in REASONING if isinstance(row.get(name), str) and row[name]), None)
            talk.say(at, reasoning=beside)
            _tell_details(talk, row.get("content"), where, f"{at}.content")
        else:
            raise BadRecordError(where=where, field=f"{at}.role", reason="must be system, user or assistant")
    models = chat.get("models")
    named = models[0] if isinstance(models, list) and models else None
    head = Head(id=record.get("id"), title=record.get("title", chat.get("title")), model=model or named)
    return talk.trace(where=where, at="chat", limits=limits, head=head)


def _tell_details(talk: Talk, content: object, where: str, at: str) -> None:
    """An answer with its parts that fold out."""
    if not isinstance(content, str):
        talk.say(at, content=content)
        return
    for form, marks, inner in _details(content):
        if form == "reasoning":
            talk.say(at, reasoning=_without_quotes(inner))
        elif form in ("tool_calls", "code_interpreter"):
            arguments = marks.get("arguments", inner)
            key = talk.call(at, name=marks.get("name") or form, arguments=arguments)
            talk.keys[key] = key
            # Newer versions write the result behind the summary.
            inside = html.unescape(inner).strip() if "arguments" in marks else ""
            output = marks.get("result") or marks.get("output") or inside
            if output:
                talk.result(at, output=output, key=key)
        elif inner.strip():
            talk.say(at, content=inner.strip())


def _details(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """(kind, attributes, text) of each part; what stands between them has no kind.

    >>> [part[::2] for part in _details('<details type="reasoning" done="true">\\n> Add.\\n</details>\\n4')]
    [('reasoning', '\\n> Add.\\n'), ('', '\\n4')]
    """
    before, *remaining = text.split(_OPEN)
    if before.strip():
        yield "", {}, before
    for piece in remaining:
        form, _, tail = piece.partition('"')
        head, opened, tail = tail.partition(">")
        inner, closed, after = tail.partition(_CLOSE)
        # A part that never ends, or that is no such part, is what the model wrote.
        if not (opened and closed):
            yield "", {}, _OPEN + piece
            continue
        if "<summary>" in inner:
            first, _, inner = inner.partition("</summary>")
            inner = first.partition("<summary>")[0] + inner
        yield form, _marks(head), html.unescape(inner) if form == "reasoning" else inner
        if after.strip():
            yield "", {}, after


def _marks(head: str) -> dict[str, str]:
    """Attributes name="value", whose values hold no quotation mark but as an entity."""
    pieces = head.split('"')
    names = (piece.strip().removesuffix("=").strip() for piece in pieces[::2])
    return {name: html.unescape(value) for name, value in zip(names, pieces[1::2], strict=False)}


def _without_quotes(inner: str) -> str:
    """Reasoning stands there as a quotation: each line behind "> "."""
    lines = inner.strip("\n").split("\n")
    return "\n".join(line.removeprefix(">").removeprefix(" ") for line in lines)
