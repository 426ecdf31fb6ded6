"""Gold out of recorded audits: the passages nearest in shape to what people are asked, as they are or with an error.

A passage can be gold when its audit passed it and the computer proved its computations (origin `computed`, or
`perturbed` with an error), or when an adjudicator's verdict on it stood to the end of the appeal window
(`adjudicated`). Reads Audit, SegmentOutcome, Segment.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from uuid import UUID

from auditing.checker.examination import decide_all
from auditing.checker.planting import (
    GoldSpan,
    Origin,
    Proofs,
    Shape,
    in_words,
    is_all_computed,
    nearest_first,
    perturb,
    proved_equations,
    rewritten,
    shape_of,
)
from auditing.core.values import Choice, Outcome
from auditing.models import Audit, SegmentOutcome
from auditing.selectors.gold.misled import Words, on_segment
from auditing.services.gold.drafts import Draft
from auditing.services.gold.texts import JUDGED, passages_of
from hdag.core.values import Source, Trace
from hdag.selectors import load_graph

MOST_PROVED = 60  # passages looked at for one decoy
MOST_APART = 5.0  # a passage farther from all that is asked gives itself away: rather none, until there are others
FEW = 12  # texts; a campaign that has no more takes the nearest of them, however far


class Recorded:
    """The passages of some recorded audits; what costs time is done when a passage is tried."""

    def __init__(self, usable: Sequence[tuple[Audit, Trace]], truth: Choice, words: Words, rng: random.Random) -> None:
        self._texts = {audit.pk: (audit, trace) for audit, trace in usable}
        self._truth, self._words, self._rng = truth, words, rng
        self._proofs: dict[UUID, Proofs] = {}
        self._rows = _judged(list(self._texts))
        rng.shuffle(self._rows)  # of those that are alike any may come first
        passages = passages_of(graphs=[row.segment.decomposition_id for row in self._rows])
        self._shapes = [self._shape(row, passages[row.segment.decomposition_id]) for row in self._rows]

    @property
    def texts(self) -> int:
        """How many texts there are."""
        return len(self._texts)

    def near(self, asked: Shape, wanted: Shape) -> Iterator[Draft]:
        """Those that can be gold and look like what is asked, the nearest to what is wanted first."""
        near = [number for number, shape in enumerate(self._shapes) if shape.distance(asked) <= MOST_APART]
        return self._drafts(sorted(near, key=lambda number: self._shapes[number].distance(wanted)))

    def by_distance(self, asked: Shape | None) -> Iterator[Draft]:
        """All that can be gold, the nearest first, however far."""
        return self._drafts(nearest_first(shapes=self._shapes, asked=asked))

    def _drafts(self, numbers: Iterable[int]) -> Iterator[Draft]:
        drafts = (self._draft(number) for number in islice(numbers, MOST_PROVED))
        return (draft for draft in drafts if draft is not None)

    def _shape(self, row: SegmentOutcome, passages: int) -> Shape:
        (_, trace), span = self._texts[row.audit_id], _span(row)
        text = trace.source_text(span.source)
        return shape_of(text=text, start=span.start, end=span.end, passages=passages, problem=trace.problem)

    def _draft(self, number: int) -> Draft | None:
        row = self._rows[number]
        audit, trace = self._texts[row.audit_id]
        draft = _adjudicated(audit, trace, row, self._truth)
        if draft is None and row.outcome == Outcome.PASS:
            draft = _draft(trace, _span(row), self._proved(audit, trace), self._truth, self._rng)
        if draft is None:
            return None
        # Of a text with an error in it no model has said anything.
        heard = on_segment(words=self._words, segment=row.segment_id) if draft.change is None else ()
        return replace(draft, original=audit.trace, words=heard, shape=self._shapes[number])

    def _proved(self, audit: Audit, trace: Trace) -> Proofs:
        # Once a text: to check all of its computations takes longer than all else here.
        if audit.pk not in self._proofs:
            graph = load_graph(audit.fine_job).graph
            self._proofs[audit.pk] = Proofs(graph, decide_all(trace=trace, graph=graph))
        return self._proofs[audit.pk]


def _judged(audits: Sequence[UUID]) -> list[SegmentOutcome]:
    rows = SegmentOutcome.objects.filter(
        audit__in=audits, segment__unit__in=JUDGED, segment__source__in=(Source.THINKING, Source.ANSWER)
    )
    return list(rows.select_related("segment", "round").order_by("audit", "segment__position"))


def _adjudicated(audit: Audit, trace: Trace, row: SegmentOutcome, truth: Choice) -> Draft | None:
    """A verdict that nobody overturned: its points are released, and no later audit says otherwise."""
    if row.outcome != truth or row.round is None or not row.round.adjudicates or audit.released_at is None:
        return None
    if Audit.objects.filter(follows=audit).exists():
        return None
    why = "An adjudicator decided this passage, and nobody overturned it."
    return Draft(trace=trace, span=_span(row), truth=truth, origin=Origin.ADJUDICATED, explanation=why)


def _draft(trace: Trace, span: GoldSpan, proofs: Proofs, truth: Choice, rng: random.Random) -> Draft | None:
    """One passage as gold of that truth; None where the computer proved too little of it."""
    text = trace.source_text(span.source)[span.start : span.end]
    if truth is Choice.PASS:
        if not is_all_computed(stretch=span.stretch, text=text, problem=trace.problem, proofs=proofs):
            return None
        why = "Every computation in this passage is proved."
        return Draft(trace=trace, span=span, truth=truth, origin=Origin.COMPUTED, explanation=why)
    equations = proved_equations(stretch=span.stretch, proofs=proofs)
    planted = perturb(text=text, equations=equations, problem=trace.problem, rng=rng)
    if planted is None:
        return None
    error = replace(planted, start=span.start + planted.start, end=span.start + planted.end)
    shift = len(error.new) - (error.end - error.start)
    return Draft(
        trace=rewritten(trace=trace, source=span.source, error=error),
        span=GoldSpan(span.source, span.start, span.end + shift, error.start),
        truth=truth,
        origin=Origin.PERTURBED,
        explanation=in_words(error=error),
        change=error.change,
        grade=error.change.grade,
    )


def _span(row: SegmentOutcome) -> GoldSpan:
    return GoldSpan(Source(row.segment.source), row.segment.start, row.segment.end, row.segment.start)
