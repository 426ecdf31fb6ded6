"""What an audit of passages says of the segments of its fine graph: the labels of single steps.

Steps before the named one count as passed, the named one failed, later ones are not judged. Reads SegmentOutcome, Vote.
"""

from typing import Any

from auditing.core.values import Outcome
from auditing.models import Audit, SegmentOutcome
from auditing.research.reports.selectors.opened_votes import votes_of
from auditing.research.reports.selectors.units import find_unit
from hdag.core.passages import Why
from hdag.models import Segment

Decided = dict[Any, tuple[str, float | None]]


def fine_segments(*, audit: Audit) -> tuple[list[Segment], Decided]:
    """The fine segments that lie in units somebody was asked about, and what is decided of them, by primary key."""
    rows = {row.label: row for row in Segment.objects.filter(decomposition=audit.fine_job)}
    # Units without numbered steps have no place that a vote could name.
    units = Segment.objects.filter(decomposition=audit.job, numbering__0__isnull=False, unasked__in=("", Why.PROVED))
    outcomes = {row.segment_id: row for row in SegmentOutcome.objects.filter(audit=audit)}
    votes = votes_of(audit=audit, reasons=False)
    segments: dict[Any, Segment] = {}
    decided: Decided = {}
    for unit in units.order_by("position"):
        outcome = outcomes.get(unit.pk)
        line = find_unit(row=unit, own="", votes=votes[unit.pk], outcome=outcome.outcome if outcome else "")
        # A failed passage accuses one of its steps at most: only votes that name the place say which.
        fails_at = line.localisation.step if line is not None and line.localisation is not None else None
        for number, step in enumerate(unit.numbered, 1):
            for label in step.labels:
                segments[rows[label].pk] = rows[label]
                if outcome is not None and (verdict := _verdict(outcome.outcome, number, fails_at)):
                    decided[rows[label].pk] = verdict, outcome.posterior
    return sorted(segments.values(), key=lambda row: row.position), decided


def _verdict(outcome: str, number: int, fails_at: int | None) -> str:
    """The outcome of one numbered step; "" where it is not judged."""
    if outcome != Outcome.FAIL:
        return outcome
    if fails_at is None or number > fails_at:
        return ""
    return str(Outcome.FAIL if number == fails_at else Outcome.PASS)
