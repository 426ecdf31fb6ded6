"""Reading decided segments for the trace rules and the pages."""

from decimal import Decimal
from fractions import Fraction
from uuid import UUID

from auditing.core.consensus import SegmentOutcome as CoreOutcome
from auditing.core.values import Outcome, Tier
from auditing.models import Audit, Route, SegmentOutcome


def core_outcomes(*, audit: Audit) -> dict[str, CoreOutcome]:
    """The decided segments of an audit by label, as the trace rules read them."""
    weights = dict(Route.objects.filter(audit=audit).values_list("segment_id", "weight"))
    rows = SegmentOutcome.objects.filter(audit=audit).select_related("segment", "round")
    return {row.segment.label: _core(row, weights) for row in rows}


def _core(row: SegmentOutcome, weights: dict[UUID, Decimal]) -> CoreOutcome:
    tier = Tier(row.round.tier) if row.round else Tier.HUMAN
    outcome = Outcome(row.outcome)
    return CoreOutcome(
        segment=row.segment.label,
        outcome=outcome,
        posterior=Fraction(row.posterior or 0).limit_denominator(10**12),
        tier=tier,
        weight=weights.get(row.segment_id),
        refuted=tier is Tier.COMPUTER and outcome is Outcome.FAIL,
        paper_outcome=Outcome(row.paper_outcome) if row.paper_outcome else None,
    )
