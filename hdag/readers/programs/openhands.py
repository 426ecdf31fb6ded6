"""OpenHands: streams of events of an agent, alone or as the history of a line of its benchmarks' output.jsonl -> Trace.

Events of before the SDK have `action` with `args`, or `observation` with `content` and `cause`; those of the SDK have a
`kind`. Thoughts are steps, actions are calls of tools, observations what they returned, the last word the answer.
Sources, read 2026-11-29: OpenHands, openhands/events/serialization/event.py and events/action/*.py, its
evaluation/utils/shared.py (EvalOutput); software-agent-sdk, openhands/sdk/event (docs/sdk/arch/events.md).
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.programs.openhands_events import is_event, tell
from hdag.readers.programs.talk import Head, Talk, in_order, objects
from hdag.readers.records import DEFAULT_LIMITS, Limits

_LISTS = ("history", "trajectory", "events", "items")


def reads(value: Any) -> bool:
    """Whether `value` is a list of such events, a record with one, or a line of the benchmarks' output."""
    if isinstance(value, dict) and {"instance_id", "history", "test_result"} <= value.keys():
        return True
    rows = _rows(value)[1]
    first = rows[0] if isinstance(rows, list) and rows else None
    return is_event(first[0] if isinstance(first, list) and first else first)


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError naming the event."""
    record = check_object(value, where=where, field="") if isinstance(value, Mapping) else {}
    name, rows = _rows(value)
    # The history of older benchmarks is pairs of an action and its observation.
    flat = [row for pair in rows or [] for row in (pair if isinstance(pair, list) else [pair])]
    if not flat:
        reason = f"holds no event ({record.get('error') or 'nothing was run'})"[:200]
        raise BadRecordError(where=where, field=name, reason=reason)
    talk = Talk()
    for at, event in in_order([*objects(flat, where=where, at=name or "events", limit=limits.steps)]):
        tell(talk, event, where=where, at=at)
    if not any(message["role"] == "user" for message in talk.messages) and isinstance(record.get("instruction"), str):
        talk.ask(record["instruction"], "instruction")
    is_silent = not any(message["role"] == "assistant" for message in talk.messages)
    tested = record.get("test_result")
    patch = tested.get("git_patch") if isinstance(tested, Mapping) else None
    # Who only worked and said nothing in the end hands over what was changed.
    if isinstance(patch, str) and not is_silent and not talk.ends_in_words:
        talk.say("test_result.git_patch", content=patch)
    head = Head(id=record.get("instance_id", record.get("id")), model=_model(record))
    return (talk.trace(where=where, at=name or "events", limits=limits, head=head),)


def _rows(value: Any) -> tuple[str, Any]:
    if not isinstance(value, Mapping):
        return "", value
    name = next((name for name in _LISTS if isinstance(value.get(name), list)), "")
    return name, value[name] if name else None


def _model(record: Mapping[str, Any]) -> object:
    metadata = record.get("metadata")
    for name in ("llm_config", "llm"):
        config = metadata.get(name) if isinstance(metadata, Mapping) else None
        if isinstance(config, Mapping) and config.get("model"):
            return config["model"]
    return None
