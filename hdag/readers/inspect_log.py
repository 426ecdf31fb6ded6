"""Inspect AI evaluation logs (JSON) -> one Trace for each sample."""

from dataclasses import replace
from typing import Any

from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.messages import read_messages
from hdag.readers.records import DEFAULT_LIMITS, Limits, as_text, check_list, check_size

MOST_SAMPLES = 100_000


def reads(value: Any) -> bool:
    """Whether `value` is a log with "eval" and "samples"."""
    return isinstance(value, dict) and isinstance(value.get("eval"), dict) and isinstance(value.get("samples"), list)


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """The traces of all samples; id is sample id and epoch, the model's name and the target are kept apart."""
    log = check_object(value, where=where, field="")
    header = check_object(log["eval"], where=where, field="eval")
    model = as_text(header.get("model"), where=where, field="eval.model")
    title = as_text(header.get("task"), where=where, field="eval.task")
    traces = []
    for index, row in enumerate(check_list(log["samples"], where=where, field="samples", limit=MOST_SAMPLES)):
        at = f"samples[{index}]"
        sample = check_object(row, where=where, field=at)
        messages = check_list(sample.get("messages"), where=where, field=f"{at}.messages", limit=limits.steps)
        targets = sample.get("target")
        target = as_text(
            targets[0] if isinstance(targets, list) and len(targets) == 1 else targets,
            where=where,
            field=f"{at}.target",
        )
        name = f"{sample.get('id', index)}/{sample.get('epoch', 1)}"
        trace = read_messages(messages, where=where, at=f"{at}.messages")
        trace = replace(trace, id=name, model_name=model, reference_answer=target, title=title)
        check_size(trace=trace, where=f"{where}, {at}", limits=limits)
        traces.append(trace)
    return tuple(traces)
