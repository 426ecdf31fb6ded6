"""A decoy before it is planted: its text, the place of the gold in it, and whether people would be asked about it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from auditing.checker.planting import Change, GoldSpan, Grade, Origin, Perturbed, find_asked
from auditing.core.policy import Grain, Policy
from auditing.core.values import Choice
from auditing.models import GoldSegment
from auditing.selectors.gold.misled import misleads
from hdag.core.values import Source, StepSpan, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import Trace as StoredTrace

_IN_WORDS = {
    Change.FAR_OFF: "the result is far off",
    Change.OFF_BY_ONE: "the result is off by one in its last place",
    Change.SIGN: "a sign is turned",
    Change.COPIED_NUMBER: "a number is copied wrongly from the problem",
    Change.UNIT: "the unit is another one",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A decoy before it is planted: its text, the place of the gold in it, and what is known."""

    trace: Trace
    span: GoldSpan
    truth: Choice | None  # None: a passage that comes again, of which nothing is known
    origin: Origin
    explanation: str
    original: StoredTrace | None = None
    gold: GoldSegment | None = None
    change: Change | None = None
    grade: Grade | None = None
    words: Sequence[str] = ()  # what qualified models said of the very text

    @property
    def misleads_models(self) -> bool:
        """Whether most of them were wrong about it."""
        return self.truth is not None and misleads(words=self.words, truth=self.truth)


def is_asked(*, draft: Draft, policy: Policy) -> bool:
    """Whether people would be asked about the gold, and where nothing was planted about nothing more than it."""
    asked = find_asked(
        trace=draft.trace,
        span=draft.span,
        by_passages=policy.grain is Grain.PASSAGE,
        decompose=lambda trace: RulesDecomposer().decompose(trace),
    )
    if asked is None:
        return False
    # A unit that is larger than what is known to be right may be wrong elsewhere; an error makes any unit wrong.
    return draft.truth is Choice.FAIL or (draft.span.start <= asked[0] and asked[1] <= draft.span.end)


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
