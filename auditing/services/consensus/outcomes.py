"""Outcomes: decided segments are recorded, and the trace is decided once none of its segments is open.

Reads Route, Round, SegmentOutcome, SoundnessRun, and the graph; writes SegmentOutcome, TraceOutcome, Audit, Round.tally
(soundness only), Leaf, AuditEvent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, QuerySet
from django.db.models.functions import Now

from accounts.prepared import Changes, PreparedRows, PreparedUpdate
from auditing.core import consensus as core
from auditing.core.events import EventKind
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Outcome
from auditing.models import Audit, Round, Route, SegmentOutcome, TraceOutcome
from auditing.selectors.consensus.outcomes import bounding_soundness, core_outcomes, stated_soundness
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event
from auditing.services.ledger import leaves as ledger
from auditing.services.transitions import move_audit
from hdag.selectors import StoredGraph, load_graph
from hdag.store.rows import insert


@dataclass(frozen=True, slots=True)
class DecidedSegment:
    """A segment that needs no further round: its last round, that round's tally, and what all its rounds decide."""

    round: Round
    tally: core.Tally
    decision: core.SegmentDecision


def record_outcomes(
    *, audit: Audit, decided: Sequence[DecidedSegment], bounds: Mapping[str, Decimal] | None = None
) -> list[SegmentOutcome]:
    """Write final segment outcomes with their leaves; the sweep decides the trace when no segment is open.

    bounds: the soundness that a plan rested on, by label; None: as it is now.
    """
    if not decided:
        mark_counted(audit=audit)
        return []
    rows = insert(
        SegmentOutcome(
            audit=audit,
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
    outcomes = core_outcomes(audit=audit, only=[round.segment_id for round in rounds])
    by_label = bounding_soundness(audit=audit) if bounds is None else bounds
    soundness = _bound_by_soundness(rounds, outcomes, by_label)
    ledger.write(
        audit=audit,
        leaves=[
            ledger.segment_leaf(
                round=segment.round,
                outcome=outcomes[segment.round.segment_id],
                adjudicated=segment.decision.adjudicated,
                soundness=soundness.get(segment.round.segment_id),
            )
            for segment in decided
        ],
    )
    record_event(audit=audit, kind=EventKind.SEGMENTS_DECIDED, count=len(rows))
    mark_counted(audit=audit)
    return rows


def mark_counted(*, audit: Audit, is_planned: bool = False) -> None:
    """Note that no round is open, so that the sweep finds the audit by an index even when its message was lost.

    is_planned: note it after each round of a wave, for the tallied ones may decide the trace while others are open.
    """
    (_count if is_planned else _count_if_tallied).run(audit=audit.pk)


@PreparedUpdate
def _count(audit: UUID) -> Changes:
    return Audit.objects.filter(pk=audit), {"counted_at": Now()}


@PreparedUpdate
def _count_if_tallied(audit: UUID) -> Changes:
    open_rounds = Round.objects.filter(audit=audit).exclude(stage=RoundStage.TALLIED)
    return Audit.objects.filter(~Exists(open_rounds), pk=audit), {"counted_at": Now()}


def is_counted(*, audit: UUID) -> bool:
    """Whether it is noted that an audit can be decided, or that its planner has its turn."""
    return bool(_counted.rows(audit=audit))


@PreparedRows
def _counted(audit: UUID) -> QuerySet[Audit, Any]:
    return Audit.objects.filter(pk=audit, counted_at__isnull=False).values_list("pk")


def _bound_by_soundness(
    rounds: Sequence[Round], outcomes: Mapping[UUID, core.SegmentOutcome], by_label: Mapping[str, Decimal]
) -> dict[UUID, Decimal]:
    """Soundness of decided segments that a certificate calls unsound, kept with the round that decided them."""
    # Certificates name segments by their labels in the graph, rows by their ids.
    soundness = {key: by_label[outcome.segment] for key, outcome in outcomes.items() if outcome.segment in by_label}
    bounded = [round for round in rounds if round.segment_id in soundness]
    for round in bounded:
        round.tally["soundness"] = str(soundness[round.segment_id])
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
