"""Claude Code: the lines of a transcript, or of `--output-format stream-json` -> a Trace for each conversation.

A line is an event around a message of Anthropic's; one answer of the model is cut over several lines, a part each. What
subagents did stands between the lines of whoever asked them, and is a conversation of its own.
Sources, read 2026-11-29: documents of the form in DRMacIver/claude-reliability (notes/transcript-format.md),
alicoding/claude-parser (docs/JSONL-STRUCTURE.md), Huntehhh/claude-code-chat (docs/claude-cli-jsonl-format.md).
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.programs.talk import Head, Talk, objects, once
from hdag.readers.protocols.parts import as_part, is_result
from hdag.readers.records import DEFAULT_LIMITS, Limits

_SPOKEN = ("user", "assistant")
_SESSION = ("sessionId", "session_id", "leafUuid")
_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
Event = tuple[str, Mapping[str, Any]]


def reads(value: Any) -> bool:
    """Whether `value` is the list of a session's events."""
    first = value[0] if isinstance(value, list) and value else None
    if not isinstance(first, dict) or not isinstance(first.get("type"), str) or "role" in first:
        return False
    is_message = first["type"] in _SPOKEN and isinstance(first.get("message"), dict)
    is_first = first["type"] in ("file-history-snapshot", "queue-operation", "system", "progress", *_TITLES)
    return (is_message and not first.keys().isdisjoint((*_SESSION, "parentUuid", "uuid"))) or (
        is_first and not first.keys().isdisjoint((*_SESSION, "snapshot"))
    )


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """A trace for each session, and one for each subagent. Raises BadRecordError naming the event."""
    rows = once([*objects(value, where=where, at="events", limit=limits.steps)])
    titles = _titles(rows)
    spoken = [event for event in rows if _is_spoken(event[1])]
    talks: dict[str, list[Event]] = {}
    owners, abandoned = _owners(spoken), _abandoned(spoken)
    for (at, row), owner in zip(spoken, owners, strict=True):
        if _key(row, "uuid") not in abandoned:
            talks.setdefault(owner, []).append((at, row))
    traces = [_trace(events, owner, titles, where, limits) for owner, events in talks.items() if _has_answer(events)]
    if not traces:
        raise BadRecordError(where=where, field="events", reason="no event holds what the model answered")
    return tuple(traces)


def _key(row: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that is text; "" for none."""
    return next((row[name] for name in names if isinstance(row.get(name), str)), "")


def _titles(rows: list[Event]) -> Mapping[str, object]:
    """Session -> its title; a summary names the last event that it sums up instead."""
    return {
        _key(row, "sessionId", "leafUuid"): row.get(_TITLES[row["type"]])
        for _, row in rows
        if isinstance(row.get("type"), str) and row["type"] in _TITLES
    }


def _is_spoken(row: Mapping[str, Any]) -> bool:
    """Whether somebody speaks here; the program's own notes, summaries and messages about errors are nobody's words."""
    if row.get("type") not in _SPOKEN or not isinstance(row.get("message"), Mapping):
        return False
    return not any(row.get(name) for name in ("isMeta", "isCompactSummary", "isApiErrorMessage"))


def _owners(rows: list[Event]) -> list[str]:
    """Whose conversation each event is of: the session's, or (behind a slash) a subagent's."""
    side: dict[str, str] = {}  # event of an unnamed subagent -> the name of its conversation
    owners = []
    for _, row in rows:
        owner, event = _key(row, "sessionId", "session_id"), _key(row, "uuid")
        subagent = _key(row, "agentId", "parent_tool_use_id")
        if row.get("isSidechain") and not subagent:
            # Such a conversation begins with an event that goes on with none of its own, and is called after it.
            subagent = side.setdefault(event, side.get(_key(row, "parentUuid"), event))
        owners.append(f"{owner}/{subagent}" if subagent else owner)
    return owners


def _abandoned(rows: list[Event]) -> set[str]:
    """Events behind a question that was asked anew: two questions that go on with the same event."""
    last: dict[str, str] = {}
    abandoned: set[str] = set()
    for _, row in rows:
        parent = _key(row, "parentUuid")
        if row["type"] == "user" and parent and not _is_result(row):
            abandoned |= {last[parent]} if parent in last else set()
            last[parent] = _key(row, "uuid")
    # Events stand behind those that they go on with, so that one pass follows every branch.
    for _, row in rows:
        if _key(row, "parentUuid") in abandoned:
            abandoned.add(_key(row, "uuid"))
    return abandoned - {""}


def _is_result(row: Mapping[str, Any]) -> bool:
    content = row["message"].get("content")
    blocks = content if isinstance(content, list) else []
    return any(isinstance(block, Mapping) and is_result(block.get("type")) for block in blocks)


def _has_answer(events: list[Event]) -> bool:
    return any(row["type"] == "assistant" for _, row in events)


def _trace(events: list[Event], owner: str, titles: Mapping[str, object], where: str, limits: Limits) -> Trace:
    talk = Talk()
    model: object = None
    for at, row in events:
        message, origin = row["message"], f"{at}.message"
        if row["type"] == "user":
            _tell_user(talk, message.get("content"), origin)
            continue
        model = message.get("model") or model
        tell_assistant(talk, message.get("content"), origin)
    ends = (titles.get(_key(row, "uuid")) for _, row in reversed(events))
    title = titles.get(owner) or next((end for end in ends if end), None)
    head = Head(id=owner, title=title, model=model)
    return talk.trace(where=where, at="events", limits=limits, head=head)


def _tell_user(talk: Talk, content: object, origin: str) -> None:
    """What somebody asked, and what tools returned."""
    blocks = content if isinstance(content, list) else []
    others = []
    for index, block in enumerate(blocks):
        if isinstance(block, Mapping) and is_result(block.get("type")):
            spot = f"{origin}.content[{index}]"
            talk.result(spot, output=block.get("content"), key=block.get("tool_use_id"), name="tool")
        else:
            others.append(block)
    talk.ask(others if isinstance(content, list) else content, origin)


def tell_assistant(talk: Talk, content: object, origin: str) -> None:
    """Add an answer of the model in parts of Anthropic's."""
    if not isinstance(content, list):
        talk.say(origin, content=content)
        return
    for index, block in enumerate(content):
        spot = f"{origin}.content[{index}]"
        fragment = as_part(block) if isinstance(block, Mapping) else {}
        form = str(fragment.get("type"))
        if form in ("thinking", "redacted_thinking", "reasoning"):
            talk.say(spot, reasoning=[fragment])
        elif form.endswith("tool_use"):
            talk.call(spot, name=fragment.get("name"), arguments=fragment.get("input"), key=fragment.get("id"))
        elif is_result(form):
            talk.result(spot, output=fragment.get("content"), key=fragment.get("tool_use_id"), name=form)
        else:
            talk.say(spot, content=[block])
