"""Outcomes: decided segments are recorded, and the trace is decided once none of its segments is open.

Reads Route, Round, SegmentOutcome, SoundnessRun, and the graph; writes SegmentOutcome, TraceOutcome, Audit, Round.tally
(soundness only), Leaf, AuditEvent.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now

from accounts.prepared import Changes, PreparedRows, PreparedUpdate, among
from auditing.core import consensus as core
from auditing.core.events import EventKind
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Outcome
from auditing.models import Audit, Round, Route, SegmentOutcome, TraceOutcome
from auditing.selectors.consensus.outcomes import (
    bounding_soundness,
    certified,
    core_outcomes,
    outcomes_of_rounds,
    stated_soundness,
)
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_of_audits
from auditing.services.ledger import leaves as ledger
from auditing.services.transitions import move_audit
from hdag.selectors import StoredGraph, load_graph
from hdag.store.rows import fresh, insert


@dataclass(frozen=True, slots=True)
class DecidedSegment:
    """A segment that needs no further round: its last round, that round's tally, and what all its rounds decide."""

    round: Round
    tally: core.Tally
    decision: core.SegmentDecision


def record_outcomes(*, decided: Sequence[DecidedSegment], bounds: Mapping[str, Decimal] | None = None) -> None:
    """Write final segment outcomes with their leaves, of one audit or of several; the sweep decides a trace when no
    segment of it is open.

    bounds: the soundness that a plan rested on, by label; None: as it is now.
    """
    insert(
        fresh(
            SegmentOutcome,
            audit_id=segment.round.audit_id,
            segment_id=segment.round.segment_id,
            round=segment.round,
            outcome=str(segment.decision.outcome),
            paper_outcome=segment.tally.paper_outcome,
            posterior=float(segment.decision.posterior),
            low=segment.decision.interval[0],
            high=segment.decision.interval[1],
        )
        for segment in decided
    )
    rounds = [segment.round for segment in decided]
    # Read back as the pages and the decision of the trace will read them, so that leaf and table cannot differ.
    outcomes = outcomes_of_rounds(rounds=[round.pk for round in rounds])
    soundness = _bound_by_soundness(rounds, outcomes, bounds)
    leaves = (
        ledger.segment_leaf(
            round=segment.round,
            outcome=outcomes[segment.round.pk],
            adjudicated=segment.decision.adjudicated,
            soundness=soundness.get(segment.round.pk),
        )
        for segment in decided
    )
    ledger.write_of_audits(leaves=((leaf.audit, leaf) for leaf in leaves))
    counts = Counter(round.audit_id for round in rounds)
    audits = {round.audit_id: round.audit for round in rounds}
    record_of_audits(
        events=((audits[key], EventKind.SEGMENTS_DECIDED, {"count": count}) for key, count in counts.items())
    )
    mark_counted(audits=audits)


def mark_counted(*, audits: Iterable[UUID], is_planned: bool = False) -> None:
    """Note that no round is open, so that the sweep finds an audit by an index even when its message was lost.

    is_planned: note it after each round of a wave, for the tallied ones may decide the trace while others are open.
    """
    (_count if is_planned else _count_if_tallied).run(audits=list(audits))


_THEIRS = among("auditing_audit.id", "audits")


@PreparedUpdate
def _count() -> Changes:
    return Audit.objects.filter(_THEIRS), {"counted_at": Now()}


@PreparedUpdate
def _count_if_tallied() -> Changes:
    open_rounds = Round.objects.filter(audit=OuterRef("pk")).exclude(stage=RoundStage.TALLIED)
    return Audit.objects.filter(_THEIRS, ~Exists(open_rounds)), {"counted_at": Now()}


def counted(*, audits: Iterable[UUID]) -> list[UUID]:
    """Those of the audits of which it is noted that they can be decided, or that their planner has its turn."""
    return [key for (key,) in _counted.rows(audits=list(audits))]


@PreparedRows
def _counted() -> QuerySet[Audit, Any]:
    return Audit.objects.filter(_THEIRS, counted_at__isnull=False).order_by("pk").values_list("pk")


def _bound_by_soundness(
    rounds: Sequence[Round], outcomes: Mapping[UUID, core.SegmentOutcome], bounds: Mapping[str, Decimal] | None
) -> dict[UUID, Decimal]:
    """Soundness of decided segments that a certificate calls unsound, by the round that decided them and kept there."""
    audits = {round.audit_id: round.audit for round in rounds}
    if bounds is None:
        unsound = {key: bounding_soundness(audit=audits[key]) for key in certified(audits=list(audits))}
    else:
        unsound = {key: dict(bounds) for key in audits}
    # Certificates name segments by their labels in the graph, rows by their ids.
    found = {round.pk: unsound.get(round.audit_id, {}).get(outcomes[round.pk].segment) for round in rounds}
    soundness = {key: bound for key, bound in found.items() if bound is not None}
    bounded = [round for round in rounds if round.pk in soundness]
    for round in bounded:
        round.tally["soundness"] = str(soundness[round.pk])
    Round.objects.bulk_update(bounded, ["tally"])
    return soundness


def decide(*, audit: Audit) -> bool:
    """auditing -> decided: the trace, once every routed segment has its outcome; False while one is open."""
    if _has_open_segment(audit):
        return False
    heads = [head for _, head in ledger.draw_heads(audit=audit)]
    if not heads:
        return False  # the seed of the draws is not fixed yet: the sequencer sends a message when it is
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    graph = load_graph(audit.job)
    outcomes = {outcome.segment: outcome for outcome in core_outcomes(audit=audit).values()}
    decision = core.decide_trace(
        outcomes=outcomes,
        graph=graph.graph,
        policy=policy,
        soundness=stated_soundness(audit=audit),
        plan=graph.plan_units,
    )
    # All that is read is final by now; only the move can be lost to another worker.
    with transaction.atomic():
        if not move_audit(audit=audit, to=AuditStage.DECIDED, outcome=decision.outcome):
            return False
        failing = _first_failing(graph, outcomes)
        TraceOutcome.objects.create(
            audit=audit,
            outcome=decision.outcome,
            paper_outcome=decision.paper_outcome,
            score=float(decision.posterior),
            weighted_score=float(decision.weight_passed),
            first_failing=graph.rows[failing] if failing else None,
            body=_trace_body(decision),
        )
        ledger.decide_trace(audit=audit, decision=decision, heads=heads)
    return True


def _has_open_segment(audit: Audit) -> bool:
    return bool(_open_segments.rows(audit=audit.pk))


@PreparedRows
def _open_segments(audit: UUID) -> QuerySet[Route, Any]:
    outcomes = SegmentOutcome.objects.filter(audit=audit).values("segment")
    return Route.objects.filter(audit=audit).exclude(segment__in=outcomes).values_list("pk")[:1]


def _first_failing(graph: StoredGraph, outcomes: Mapping[str, core.SegmentOutcome]) -> str | None:
    """Label of the first segment, in the order of the graph, whose outcome is fail."""
    for segment in graph.graph.segments:
        if segment.id in outcomes and outcomes[segment.id].outcome is Outcome.FAIL:
            return segment.id
    return None


def _trace_body(decision: core.TraceOutcome) -> dict[str, Any]:
    return {
        "rule": str(decision.rule),
        "score": float(decision.score),
        "theta_pass": float(decision.theta_pass),
        "theta_fail": float(decision.theta_fail),
        "basis": list(decision.basis),
        "refuted": list(decision.refuted),
        "weight_passed": float(decision.weight_passed),
        "weight_needed": float(decision.weight_needed),
        "why": decision.why,
    }
