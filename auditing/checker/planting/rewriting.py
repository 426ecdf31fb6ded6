"""A trace with an error in one of its texts, and the words in which reviewers read what was done."""

from dataclasses import replace

from auditing.checker.planting.perturbing import Change, Perturbed
from hdag.core.values import Source, StepSpan, Trace

_IN_WORDS = {
    Change.FAR_OFF: "the result is far off",
    Change.OFF_BY_ONE: "the result is off by one in its last place",
    Change.SIGN: "a sign is turned",
    Change.COPIED_NUMBER: "a number is copied wrongly from the problem",
    Change.UNIT: "the unit is another one",
    Change.QUESTION: "the problem is another one than the plan answers",
}


def in_words(*, error: Perturbed) -> str:
    """What was done, as reviewers read it when the gold is opened."""
    return f"“{error.old}” was changed to “{error.new}”: {_IN_WORDS[error.change]}."


def rewritten(*, trace: Trace, source: Source, error: Perturbed) -> Trace:
    """The trace with an error in one of its texts, its input steps moved along."""
    changed = error.applied(text=trace.source_text(source))
    if source is Source.PROBLEM:
        return replace(trace, problem=changed)
    if source is Source.ANSWER:
        return replace(trace, answer=changed)
    shift = len(error.new) - (error.end - error.start)
    return replace(trace, thinking=changed, steps=tuple(_moved(step, error.end, shift) for step in trace.steps))


def _moved(step: StepSpan, after: int, shift: int) -> StepSpan:
    moves = {name: value + shift for name in ("start", "end") if (value := getattr(step, name)) >= after}
    return replace(step, **moves)
