"""The audit record {"id", "problem", "thinking"?, "answer"?, "steps"?, ...} -> Trace.

The product's own input format; its checks of text, lists and size serve all other readers.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import StepSpan, ToolCall, Trace
from hdag.readers.protocols.react_text import ReactLog, find_log
from hdag.readers.tags import is_closed, split_tags

# A blank line between joined pieces: a paragraph border to the decomposer and to the eye.
JOINT = "\n\n"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one trace may hold: UTF-8 bytes over all its text, input steps, tool calls."""

    text_bytes: int = 2_000_000
    steps: int = 20_000
    tool_calls: int = 5_000
    name_characters: int = 1_000  # id, title, domain, model


DEFAULT_LIMITS = Limits()


def read_record(record: object, *, where: str, limits: Limits = DEFAULT_LIMITS, needs_id: bool = False) -> Trace:
    """The trace that one audit record holds.

    At least one of thinking, answer, steps must not be blank. Steps without thinking: the thinking is the steps
    joined by a blank line; with both, the steps must occur in it in order. An empty step keeps its index and gives
    no span. Thinking that is wholly a log of thoughts, actions and observations is taken apart: what a tool returned
    is none of the model's steps. Fields beyond the named ones are left alone (labels, notes).
    Raises BadRecordError naming `where` and the field.

    >>> read_record({"id": "a", "problem": "1+1?", "steps": ["1+1=2", "", "So 2."]}, where="line 1").steps[1]
    StepSpan(index=2, start=9, end=14, speaker='', parents=None)
    """
    fields = _object(record, where)
    steps = _step_texts(fields, where, limits)
    thinking = _text(fields, "thinking", where)
    answer = _text(fields, "answer", where)
    # One text with both in it, through whichever door: the thinking ends at its tag.
    whole = thinking if thinking.strip() else answer
    if not steps and not (thinking.strip() and answer.strip()) and is_closed(whole):
        thinking, answer = split_tags(whole, where=where, field="thinking")
    if not (thinking.strip() or answer.strip() or any(step.strip() for step in steps)):
        raise BadRecordError(where=where, field="thinking", reason="thinking, answer and steps are all blank")
    if "problem" not in fields:
        raise BadRecordError(where=where, field="problem", reason="is missing")
    spans = locate_steps(thinking=thinking, steps=steps, where=where)
    trace = Trace(
        problem=_text(fields, "problem", where),
        thinking=thinking if thinking.strip() else JOINT.join(steps),
        answer=answer,
        steps=spans,
        tool_calls=_tool_calls(fields, where, limits),
        domain=_name(fields, "domain", where, limits),
        model_name=_name(fields, "model", where, limits),
        reference_answer=_text(fields, "reference_answer", where),
        id=_identifier(fields, where, limits, needs_id),
        title=_name(fields, "title", where, limits),
    )
    log = find_log(text=trace.thinking)
    # A log of calls alone leaves nothing to be audited: its words stay what they are.
    trace = _unfold(trace, log, where, limits) if log and (log.thoughts or log.answer) else trace
    check_size(trace=trace, where=where, limits=limits)
    return trace


def _unfold(trace: Trace, log: ReactLog, where: str, limits: Limits) -> Trace:
    """The trace with its thoughts alone as thinking; a thought stays in the input step that it stood in."""
    answer = trace.answer if trace.answer.strip() else log.answer
    # Two answers: the record's own counts, and the other is the last thing that the model reasoned.
    last = [log.answer] if log.answer.strip() not in ("", answer.strip()) else []
    owners = [_owner(trace.steps, thought.start) for thought in log.thoughts]
    if trace.steps:
        pieces = [""] * (trace.steps[-1].index + 1)
        for owner, thought in zip(owners, log.thoughts, strict=True):
            pieces[owner] = JOINT.join(filter(None, (pieces[owner], thought.text)))
        calls = [replace(call, step=None if call.step is None else owners[call.step]) for call in log.calls]
    else:
        pieces, calls = [thought.text for thought in log.thoughts], log.calls
    pieces += last
    if max(len(pieces), len(calls)) > limits.tool_calls:
        raise BadRecordError(where=where, field="thinking", reason=f"more than {limits.tool_calls} turns")
    problems = dict.fromkeys(text for text in (trace.problem, log.problem) if text.strip())
    return replace(
        trace,
        problem=JOINT.join(problems),
        thinking=JOINT.join(pieces),
        answer=answer,
        steps=locate_steps(thinking="", steps=pieces, where=where),
        tool_calls=_told_once(tuple(calls), trace.tool_calls),
    )


def _owner(steps: tuple[StepSpan, ...], start: int) -> int:
    """Index of the input step that begins last before `start`."""
    origin = bisect_right([step.start for step in steps], start) - 1
    return steps[max(origin, 0)].index if steps else 0


def _told_once(logged: tuple[ToolCall, ...], named: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """Calls of the text and calls in a field of their own; where both tell the same ones, the field's words count."""
    if [call.name for call in logged] == [call.name for call in named]:
        return tuple(
            replace(own, output=own.output or call.output, step=call.step)
            for call, own in zip(logged, named, strict=True)
        )
    told = {(call.name, call.arguments, call.output) for call in logged}
    return logged + tuple(call for call in named if (call.name, call.arguments, call.output) not in told)


def locate_steps(*, thinking: str, steps: Iterable[str], where: str) -> tuple[StepSpan, ...]:
    """Where the given steps lie in the thinking (or in their own join when the thinking is blank).

    Raises BadRecordError naming the first step that does not follow its predecessors in the thinking.
    """
    spans, cursor, joined = [], 0, not thinking.strip()
    for index, step in enumerate(steps):
        start, bare = cursor, step
        if not joined and step.strip():
            start = thinking.find(step, cursor)
            if start < 0:
                # as written or, where the format stripped it, without its outer blanks
                bare = step.strip()
                start = thinking.find(bare, cursor)
            if start < 0:
                reason = "does not occur in the thinking after the steps before it"
                raise BadRecordError(where=where, field=f"steps[{index}]", reason=reason)
        if bare.strip():
            spans.append(StepSpan(index, start, start + len(bare)))
            cursor = start + len(bare)
        elif joined:
            cursor += len(bare)
        # In their own join even an empty step takes its place between two joints.
        cursor += len(JOINT) if joined else 0
    return tuple(spans)


def check_text(value: object, *, where: str, field: str) -> str:
    """`value` as storable text. Raises BadRecordError for another type, a NUL or a lone surrogate."""
    if not isinstance(value, str):
        raise BadRecordError(where=where, field=field, reason=f"must be text, not {_type_in_words(value)}")
    # PostgreSQL stores no NUL in text.
    if "\x00" in value:
        raise BadRecordError(where=where, field=field, reason=f"holds a NUL character at {value.index(chr(0))}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        reason = f"holds half of a surrogate pair at {error.start}"
        raise BadRecordError(where=where, field=field, reason=reason) from None
    return value


def check_size(*, trace: Trace, where: str, limits: Limits = DEFAULT_LIMITS) -> None:
    """Raises BadRecordError when the texts of `trace` together exceed `limits.text_bytes`."""
    texts = [trace.problem, trace.thinking, trace.answer, *(call.text for call in trace.tool_calls)]
    size = sum(len(text.encode("utf-8")) for text in texts)
    if size > limits.text_bytes:
        reason = f"{size:,} bytes of text; at most {limits.text_bytes:,} are taken"
        raise BadRecordError(where=where, field="", reason=reason)


def _object(record: object, where: str) -> Mapping[str, Any]:
    if not isinstance(record, Mapping):
        raise BadRecordError(where=where, field="", reason=f"must be an object, not {_type_in_words(record)}")
    return record


def _text(fields: Mapping[str, Any], name: str, where: str) -> str:
    value = fields.get(name)
    return "" if value is None else check_text(value, where=where, field=name)


def _name(fields: Mapping[str, Any], name: str, where: str, limits: Limits) -> str:
    return check_name(fields.get(name), where=where, field=name, limits=limits)


def check_name(value: object, *, where: str, field: str, limits: Limits = DEFAULT_LIMITS) -> str:
    """`value` as a short text, None as nothing. Raises BadRecordError."""
    name = "" if value is None else check_text(value, where=where, field=field)
    if len(name) > limits.name_characters:
        reason = f"{len(name)} characters, the limit is {limits.name_characters}"
        raise BadRecordError(where=where, field=field, reason=reason)
    return name


def _identifier(fields: Mapping[str, Any], where: str, limits: Limits, needs_id: bool) -> str:
    value = fields.get("id")
    # Number ids are common in data sets; true and false are no ids.
    if isinstance(value, int) and not isinstance(value, bool):
        fields = {"id": str(value)}
    name = _name(fields, "id", where, limits)
    if needs_id and not name.strip():
        raise BadRecordError(where=where, field="id", reason="is missing")
    return name


def _step_texts(fields: Mapping[str, Any], where: str, limits: Limits) -> list[str]:
    value = fields.get("steps")
    steps = [] if value is None else check_list(value, where=where, field="steps", limit=limits.steps)
    return [check_text(step, where=where, field=f"steps[{index}]") for index, step in enumerate(steps)]


def check_list(value: object, *, where: str, field: str, limit: int) -> list[Any]:
    """`value` as a list of at most `limit` items. Raises BadRecordError."""
    if not isinstance(value, list):
        raise BadRecordError(where=where, field=field, reason=f"must be a list, not {_type_in_words(value)}")
    if len(value) > limit:
        raise BadRecordError(where=where, field=field, reason=f"{len(value)} items, the limit is {limit}")
    return value


def _tool_calls(fields: Mapping[str, Any], where: str, limits: Limits) -> tuple[ToolCall, ...]:
    value = fields.get("tool_calls")
    rows = [] if value is None else check_list(value, where=where, field="tool_calls", limit=limits.tool_calls)
    return tuple(read_tool_call(row, where=where, field=f"tool_calls[{k}]") for k, row in enumerate(rows))


def read_tool_call(row: object, *, where: str, field: str) -> ToolCall:
    """A tool call {"name", "arguments"?, "output"?}; arguments and output may be text or any JSON value."""
    if not isinstance(row, Mapping):
        raise BadRecordError(where=where, field=field, reason=f"must be an object, not {_type_in_words(row)}")
    name = check_text(row.get("name"), where=where, field=f"{field}.name")
    arguments, output = (as_text(row.get(key), where=where, field=f"{field}.{key}") for key in ("arguments", "output"))
    return ToolCall(name, arguments, output)


def as_text(value: object, *, where: str, field: str) -> str:
    """Text as it is, None as nothing, any other JSON value as compact JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return check_text(value, where=where, field=field)
    try:
        dumped = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadRecordError(where=where, field=field, reason=f"is not plain JSON ({error})"[:200]) from None
    return check_text(dumped, where=where, field=field)


def _type_in_words(value: object) -> str:
    words = {type(None): "null", bool: "true or false", int: "a number", float: "a number", str: "text"}
    return words.get(type(value), "a list" if isinstance(value, list) else "an object")
