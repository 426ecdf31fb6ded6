"""Spans of OpenTelemetry, alone or in an export -> a Trace for each conversation that models were asked in.

The names of attributes are in `protocols/attributes.py`, with their sources. An export holds every call of an agent,
each with all of the conversation before it: only the longest is read, so that nobody audits the same words many times.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.protocols.attributes import CONVENTIONS, side_of, unboxed
from hdag.readers.protocols.sides import talk_of
from hdag.readers.recorded_calls import OURS, joined, told, trace_of
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_list, check_name, check_size

_RESOURCES, _SCOPES = ("resourceSpans", "resource_spans"), ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
_MODELS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "llm.request.model", "ai.model.id")
_KEYS = ("spanId", "span_id", "id")
_PARENTS = ("parentSpanId", "parent_span_id", "parent_id")
_MOST = 10_000  # spans of one export
_WITH_MESSAGES = 6  # how many of the conventions hold messages; the others are read where nothing else is


def reads(value: Any) -> bool:
    """Whether `value` is an export of spans, or a span that holds what a model was asked or answered."""
    # Spans of a record of ours are marks of somebody's in its text.
    if not isinstance(value, dict) or not value.keys().isdisjoint(OURS):
        return False
    if any(isinstance(value.get(name), list) for name in (*_RESOURCES, "spans")):
        return True
    data = value.get("data")
    if isinstance(data, dict) and isinstance(data.get("spans"), list):
        return True
    attributes = value.get("attributes")
    if isinstance(attributes, list):
        return any(isinstance(row, dict) and "key" in row for row in attributes)
    events = value.get("events")
    if isinstance(events, list) and any(_is_event(row) for row in events):
        return True
    heads = {name for convention in CONVENTIONS for name in convention[:2]}
    has_sides = isinstance(attributes, dict) and any(name.startswith(tuple(heads)) for name in attributes)
    return has_sides or (isinstance(attributes, dict) and isinstance(attributes.get("llm"), dict))


def _is_event(row: object) -> bool:
    return isinstance(row, dict) and str(row.get("name", "")).startswith("gen_ai.")


@dataclass(frozen=True, slots=True)
class _Call:
    """What one span holds of a conversation, where it stands and how."""

    talk: list[Any]
    at: str
    key: str
    model: str
    has_messages: bool
    is_root: bool


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """A trace for each conversation. Raises BadRecordError naming the span."""
    record = check_object(value, where=where, field="")
    calls = [call for at, span in _spans(record, where) if (call := _call(span, at, where, limits))]
    if not calls:
        reason = "no span holds what a model was asked and answered; recording of contents is off by default"
        raise BadRecordError(where=where, field="", reason=reason)
    # Spans of programs and tools tell what they were given, spans of models the conversation.
    chosen = [call for call in calls if call.has_messages] or [call for call in calls if call.is_root] or calls
    return tuple(_trace(call, where, limits) for call in _longest(chosen))


def _spans(record: Mapping[str, Any], where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every span with its place."""
    data = record.get("data")
    if isinstance(data, Mapping) and isinstance(data.get("spans"), list):
        record = data
    name = next((name for name in _RESOURCES if name in record), "")
    if not name and "spans" not in record:
        yield "", record
        return
    groups = [("", record)] if not name else list(_scopes(record, name, where))
    count = 0
    for at, group in groups:
        field = f"{at}.spans".lstrip(".")
        for index, span in enumerate(check_list(group.get("spans") or [], where=where, field=field, limit=_MOST)):
            count += 1
            if count > _MOST:
                raise BadRecordError(where=where, field=field, reason=f"more than {_MOST} spans")
            yield f"{field}[{index}]", check_object(span, where=where, field=f"{field}[{index}]")


def _scopes(record: Mapping[str, Any], name: str, where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for index, row in enumerate(check_list(record[name], where=where, field=name, limit=_MOST)):
        at = f"{name}[{index}]"
        resource = check_object(row, where=where, field=at)
        inner = next((key for key in _SCOPES if key in resource), _SCOPES[0])
        rows = check_list(resource.get(inner) or [], where=where, field=f"{at}.{inner}", limit=_MOST)
        for spot, scope in enumerate(rows):
            yield f"{at}.{inner}[{spot}]", check_object(scope, where=where, field=f"{at}.{inner}[{spot}]")


def _call(span: Mapping[str, Any], at: str, where: str, limits: Limits) -> _Call | None:
    prefix = f"{at}." if at else ""
    attributes = unboxed(span.get("attributes") or {}, where=where, at=f"{prefix}attributes")
    # Before contents were attributes, they were events of the span.
    events = span.get("events") or []
    for index, event in enumerate(events if isinstance(events, list) else []):
        if isinstance(event, Mapping) and event.get("attributes"):
            spot = f"{prefix}events[{index}].attributes"
            attributes = unboxed(event["attributes"], where=where, at=spot) | attributes
    spot = f"{where}, {at}" if at else where
    for number, (asked, answered, system) in enumerate(CONVENTIONS):
        reply = side_of(attributes, answered, where=spot)
        if reply is None:
            continue
        talk = joined(
            talk_of(side_of(attributes, asked, where=spot), role="user", where=spot, at=asked),
            _first_choice(talk_of(reply, role="assistant", where=spot, at=answered)),
        )
        system_talk = talk_of(side_of(attributes, system, where=spot), role="system", where=spot, at=system)
        model = next((value for name in _MODELS if (value := side_of(attributes, name, where=spot))), None)
        model = check_name(model, where=spot, field="attributes (model)", limits=limits)
        key = next((span[name] for name in _KEYS if isinstance(span.get(name), str | int)), "")
        is_root = not any(span.get(name) for name in _PARENTS)
        return _Call([*system_talk, *talk], at, str(key), model, number < _WITH_MESSAGES, is_root)
    return None


def _first_choice(answered: list[Any]) -> list[Any]:
    """Several answers of one model are alternatives; a turn of a tool between them makes them a conversation."""
    is_choice = all(isinstance(row, dict) and "finish_reason" in row for row in answered)
    return answered[:1] if is_choice and all(row.get("role") == "assistant" for row in answered) else answered


def _longest(calls: list[_Call]) -> list[_Call]:
    """The calls whose conversation no other call goes on with; of equal ones, an agent's and its only call's, the last.

    Each conversation is known by a chain of digests, one for each message: those before the last are what it goes on
    with. So an export of thousands of calls takes as long as its text.
    """
    begun: set[int] = set()
    last: dict[int, int] = {}
    for index, call in enumerate(calls):
        digest, chain = 0, []
        # Instructions stand in the attributes of one span and are missing in another's.
        for row in map(told, call.talk):
            if row[0] != "system":
                digest = hash((digest, repr(row)))
                chain.append(digest)
        begun.update(chain[:-1])
        last[digest] = index
    return [calls[index] for digest, index in sorted(last.items(), key=itemgetter(1)) if digest not in begun]


def _trace(call: _Call, where: str, limits: Limits) -> Trace:
    spot = f"{where}, {call.at}" if call.at else where
    trace = trace_of(call.talk, where=spot, at="messages", limits=limits)
    trace = replace(trace, id=call.key, model_name=call.model)
    check_size(trace=trace, where=spot, limits=limits)
    return trace
