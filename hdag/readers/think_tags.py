"""Text with think and answer tags -> Trace, alone or as the response of a record {"problem", "response"}."""

from typing import Any

from hdag.core.values import Trace
from hdag.readers.compose import first_key, first_text
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_size, check_text
from hdag.readers.tags import OPENERS, split_tags

RESPONSES = ("response", "completion", "generation", "output", "text")
PROBLEMS = ("problem", "question", "prompt", "instruction")


def reads(value: Any) -> bool:
    """Whether `value` is text with a think tag, or a record whose response is."""
    text = value.get(first_key(fields=value, names=RESPONSES)) if isinstance(value, dict) else value
    return isinstance(text, str) and any(tag in text for pair in OPENERS.items() for tag in pair)


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace: thinking between the tags, answer after them.

    Raises BadRecordError for an unclosed or blank response.
    """
    problem, text = "", value
    name = ""
    if isinstance(value, dict):
        name = first_key(fields=value, names=RESPONSES)
        problem, text = first_text(fields=value, names=PROBLEMS, where=where), value[name]
    thinking, answer = split_tags(check_text(text, where=where, field=name), where=where, field=name)
    identifier = str(value.get("id", "")) if isinstance(value, dict) else ""
    trace = Trace(problem=problem, thinking=thinking, answer=answer, id=identifier)
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)
