"""Lines of results of batches -> one Trace each: the body of an answer in an envelope with the caller's own id.

Sources, read 2026-11-29: BatchRequestOutput of OpenAI's Batch API (also OpenRouter), MessageBatchIndividualResponse of
Anthropic's, batch prediction of Gemini (key or request beside response), batch inference of Bedrock (recordId).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.protocols.sides import talk_of
from hdag.readers.recorded_calls import OURS, joined, trace_of
from hdag.readers.records import DEFAULT_LIMITS, Limits, as_text, check_name, check_size

_KEYS = ("custom_id", "recordId", "key")
_ASKED = ("request", "modelInput")
_ANSWERED = ("response", "result", "modelOutput")


def reads(value: Any) -> bool:
    """Whether `value` is the envelope of one result."""
    if not isinstance(value, dict) or not value.keys().isdisjoint(OURS):
        return False
    has_answer = any(isinstance(value.get(name), dict) for name in (*_ANSWERED, "error"))
    return has_answer and any(isinstance(value.get(name), str | dict) for name in (*_KEYS, *_ASKED))


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError for a request that failed, with its reason."""
    line = check_object(value, where=where, field="")
    at = next((name for name in _ANSWERED if isinstance(line.get(name), dict)), "")
    outer = line[at] if at else {}
    name = next((name for name in ("body", "message") if isinstance(outer.get(name), dict)), "")
    body = outer[name] if name else outer
    at = f"{at}.{name}" if name else at
    _check_success(line, outer, body, where)
    asked = next((name for name in _ASKED if line.get(name)), "")
    talk = joined(
        talk_of(line.get(asked), role="user", where=where, at=asked),
        talk_of(body, role="assistant", where=where, at=at),
    )
    trace = trace_of(talk, where=where, at=at, limits=limits)
    key = next((line[name] for name in _KEYS if isinstance(line.get(name), str | int)), "")
    model = check_name(body.get("model", body.get("modelVersion")), where=where, field=f"{at}.model", limits=limits)
    trace = replace(trace, id=str(key), model_name=model)
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)


def _check_success(line: Mapping[str, Any], outer: Mapping[str, Any], body: Mapping[str, Any], where: str) -> None:
    status = outer.get("status_code")
    is_bad = isinstance(status, int) and status >= 400
    ending = outer.get("type")
    if isinstance(ending, str) and ending in ("errored", "canceled", "expired"):
        is_bad = True
    error = next((fields["error"] for fields in (line, outer, body) if fields.get("error")), None)
    if is_bad or error or not body:
        why = as_text(error, where=where, field="error") or str(ending or status or "it holds no answer")
        raise BadRecordError(where=where, field="", reason=f"is the result of a request that failed: {why}"[:300])
