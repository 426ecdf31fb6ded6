"""The corridor: the path of every audit from submission to record. Read this first, then transitions.py and events.py.

    submitted -> decomposed -> routed -> auditing -> decided -> settled -> recorded
                                            |
                                            while auditing, each segment runs rounds of its own:
                                            drawing -> committing -> revealing -> tallied

Theory of operation
1. The state is in the database: `Audit.stage` and `Round.stage`. core/stages.py says which stage may follow which.
2. A transition is a verb of one room (TRANSITIONS below). It reads and computes first; then one transaction moves the
   stage by a conditional UPDATE ("... WHERE stage = the old one") and stores its results. Whoever comes second changes
   no row. So a worker that dies, a message that arrives twice and two workers at once leave the same rows behind.
3. A worker claims the audit's lease before a transition. The lease only saves duplicate work and ends by itself;
   correctness rests on point 2 alone.
4. The tables are the work list. A task message (dispatch.enqueue) makes the next transition happen at once; when it is
   lost, the sweep `advance_due`, which Celery beat starts every few seconds, finds the work by an indexed query.
5. A transition that raises is tried again, MAX_ATTEMPTS times; then the audit fails with the reason. Not so once its
   outcome is decided: from there on it is tried until it succeeds. A damaged text pauses the audits that rest on it, a
   store that cannot be reached lets them wait.

Reads Audit, Round, Seat, Leaf; writes Audit.stage, Audit.lease_until, Notice, and whatever the rooms write.
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
from auditing.services.consensus import adjudication, outcomes, rounds
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

LEASE_SECONDS = 150  # as long as Celery lets a task live
MAX_ATTEMPTS = 4
BATCH = 200  # rows of one kind that one sweep takes up; the next sweep comes seconds later

Transition = Callable[..., bool]  # verb(audit=...): True when the audit has moved on


def record(*, audit: Audit) -> bool:
    """settled -> recorded: the leaf of the outcome has its index in the ledger; the audit is never edited again."""
    # The sequencer gives the index and sends a message; until then there is nothing to do.
    if not Leaf.objects.filter(audit=audit, kind="trace.outcome", index__isnull=False).exists():
        return False
    with transaction.atomic():
        if not move_audit(audit=audit, to=AuditStage.RECORDED, recorded_at=Now()):
            return False
        notices.tell_outcome(audit=audit)
    return True


# The verb that leads out of each stage; a stage without one is final.
TRANSITIONS: dict[AuditStage, Transition] = {
    AuditStage.SUBMITTED: decomposition.decompose,
    AuditStage.DECOMPOSED: routes.route_audit,
    AuditStage.ROUTED: examination.examine,
    AuditStage.AUDITING: outcomes.decide,
    AuditStage.DECIDED: settlement.settle,
    AuditStage.SETTLED: record,
}
# Stages that need nobody but a worker: an audit that rests in one of them without a lease was dropped.
WORKING = tuple(stage for stage in TRANSITIONS if stage is not AuditStage.AUDITING)
MAY_FAIL = (AuditStage.SUBMITTED, AuditStage.DECOMPOSED, AuditStage.ROUTED, AuditStage.AUDITING)


def advance(*, audit: Audit, now: datetime) -> AuditStage:
    """Carry out every transition of an audit that is possible now; returns the stage it has reached."""
    while True:
        transition = TRANSITIONS.get(AuditStage(audit.stage))
        if transition is None or not claim_audit(audit=audit, now=now, seconds=LEASE_SECONDS):
            break
        if not _try_transition(audit, transition):
            break
    return AuditStage(audit.stage)


def advance_due(*, now: datetime) -> int:
    """The sweep: move everything that is due, whether or not a message announced it; returns how much moved."""
    # 1. Seats whose holder was not heard of in time go to the next of the draw.
    moved = sum(_lapse(seat, now) for seat in _ended_leases(now))
    # 2. Models are asked whose message was lost, whose pause is over or whose worker died.
    seats.enqueue_due(now=now)
    # 3. Rounds: windows that closed, votes that are all open, seats to draw.
    moved += sum(advance_round(round=round, now=now) for round in _due_rounds(now))
    # 4. Audits: machine work that was dropped, and those whose last round is tallied.
    for audit in _waiting_audits(now):
        stage = audit.stage
        moved += advance(audit=audit, now=now) != stage
    return moved


def advance_round(*, round: Round, now: datetime) -> bool:
    """Carry out a round's next transition if it is possible now. A damaged text pauses its audit instead."""
    return damage.pausing_on_damage(lambda: _advance_round(round, now), otherwise=False)


def _advance_round(round: Round, now: datetime) -> bool:
    stage = RoundStage(round.stage)
    if stage is RoundStage.DRAWING:
        return adjudication.expire_without_adjudicator(round=round, now=now) or windows.seat(round=round, now=now)
    is_overdue = round.due_at is not None and round.due_at <= now
    if stage is RoundStage.COMMITTING:
        return is_overdue and commitment.close_window(round=round, now=now)
    # Revealing: votes that nobody opened by the deadline count as silent; then the round can be tallied.
    if is_overdue:
        reveal.close(round=round)
    if not reveal.is_complete(round=round):
        return False
    is_tallied = rounds.tally(round=round)
    if is_tallied:
        dispatch.enqueue("auditing.advance_audit", round.audit_id)
    return is_tallied


def _lapse(seat: Seat, now: datetime) -> bool:
    return damage.pausing_on_damage(lambda: assignment.lapse(seat=seat, now=now), otherwise=False)


def _try_transition(audit: Audit, transition: Transition) -> bool:
    """One transition under the lease. If this process dies in it, the lease ends by itself and the sweep retries."""
    try:
        has_moved = transition(audit=audit)
    except ContentDamagedError as error:
        damage.pause(error=error)
        return False
    except StoreAwayError as error:
        log.warning("audit %s waits: %s", audit.pk, error)
        has_moved = False
    except Exception as error:
        log.exception("the transition out of %s failed for audit %s", audit.stage, audit.pk)
        _fail_after_last_attempt(audit, error)
        return False
    if not has_moved:
        # Nothing is wrong, it only has to wait: give the lease back and do not count the attempt.
        Audit.objects.filter(pk=audit.pk).update(lease_until=None, attempts=0)
    return has_moved


def _fail_after_last_attempt(audit: Audit, error: Exception) -> None:
    audit.refresh_from_db()
    if audit.attempts < MAX_ATTEMPTS or AuditStage(audit.stage) not in MAY_FAIL:
        return
    reason = f"{type(error).__name__} while {audit.stage}."
    if move_audit(audit=audit, to=AuditStage.FAILED, failure=reason):
        notices.tell_failure(audit=audit)


def _ended_leases(now: datetime) -> list[Seat]:
    """Seats whose lease has ended; those of models are taken up by model_tier/seats.py."""
    held = assignment.ended_leases(now=now).exclude(round__tier=Tier.LLM)
    return list(held.order_by("lease_until")[:BATCH])


def _due_rounds(now: datetime) -> list[Round]:
    """Open rounds whose time has come: windows to close, votes that are all open, then seats to draw.

    Each kind is asked for by itself, by the index of its stage: rounds that wait for people never hold up windows that
    end. The windows of a paused campaign stand still.
    """
    open_rounds = Round.objects.filter(audit__stage=AuditStage.AUDITING, audit__paused_at__isnull=True).select_related(
        "audit__policy", "audit__trace", "audit__campaign", "segment"
    )
    is_paused = Q(audit__campaign__state=Campaign.State.PAUSED)
    still_sealed = Seat.objects.filter(round=OuterRef("pk"), stage=SeatStage.COMMITTED)
    committing = open_rounds.filter(stage=RoundStage.COMMITTING)
    revealing = open_rounds.filter(stage=RoundStage.REVEALING)
    drawing = open_rounds.filter(stage=RoundStage.DRAWING)
    queries = (
        committing.filter(due_at__lte=now).exclude(is_paused).order_by("due_at"),
        revealing.filter(due_at__lte=now).order_by("due_at"),
        revealing.filter(~Exists(still_sealed)).order_by("due_at"),
        drawing.filter(due_at__isnull=True).order_by("pk"),
        drawing.filter(due_at__lte=now).order_by("due_at"),
    )
    # A round that two queries name is taken once, at its first place.
    return list({round.pk: round for query in queries for round in query[:BATCH]}.values())


def _waiting_audits(now: datetime) -> list[Audit]:
    """Audits whose machine work was dropped, and those whose last round is tallied."""
    is_free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    audits = Audit.objects.filter(is_free, paused_at__isnull=True).select_related(
        "trace__payload", "policy", "campaign", "decomposition"
    )
    dropped = audits.filter(stage__in=WORKING).order_by("stage_since")
    tallied = audits.filter(stage=AuditStage.AUDITING, counted_at__isnull=False).order_by("counted_at")
    return [*dropped[:BATCH], *tallied[:BATCH]]
