"""Inspect AI evaluation logs (JSON) -> one Trace for each sample; or a sample alone, as a log's archive holds it.

Source, read 2026-11-29: inspect_ai, log/_log.py (EvalLog, EvalSample) and the samples/ of its .eval archives.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.messages import read_messages
from hdag.readers.records import DEFAULT_LIMITS, Limits, as_text, check_list, check_size

MOST_SAMPLES = 100_000
_ATTACHMENT = "attachment://"


def reads(value: Any) -> bool:
    """Whether `value` is a log with "eval" and "samples", or one of its samples."""
    if not isinstance(value, dict):
        return False
    is_sample = isinstance(value.get("messages"), list) and {"epoch", "target", "id"} <= value.keys()
    return is_sample or (isinstance(value.get("eval"), dict) and isinstance(value.get("samples"), list))


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """The traces of all samples; id is sample id and epoch, the model's name and the target are kept apart."""
    log = check_object(value, where=where, field="")
    if "samples" not in log:
        output = log.get("output")
        model = output.get("model") if isinstance(output, Mapping) else None
        trace = _sample(log, 0, where, "", limits)
        return (replace(trace, model_name=as_text(model, where=where, field="output.model")),)
    header = check_object(log["eval"], where=where, field="eval")
    model = as_text(header.get("model"), where=where, field="eval.model")
    title = as_text(header.get("task"), where=where, field="eval.task")
    rows = check_list(log["samples"], where=where, field="samples", limit=MOST_SAMPLES)
    traces = (_sample(row, index, where, f"samples[{index}]", limits) for index, row in enumerate(rows))
    return tuple(replace(trace, model_name=model, title=title) for trace in traces)


def _sample(row: object, index: int, where: str, at: str, limits: Limits) -> Trace:
    """The trace of one sample, but for what the whole log says of it."""
    sample = check_object(row, where=where, field=at)
    prefix = f"{at}." if at else ""
    messages = check_list(sample.get("messages"), where=where, field=f"{prefix}messages", limit=limits.steps)
    targets = sample.get("target")
    only = targets[0] if isinstance(targets, list) and len(targets) == 1 else targets
    target = as_text(only, where=where, field=f"{prefix}target")
    name = f"{sample.get('id', index)}/{sample.get('epoch', 1)}"
    messages = _with_attachments(messages, sample.get("attachments"), where, limits)
    trace = read_messages(messages, where=where, at=f"{prefix}messages")
    trace = replace(trace, id=name, reference_answer=target)
    check_size(trace=trace, where=f"{where}, {at}" if at else where, limits=limits)
    return trace


def _with_attachments(messages: list[Any], attachments: object, where: str, limits: Limits) -> list[Any]:
    """The messages with the texts that stand beside them under a hash, as Inspect keeps what it wrote already.

    Raises BadRecordError where that is more text than a trace may hold: one long text can be named ten thousand times.
    """
    if not isinstance(attachments, Mapping):
        return messages
    left = limits.text_bytes

    def resolve(value: Any) -> Any:
        nonlocal left
        if isinstance(value, dict):
            return {name: resolve(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [resolve(inner) for inner in value]
        if not isinstance(value, str) or not value.startswith(_ATTACHMENT):
            return value
        text = attachments.get(value.removeprefix(_ATTACHMENT))
        # Pictures are named and not read: their bytes are left where they are.
        if not isinstance(text, str) or text.startswith("data:"):
            return value
        left -= len(text)
        if left < 0:
            reason = f"name more than {limits.text_bytes} bytes of text together"
            raise BadRecordError(where=where, field="attachments", reason=reason)
        return text

    return [resolve(message) for message in messages]
