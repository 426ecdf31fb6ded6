"""Read me first: the corridor that every audit walks, one door a call.

    submitted -> decomposed -> routed -> auditing -> decided -> settled -> recorded

Each door is a room's verb. It claims the audit by a lease, does its work and moves the stage by one conditional
UPDATE in the transaction of its effect, so that two walkers, a crash or a repeated message change nothing. The
tables are the work list: `walk_due` finds whatever a lost bell left lying.
"""

import logging
from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from auditing import dispatch
from auditing.core.stages import AuditStage, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Campaign, Leaf, Round, Seat
from auditing.services.campaigns import notices
from auditing.services.consensus import adjudication, outcomes
from auditing.services.intake import damage, decomposition
from auditing.services.model_tier import seats
from auditing.services.points import settlement
from auditing.services.routing import examination, routes
from auditing.services.seating import assignment, windows
from auditing.services.transitions import claim_audit, move_audit
from auditing.services.voting import commitment, reveal
from hdag.store.blocks import StoreAwayError
from hdag.store.content import ContentDamagedError

log = logging.getLogger(__name__)

LEASE_SECONDS = 150
MAX_ATTEMPTS = 4
BATCH = 200


def record(*, audit: Audit) -> bool:
    """The last door: the outcome's leaf has its index in the ledger; the audit is never edited again."""
    if not Leaf.objects.filter(audit=audit, kind="trace.outcome", index__isnull=False).exists():
        return False
    with transaction.atomic():
        if not move_audit(audit=audit, to=AuditStage.RECORDED, recorded_at=Now()):
            return False
        notices.tell_outcome(audit=audit)
    return True


TRANSITIONS: dict[AuditStage, Callable[..., bool]] = {
    AuditStage.SUBMITTED: decomposition.decompose,
    AuditStage.DECOMPOSED: routes.route_audit,
    AuditStage.ROUTED: examination.examine,
    AuditStage.AUDITING: outcomes.decide,
    AuditStage.DECIDED: settlement.settle,
    AuditStage.SETTLED: record,
}
WORKING = tuple(stage for stage in TRANSITIONS if stage is not AuditStage.AUDITING)


def advance(*, audit: Audit, now: datetime) -> AuditStage:
    """Take an audit through every door that opens now; returns the stage where it stands."""
    while (door := TRANSITIONS.get(AuditStage(audit.stage))) is not None:
        if not claim_audit(audit=audit, now=now, seconds=LEASE_SECONDS):
            break
        if not _pass(audit, door):
            break
    return AuditStage(audit.stage)


def advance_due(*, now: datetime) -> int:
    """Move everything that is due: leases that ended, windows that closed, rounds to seat, audits left lying."""
    moved = sum(
        damage.pausing_on_damage(lambda seat=seat: assignment.lapse(seat=seat, now=now), otherwise=False)  # type: ignore[misc]
        for seat in _ended_leases(now)
    )
    seats.ring_due(now=now)
    moved += sum(advance_round(round=round, now=now) for round in _due_rounds(now))
    for audit in _waiting_audits(now):
        stage = audit.stage
        moved += advance(audit=audit, now=now) != stage
    return moved


def advance_round(*, round: Round, now: datetime) -> bool:
    """One round's next door, if it opens now; a round that is tallied may decide its audit. Damaged text pauses it."""
    return damage.pausing_on_damage(lambda: _advance_round(round, now), otherwise=False)


def _advance_round(round: Round, now: datetime) -> bool:
    stage = RoundStage(round.stage)
    if stage is RoundStage.DRAWING:
        return adjudication.expire_without_adjudicator(round=round, now=now) or windows.seat(round=round, now=now)
    overdue = round.due_at is not None and round.due_at <= now
    if stage is RoundStage.COMMITTING:
        return overdue and commitment.close_window(round=round, now=now)
    if overdue:
        reveal.close(round=round)
    if not reveal.is_complete(round=round):
        return False
    tallied = outcomes.tally(round=round)
    if tallied:
        dispatch.enqueue("auditing.advance_audit", round.audit_id)
    return tallied


def _pass(audit: Audit, door: Callable[..., bool]) -> bool:
    """One door; a crash leaves the lease to end by itself and fails the audit after the last attempt."""
    try:
        opened = door(audit=audit)
    except ContentDamagedError as error:
        damage.pause(error=error)
        return False
    except StoreAwayError as error:
        log.warning("audit %s waits: %s", audit.pk, error)
        opened = False
    except Exception as error:
        log.exception("the door of %s failed for audit %s", audit.stage, audit.pk)
        audit.refresh_from_db()
        if audit.attempts >= MAX_ATTEMPTS and AuditStage(audit.stage) in (
            AuditStage.SUBMITTED,
            AuditStage.DECOMPOSED,
            AuditStage.ROUTED,
            AuditStage.AUDITING,
        ):
            why = f"{type(error).__name__} while {audit.stage}."
            if move_audit(audit=audit, to=AuditStage.FAILED, failure=why):
                notices.tell_failure(audit=audit)
        return False
    if not opened:
        Audit.objects.filter(pk=audit.pk).update(lease_until=None, attempts=0)
    return opened


def _ended_leases(now: datetime) -> list[Seat]:
    found = assignment.ended_leases(now=now).exclude(round__tier=Tier.LLM)
    return list(found.order_by("lease_until")[:BATCH])


def _due_rounds(now: datetime) -> list[Round]:
    """Open rounds whose time has come: windows to close, openings that are complete, then rounds to seat.

    Each kind is asked for by itself, by the index of its stage: rounds that wait for people never hold up windows that
    end. The windows of a paused campaign stand still.
    """
    found = Round.objects.filter(audit__stage=AuditStage.AUDITING, audit__paused_at__isnull=True).select_related(
        "audit__policy", "audit__trace", "audit__campaign", "segment"
    )
    is_paused = Q(audit__campaign__state=Campaign.State.PAUSED)
    sealed = Seat.objects.filter(round=OuterRef("pk"), stage=SeatStage.COMMITTED)
    closing = found.filter(stage=RoundStage.COMMITTING, due_at__lte=now).exclude(is_paused).order_by("due_at")
    revealing = found.filter(stage=RoundStage.REVEALING)
    seated = found.filter(stage=RoundStage.DRAWING)
    kinds = (
        closing,
        revealing.filter(due_at__lte=now).order_by("due_at"),
        revealing.filter(~Exists(sealed)).order_by("due_at"),
        seated.filter(due_at__isnull=True).order_by("pk"),
        seated.filter(due_at__lte=now).order_by("due_at"),
    )
    return list({round.pk: round for kind in kinds for round in kind[:BATCH]}.values())


def _waiting_audits(now: datetime) -> list[Audit]:
    """Audits whose machine work was dropped, and those whose last round is counted."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    found = Audit.objects.filter(free, paused_at__isnull=True).select_related(
        "trace__payload", "policy", "campaign", "decomposition"
    )
    at_work = found.filter(stage__in=WORKING).order_by("stage_since")
    counted = found.filter(stage=AuditStage.AUDITING, counted_at__isnull=False).order_by("counted_at")
    return [*at_work[:BATCH], *counted[:BATCH]]
