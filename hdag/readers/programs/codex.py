"""Codex CLI: the lines of a session's rollout, or of `codex exec --json` -> Trace.

A rollout keeps the items of the Responses API in envelopes {"timestamp", "type", "payload"}; older ones have the items
bare behind a line about the session. What its events repeat of the items is not read twice.
Sources, read 2026-11-29: documents of the form in kvsankar/agent-history (docs/codex-format.md), jnarowski/agentcmd
(.agent/research/codex/format-comparison.md), Sinity/polylogue (docs/providers/openai-codex.md).
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.values import Trace
from hdag.readers.programs.talk import Head, Talk, objects
from hdag.readers.protocols.foreign_messages import as_message, is_message
from hdag.readers.protocols.parts import is_call, is_result
from hdag.readers.records import DEFAULT_LIMITS, Limits

_ENVELOPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
_STREAMED = ("thread.", "turn.", "item.")
_NAMES = {"command_execution": "shell", "file_change": "apply_patch", "web_search": "web_search"}
_INPUTS = ("command", "arguments", "query", "changes", "prompt")
_OUTPUTS = ("aggregated_output", "result", "error", "exit_code", "status")


def reads(value: Any) -> bool:
    """Whether `value` is the list of a rollout's lines."""
    first = value[0] if isinstance(value, list) and value else None
    if not isinstance(first, dict):
        return False
    form = first.get("type")
    if isinstance(form, str):
        is_wrapped = form in _ENVELOPES and isinstance(first.get("payload"), dict)
        return is_wrapped or (
            form.startswith(_STREAMED) and not first.keys().isdisjoint(("thread_id", "item", "usage"))
        )
    return {"id", "timestamp", "instructions"} <= first.keys()


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError naming the line."""
    talk = Talk()
    session: dict[str, Any] = {}
    for at, row in objects(value, where=where, at="lines", limit=limits.steps):
        payload, form = row.get("payload"), row.get("type")
        if isinstance(payload, Mapping) and form in ("session_meta", "turn_context"):
            session |= {name: payload[name] for name in ("id", "model") if payload.get(name)}
        elif form == "response_item" and isinstance(payload, Mapping):
            _tell_item(talk, payload, f"{at}.payload")
        elif form == "thread.started":
            session["id"] = row.get("thread_id")
        elif form == "item.completed" and isinstance(row.get("item"), Mapping):
            _tell_streamed(talk, row["item"], f"{at}.item")
        elif "payload" not in row and is_message(row):
            _tell_item(talk, row, at)
        elif "instructions" in row:
            session["id"] = row.get("id")
            talk.ask(row["instructions"], f"{at}.instructions", role="system")
    head = Head(id=session.get("id"), model=session.get("model"))
    return (talk.trace(where=where, at="lines", limits=limits, head=head),)


def _tell_item(talk: Talk, entry: Mapping[str, Any], at: str) -> None:
    """An item of the Responses API."""
    form = entry.get("type")
    message = as_message(entry)
    parts = message.get("content")
    fragment = parts[0] if isinstance(parts, list) and len(parts) == 1 and isinstance(parts[0], Mapping) else {}
    if is_call(form) and fragment:
        talk.call(at, name=fragment.get("name"), arguments=fragment.get("input"), key=fragment.get("id"))
        if "result" in fragment:
            talk.result(at, output=fragment["result"], key=fragment.get("id"))
    elif is_result(form) and fragment:
        talk.result(at, output=_output(fragment.get("content")), key=fragment.get("tool_use_id"))
    elif form == "reasoning":
        talk.say(at, reasoning=[entry])
    elif message.get("role") == "assistant":
        talk.say(at, content=parts)
    elif message.get("role") in ("user", "system", "developer"):
        talk.ask(parts, at, role=message["role"])


def _output(output: object) -> object:
    # Some versions wrap it: {"content": "...", "success": true}.
    return output["content"] if isinstance(output, Mapping) and isinstance(output.get("content"), str) else output


def _tell_streamed(talk: Talk, entry: Mapping[str, Any], at: str) -> None:
    form = entry.get("type", entry.get("item_type"))
    if form == "reasoning":
        talk.say(at, reasoning=entry.get("text"))
    elif form in ("agent_message", "assistant_message"):
        talk.say(at, content=entry.get("text"))
    elif form == "todo_list":
        talk.call(at, name="update_plan", arguments=entry.get("items"))
    elif form == "error":
        talk.result(at, output=entry.get("message"))
    elif isinstance(form, str):
        arguments = next((entry[name] for name in _INPUTS if entry.get(name)), None)
        name = _NAMES.get(form) or entry.get("tool") or form
        key = talk.call(at, name=name, arguments=arguments)
        output = next((entry[name] for name in _OUTPUTS if entry.get(name) not in (None, "")), None)
        talk.keys[key] = key
        talk.result(at, output=output, key=key)
