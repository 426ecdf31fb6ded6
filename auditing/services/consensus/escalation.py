"""What follows a hung round: the next tier, an adjudicator, or the silent seats drawn again. Writes Round."""

from dataclasses import replace

from django.db.models.functions import Now

from auditing.core import consensus as core
from auditing.core.events import EventKind
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Outcome, Tier
from auditing.models import Round, Route, Seat
from auditing.selectors.model_tier.endpoints import is_suspect
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event


def next_round(*, round: Round, route: Route, decision: core.SegmentDecision) -> Round:
    """The unsaved next round of a segment: in the decision's tier, or before one adjudicator."""
    tier = decision.next_tier or Tier.HUMAN
    return Round(
        audit_id=round.audit_id,
        segment_id=round.segment_id,
        number=round.number + 1,
        tier=tier,
        adjudicates=decision.adjudicate,
        k=1 if decision.adjudicate else _seats(tier, route, round),
        why=decision.why[:300],
    )


def with_a_person(*, round: Round, decision: core.SegmentDecision) -> core.SegmentDecision:
    """The decision, unless words of the segment spoke to its auditors: then a person looks before it is decided."""
    if decision.outcome is None or not is_suspect(audit=round.audit_id, segment=round.segment_id):
        return decision
    looked = Round.objects.filter(audit=round.audit_id, segment=round.segment_id, tier=Tier.HUMAN)
    last = looked.filter(stage=RoundStage.TALLIED).order_by("-number").first()
    if last is None:
        why = "a model saw words that speak to its auditors: a person looks as well"
        return replace(decision, outcome=None, next_tier=Tier.HUMAN, why=why)
    if last.outcome == Outcome.HUNG:
        return replace(decision, outcome=None, adjudicate=True, why="words that speak to auditors, and people disagree")
    return decision


def redraw(*, round: Round, tally: core.Tally) -> bool:
    """Too few seats answered: the silent ones are offered to the next in the draw, in the same round."""
    silent = Seat.objects.filter(round=round, stage=SeatStage.SILENT).count()
    Round.objects.filter(pk=round.pk, stage=RoundStage.REVEALING).update(
        stage=RoundStage.DRAWING, stage_since=Now(), redraws=round.redraws + 1, due_at=Now()
    )
    record_event(
        audit=round.audit, kind=EventKind.ROUND_REDRAWN, segment=str(round.segment_id), silent=silent, why=tally.why
    )
    return True


def _seats(tier: Tier, route: Route, round: Round) -> int:
    if tier == route.primary:
        return route.k
    return load_policy(version=round.audit.policy, domain=round.audit.trace.domain).tier(tier).k
