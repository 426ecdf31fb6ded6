"""Outcomes of segments and of whole traces as rows of one data set."""

from collections.abc import Iterator

from django.db.models import DecimalField, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce

from auditing.core.values import Tier
from auditing.models import Round, SegmentOutcome, TraceOutcome
from auditing.research.exports.selectors.scope import ANY, ONLY, Scope
from auditing.research.exports.selectors.streams import IDS, Row, audit_columns, stream, texted
from auditing.selectors.gold.truths import on_gold, standing_outcome, standing_trace_outcome

_TALLIED = ("passes", "fails", "abstentions", "need_pass", "need_fail")


def outcomes(scope: Scope) -> Iterator[Row]:
    """Outcomes of segments, then of whole traces."""
    filters, audits = scope.filters, scope.audits()
    segment_outcomes = SegmentOutcome.objects.filter(audit__in=audits)
    # Tier and agreement are properties of the round that decided.
    segment_outcomes = (
        segment_outcomes.filter(round__in=scope.rounds()) if filters.tier or filters.agreement else segment_outcomes
    )
    segment_outcomes = segment_outcomes.filter(outcome=filters.outcome) if filters.outcome else segment_outcomes
    if filters.gold != ANY:
        is_gold = on_gold(segment="segment__")
        segment_outcomes = segment_outcomes.filter(is_gold if filters.gold == ONLY else ~is_gold)
    columns = audit_columns("audit__") | {
        "segment": "segment_id",
        "label": "segment__label",
        "tier": "round__tier",
        "outcome": "outcome",
        "paper_outcome": "paper_outcome",
        "standing_outcome": standing_outcome(audit="audit", segment="segment"),
        "posterior": "posterior",
        "low": "low",
        "high": "high",
        "seats": "round__k",
        "tally": "round__tally",
        "inclusion": _inclusion(),
        "decided_at": "decided_at",
    }
    for row in stream(segment_outcomes.order_by("decided_at", "pk"), **columns):
        tally = row.pop("tally") or {}
        row |= {name: tally.get(name) for name in _TALLIED}
        row["paper_outcome"] = row["paper_outcome"] or None
        row["inclusion"] = None if row["inclusion"] is None else float(row["inclusion"])
        yield texted(row, *IDS, "segment")
    # A trace has no tier and no round, so these two filters leave nothing of it.
    if not (filters.tier or filters.agreement):
        yield from trace_outcomes(scope)


def _inclusion() -> Subquery:
    """With what probability people were asked about a segment at all; NULL where they were not."""
    asked = Round.objects.filter(audit=OuterRef("audit"), segment=OuterRef("segment"), tier=Tier.HUMAN)
    chance = Coalesce("inclusion", Value(1), output_field=DecimalField())
    return Subquery(asked.filter(adjudicates=False).order_by("number").values(chance=chance)[:1])


def trace_outcomes(scope: Scope) -> Iterator[Row]:
    """Outcomes of whole traces: the segment is empty."""
    whole_outcomes = TraceOutcome.objects.filter(audit__in=scope.wholes())
    whole_outcomes = whole_outcomes.filter(outcome=scope.filters.outcome) if scope.filters.outcome else whole_outcomes
    columns = audit_columns("audit__") | {
        "outcome": "outcome",
        "paper_outcome": "paper_outcome",
        "standing_outcome": standing_trace_outcome(audit="audit"),
        "posterior": "score",
        "decided_at": "decided_at",
    }
    # Columns of the data set that only a segment has.
    empty = dict.fromkeys(("segment", "label", "tier", "low", "high", "seats", "inclusion", *_TALLIED))
    for row in stream(whole_outcomes.order_by("decided_at", "pk"), **columns):
        row["paper_outcome"] = row["paper_outcome"] or None
        yield texted(row | empty, *IDS)
