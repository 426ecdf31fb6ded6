"""A decoy before it is planted: its text, the place of the gold in it, and whether people would be asked about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditing.checker.planting import Change, GoldSpan, Grade, Origin, Shape, find_asked
from auditing.core.policy import Grain, Policy
from auditing.core.values import Choice
from auditing.models import GoldSegment
from auditing.selectors.gold.misled import misleads
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import Trace as StoredTrace


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
    shape: Shape | None = None  # of a passage out of a recorded text, and
    apart: tuple[float, ...] = ()  # by how much that is not what was asked

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
