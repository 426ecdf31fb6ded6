"""Decided segments as the trace rules read them, and the soundness that bounds a trace's posterior.

Reads SegmentOutcome, Round, Route, SoundnessRun.
"""

import json
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from accounts.prepared import PreparedQuery, PreparedRows, among
from auditing.core.consensus import SegmentOutcome as CoreOutcome
from auditing.core.values import Outcome, Tier
from auditing.models import Audit, Round, Route, SegmentOutcome, SoundnessRun
from auditing.selectors.soundness import soundness_of


def core_outcomes(*, audit: Audit) -> dict[UUID, CoreOutcome]:
    """The decided segments of an audit by primary key, with exact posteriors, as the trace rules read them."""
    return {row.segment_id: _core(row) for row in _of_audit.rows(audit=audit.pk)}


def outcomes_of_rounds(*, rounds: Sequence[UUID]) -> dict[UUID, CoreOutcome]:
    """The same of the segments that these rounds decided, by round."""
    return {row.round_id: _core(row) for row in _of_rounds.rows(rounds=list(rounds)) if row.round_id is not None}


@PreparedQuery
def _of_audit(audit: UUID) -> QuerySet[SegmentOutcome]:
    return _decided(SegmentOutcome.objects.filter(audit=audit))


@PreparedQuery
def _of_rounds() -> QuerySet[SegmentOutcome]:
    return _decided(SegmentOutcome.objects.filter(among("auditing_segmentoutcome.round_id", "rounds")))


def _decided(rows: QuerySet[SegmentOutcome]) -> QuerySet[SegmentOutcome]:
    # A checker's fail counts as a refutation unless people passed the segment afterwards (see _core).
    same = {"audit": OuterRef("audit"), "segment": OuterRef("segment")}
    accused = Round.objects.filter(**same, tier=Tier.COMPUTER, tally__fails__gt=0)
    weights = Route.objects.filter(**same)
    read = rows.select_related("segment", "round").defer("round__drawn")
    return read.annotate(is_accused=Exists(accused), weight=Subquery(weights.values("weight")[:1]))


def certified(*, audits: Sequence[UUID]) -> set[UUID]:
    """Those of the audits that have a finished certificate of soundness: mostly none."""
    return {audit for (audit,) in _certified.rows(audits=list(audits))}


@PreparedRows
def _certified() -> QuerySet[SoundnessRun, Any]:
    runs = SoundnessRun.objects.filter(among("auditing_soundnessrun.audit_id", "audits"), state="done")
    return runs.values_list("audit").distinct()


def bounding_soundness(*, audit: Audit) -> dict[str, Decimal]:
    """By segment label, how sound a claim can be at most, where a calibrated certificate calls it unsound by now.

    A sound claim bounds nothing: its figure is an estimate under one entailment model, which people have outvoted or
    not. Without a threshold measured on labelled data no claim is called anything, and one that calls too many right
    steps unsound there would bound right traces.
    """
    soundness = soundness_of(audit=audit)
    if soundness is None or not soundness.may_bound:
        return {}
    unsound = {label: line.high for label, line in soundness.claims.items() if line.is_unsound}
    return {label: Decimal(str(round(high, 4))) for label, high in unsound.items()}


def stated_soundness(*, audit: Audit) -> dict[str, Fraction]:
    """By segment label, the soundness that stands on the leaves of decided segments."""
    # What was published decides, not the certificate of today: a stranger must come to the same bound.
    return {label: Fraction(json.loads(bound)) for label, bound in _bounded.rows(audit=audit.pk)}


@PreparedRows
def _bounded(audit: UUID) -> QuerySet[SegmentOutcome, Any]:
    rows = SegmentOutcome.objects.filter(audit=audit, round__tally__has_key="soundness")
    return rows.values_list("segment__label", "round__tally__soundness")


def _core(row: Any) -> CoreOutcome:
    """A row as `_decided` annotates it."""
    outcome = Outcome(row.outcome)
    return CoreOutcome(
        segment=row.segment.label,
        outcome=outcome,
        posterior=Fraction(row.round.tally["segment"]),
        tier=Tier(row.round.tier),
        weight=row.weight,
        refuted=row.is_accused and outcome is not Outcome.PASS,
        adjudicated=row.round.adjudicates and outcome is not Outcome.UNDECIDED,
        paper_outcome=Outcome(row.paper_outcome) if row.paper_outcome else None,
    )
