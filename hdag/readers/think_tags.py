"""Text with think and answer tags -> Trace, alone or as the response of a record {"problem", "response"}."""

from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import first_key, first_text
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_size, check_text

OPENERS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
}
ANSWERS = {"<answer>": "</answer>", "<|begin_of_solution|>": "<|end_of_solution|>"}
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


def split_tags(text: str, *, where: str, field: str) -> tuple[str, str]:
    """Thinking and answer of `text`; an opening tag may be missing (chat templates swallow it), a closing one may not.

    >>> split_tags("<think>1+1=2</think>It is 2.", where="r", field="")
    ('1+1=2', 'It is 2.')
    """
    # Pairs in the order of the table: the first that occurs decides; what stands before it belongs to the thinking.
    for opener, closer in OPENERS.items():
        before, opened, after = text.partition(opener)
        if not opened:
            # A template that ends in "<think>" leaves only the closing tag in the completion.
            before, after = "", text
        thinking, closed, answer = after.partition(closer)
        if opened and not closed:
            raise BadRecordError(where=where, field=field, reason=f"{opener} is never closed")
        if closed:
            return (before + thinking).strip("\n"), _unwrap(answer)
    return "", _unwrap(text)


def _unwrap(answer: str) -> str:
    """The answer without its own tags when it is wholly inside them."""
    bare = answer.strip()
    for opener, closer in ANSWERS.items():
        if bare.startswith(opener) and bare.endswith(closer):
            return bare[len(opener) : -len(closer)]
    return answer
