"""Progress of an audit: segments decided, and its open rounds by tier and stage. Works on lines that were read."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from auditing.core.stages import ROUND_STAGES, RoundStage
from auditing.core.values import Tier
from auditing.research.reports.selectors.lines import SegmentLine


@dataclass(frozen=True, slots=True)
class Progress:
    """Segments decided of those audited, and what the open rounds wait for."""

    decided: int
    audited: int
    waiting: tuple[tuple[str, str, int], ...]  # tier, what a page tells of the stage, rounds

    @property
    def asks_people(self) -> bool:
        """Whether an open round is one of people."""
        return any(tier == Tier.HUMAN for tier, _, _ in self.waiting)

    @property
    def share(self) -> float:
        """0 to 1."""
        return self.decided / self.audited if self.audited else 0.0


def progress_of(*, lines: Iterable[SegmentLine]) -> Progress:
    """Counted over the lines of a report: no query."""
    decided = audited = 0
    waiting: Counter[tuple[str, str]] = Counter()
    for line in lines:
        decided += line.outcome is not None
        audited += line.route is not None
        waiting.update((round.tier, round.stage) for round in line.rounds if round.stage != RoundStage.TALLIED)
    told = ((tier, ROUND_STAGES[RoundStage(stage)].says, rounds) for (tier, stage), rounds in sorted(waiting.items()))
    return Progress(decided, audited, tuple(told))
