"""An audit beside the one that looked again: each segment with the votes of both. Works on Reports that were read."""

from dataclasses import dataclass

from auditing.research.reports.selectors.lines import SegmentLine
from auditing.research.reports.selectors.report import Report


@dataclass(frozen=True, slots=True)
class Pair:
    """One segment in both audits; None where nobody voted on it in one of them."""

    before: SegmentLine | None
    after: SegmentLine | None

    @property
    def shown(self) -> SegmentLine:
        """The line that names the segment."""
        line = self.after or self.before
        assert line is not None  # a pair is made of at least one
        return line

    @property
    def differs(self) -> bool:
        """Whether both decided it, each otherwise; while one has not, nothing differs."""
        before, after = self._outcome(self.before), self._outcome(self.after)
        return bool(before and after) and before != after

    @staticmethod
    def _outcome(line: SegmentLine | None) -> str:
        return line.outcome.outcome if line is not None and line.outcome is not None else ""


def compare(*, before: Report, after: Report) -> list[Pair]:
    """Segments that somebody voted on in either, in reading order, those that were decided otherwise first."""
    # Both audits look at one graph: its ids name the same segments, in the same order.
    old, new = ({line.value.id: line for line in report.lines if line.votes} for report in (before, after))
    order = [line.value.id for line in before.lines if line.value.id in old or line.value.id in new]
    pairs = [Pair(old.get(label), new.get(label)) for label in order]
    return sorted(pairs, key=lambda pair: not pair.differs)
