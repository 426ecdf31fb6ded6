"""What follows an undecided round: one in the next tier, one before an adjudicator, or a redraw of its silent seats.

Reads Seat, Route; writes Round, AuditEvent.
"""

from django.db.models.functions import Now

from auditing.core import consensus as core
from auditing.core.events import EventKind
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Round, Route, Seat
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event
from hdag.store.rows import fresh


def next_round(*, round: Round, route: Route, decision: core.SegmentDecision) -> Round:
    """The unsaved next round of a segment: in the decision's tier, or before one adjudicator."""
    tier = decision.next_tier or Tier.HUMAN
    # An adjudicator sits alone; everybody else has as many seats as the route or the tier says.
    return fresh(
        Round,
        audit_id=round.audit_id,
        segment_id=round.segment_id,
        number=round.number + 1,
        tier=tier,
        adjudicates=decision.adjudicate,
        k=1 if decision.adjudicate else _seats(tier, route, round),
        why=decision.why[:300],
    )


def redraw(*, round: Round, tally: core.Tally) -> bool:
    """Too few votes were opened: the silent seats are drawn again, in the same round. Always True: the round moved."""
    silent = Seat.objects.filter(round=round, stage=SeatStage.SILENT).count()
    # The caller holds the lock of the round. due_at = now: the sweep draws at once, whether or not a message does.
    Round.objects.filter(pk=round.pk, stage=RoundStage.REVEALING).update(
        stage=RoundStage.DRAWING, stage_since=Now(), redraws=round.redraws + 1, due_at=Now()
    )
    record_event(
        audit=round.audit, kind=EventKind.ROUND_REDRAWN, segment=str(round.segment_id), silent=silent, why=tally.why
    )
    return True


def _seats(tier: Tier, route: Route, round: Round) -> int:
    """k of the next round: the route's number where it goes to the primary tier, else that tier's own."""
    if tier == route.primary:
        return route.k
    return load_policy(version=round.audit.policy, domain=round.audit.trace.domain).tier(tier).k
