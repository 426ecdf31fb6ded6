"""A log of thoughts, actions and observations in one text (ReAct) -> Trace: thoughts are steps, actions tool calls.

How such a text is taken apart, with its sources: `protocols/react_text.py`. A record of ours whose thinking is such a
log is read by `records.py` in the same way.
"""

from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import LogStep, first_key, first_text, join
from hdag.readers.protocols.react_text import find_log
from hdag.readers.records import DEFAULT_LIMITS, JOINT, Limits, check_name, check_size, check_text

RESPONSES = ("response", "completion", "generation", "output", "text")
PROBLEMS = ("problem", "question", "prompt", "instruction", "task", "input")
MODELS = ("model", "model_name")


def reads(value: Any) -> bool:
    """Whether `value` is text with whole turns of action and observation, or a record whose response is.

    >>> reads("Thought: look.\\nAction: search[tower]\\nObservation: 330 m\\nFinal Answer: 330 m")
    True
    >>> reads("Action: Heat the water.\\nObservation: It boils.")
    False
    """
    if isinstance(value, dict):
        problem = value.get(first_key(fields=value, names=PROBLEMS), "")
        value = value.get(first_key(fields=value, names=RESPONSES)) if isinstance(problem, str) else None
    return isinstance(value, str) and find_log(text=value) is not None


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError for a text that is no such log, or over the limits."""
    fields = value if isinstance(value, dict) else {"text": value}
    name = first_key(fields=fields, names=RESPONSES)
    log = find_log(text=check_text(fields[name], where=where, field=name if isinstance(value, dict) else ""))
    if log is None:
        raise BadRecordError(where=where, field=name, reason="is no log of thoughts, actions and observations")
    if max(len(log.thoughts), len(log.calls)) > limits.steps:
        raise BadRecordError(where=where, field=name, reason=f"more than {limits.steps} steps")
    problem = first_text(fields=fields, names=PROBLEMS, where=where)
    problems = dict.fromkeys(text for text in (problem, log.problem) if text.strip())
    thinking, spans = join(pieces=[LogStep(thought.text) for thought in log.thoughts])
    model = check_name(fields.get(first_key(fields=fields, names=MODELS)), where=where, field="model", limits=limits)
    trace = Trace(
        problem=JOINT.join(problems),
        thinking=thinking if spans else "",
        answer=log.answer,
        steps=spans,
        tool_calls=tuple(log.calls),
        model_name=model,
        id=str(fields.get("id", "")),
    )
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)
