"""Transitions: one conditional UPDATE moves an audit or a round to its next stage, with its event beside it.

Whoever comes second changes no row and is told so. Reads and writes Audit, Round; writes AuditEvent.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from auditing.core.stages import AUDIT_STAGES, ROUND_STAGES, AuditStage, RoundStage, SeatStage, check_step
from auditing.models import Audit, Round, Seat
from auditing.services.events import record_event


def move_audit(*, audit: Audit, to: AuditStage, **fields: Any) -> bool:
    """Move an audit through one door; False when somebody else did. Writes the event."""
    old = AuditStage(audit.stage)
    check_step(table=AUDIT_STAGES, old=old, new=to)
    moved = Audit.objects.filter(pk=audit.pk, stage=old).update(
        stage=to, stage_since=Now(), lease_until=None, attempts=0, **fields
    )
    if moved:
        audit.stage = to
        for name, value in fields.items():
            setattr(audit, name, value)
        record_event(audit=audit, kind=f"audit.{to}", **({"why": fields["failure"]} if fields.get("failure") else {}))
    return bool(moved)


def move_round(*, round: Round, to: RoundStage, due_at: datetime | None, **fields: Any) -> bool:
    """Move a round through one door; False when somebody else did."""
    old = RoundStage(round.stage)
    check_step(table=ROUND_STAGES, old=old, new=to)
    moved = Round.objects.filter(pk=round.pk, stage=old).update(stage=to, stage_since=Now(), due_at=due_at, **fields)
    if moved:
        round.stage, round.due_at = to, due_at
        for name, value in fields.items():
            setattr(round, name, value)
    return bool(moved)


def move_deadlines(*, rounds: QuerySet[Round], by: timedelta) -> None:
    """After a pause: windows, and the leases of seats in hand, end as much later as it lasted."""
    open_rounds = rounds.exclude(stage=RoundStage.TALLIED)
    held = Seat.objects.filter(round__in=open_rounds, stage=SeatStage.HELD, lease_until__isnull=False)
    held.update(lease_until=F("lease_until") + by)
    open_rounds.filter(due_at__isnull=False).update(due_at=F("due_at") + by)
    open_rounds.filter(stage=RoundStage.DRAWING).update(stage_since=F("stage_since") + by)  # adjudicators' time too


def lock_round(*, key: Any) -> None:
    """Lock a round before any of its seats, everywhere in this order: then nobody waits in a circle."""
    Round.objects.select_for_update(of=("self",)).filter(pk=key).first()


def claim_audit(*, audit: Audit, now: datetime, seconds: int) -> bool:
    """Take the audit's lease for machine work; False when another worker holds it or it has moved on."""
    taken = (
        Audit.objects.filter(pk=audit.pk, stage=audit.stage, paused_at__isnull=True)
        .filter(Q(lease_until__isnull=True) | Q(lease_until__lt=now))
        .update(lease_until=now + timedelta(seconds=seconds), attempts=F("attempts") + 1)
    )
    return bool(taken)
