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
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Now

from accounts.prepared import Changes, PreparedRows, PreparedUpdate
from auditing.core.stages import AuditStage, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Campaign, Leaf, Round, Seat
from auditing.selectors.seating.crowds import Crowd
from auditing.selectors.seating.draws import audits_to_draw, drawing, late_rounds_of_people
from auditing.services.campaigns import notices
from auditing.services.consensus import adjudication, tallying, waves
from auditing.services.intake import damage, decomposition
from auditing.services.model_tier import seats
from auditing.services.points import settlement
from auditing.services.routing import examination, routes
from auditing.services.seating import assignment, windows
from auditing.services.seating.auditors import seat_newcomers
from auditing.services.transitions import claim_audit, move_audit
from auditing.services.voting import closing
from hdag.store.blocks import StoreAwayError
from hdag.store.content import ContentDamagedError

log = logging.getLogger(__name__)

LEASE_SECONDS = 150  # as long as Celery lets a task live
MAX_ATTEMPTS = 4
BATCH = 50  # rows of one sort that one sweep takes up; when it moved so many, the next one comes at once
MOST_DRAWN = 10  # audits that one sweep draws for, and
MOST_ROUNDS_DRAWN = 300  # about how many rounds of theirs: a second or two, in which nothing else is swept
ROUNDS = ("unopened", "opened")  # sorts of due work: rounds that end (windows are closed together), and
AUDITS = ("dropped", "tallied")  # audits whose machine work was dropped, or whose last round is tallied
_ROUND = ("audit__policy", "audit__trace", "audit__campaign", "segment")
_AUDIT = ("trace__payload", "policy", "campaign", "decomposition")

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
    AuditStage.AUDITING: waves.plan_or_decide,
    AuditStage.DECIDED: settlement.settle,
    AuditStage.SETTLED: record,
}
# Stages that need nobody but a worker: an audit that rests in one of them without a lease was dropped.
WORKING = tuple(stage for stage in TRANSITIONS if stage is not AuditStage.AUDITING)
MAY_FAIL = (AuditStage.SUBMITTED, AuditStage.DECOMPOSED, AuditStage.ROUTED, AuditStage.AUDITING)


def advance(*, audit: Audit, now: datetime | None = None) -> AuditStage:
    """Carry out every transition of an audit that is possible now; returns the stage it has reached."""
    audit.lease_until = None  # whatever stood there when it was read: what we hold is what we take here
    while True:
        transition = TRANSITIONS.get(AuditStage(audit.stage))
        if transition is None:
            break
        if audit.lease_until is None and not claim_audit(audit=audit, now=now, seconds=LEASE_SECONDS):
            break
        if not _try_transition(audit, transition):
            break
    return AuditStage(audit.stage)


def advance_due(*, now: datetime) -> int:
    """One sweep: move what is due, whether or not a message announced it; returns how much moved.

    A sweep takes a share of each sort of work, so that none waits behind many of another. Any number of sweeps run at
    once: each thing is claimed by itself (a locked row that others skip, or a lease). One that finds nothing due is a
    single statement.
    """
    due = sorts_due(now=now)
    work = due_work(now=now) if due else {}
    # Models whose message was lost, whose pause is over or whose worker died; the message claims the seat.
    if "models" in due:
        seats.enqueue_due(now=now)
    claims: list[Callable[[], int]] = []
    if "leases" in due:
        claims += [partial(_lapse, seat, now) for seat in work["leases"][:BATCH]]
    if "windows" in due:
        claims.append(partial(close_due, now=now))
    # A round that two sorts name is taken once, at its first place.
    rounds = {round.pk: round for sort in ROUNDS if sort in due for round in work[sort][:BATCH]}
    claims += [partial(_claim_round, round, now) for round in rounds.values()]
    claims += [partial(_advance_waiting, audit, now) for sort in AUDITS if sort in due for audit in work[sort][:BATCH]]
    if "draws" in due:
        seat_newcomers()
        crowd = Crowd()  # with the newcomers, once for all of them
        audits = audits_to_draw(now=now, most=MOST_DRAWN, most_rounds=MOST_ROUNDS_DRAWN, at_once=windows.MOST)
        claims += [partial(_draw, audit, now, crowd) for audit in audits]
    return carry_out(claims=claims)


def carry_out(*, claims: Iterable[Callable[[], int]]) -> int:
    """Every claim, also after one that fails; the first failure is raised in the end."""
    moved, failure = 0, None
    for claim in claims:
        try:
            moved += damage.pausing_on_damage(claim, otherwise=0)
        except Exception as error:  # the other work must not wait until somebody has mended this
            log.exception("a claim of the sweep failed")
            failure = failure or error
    if failure is not None:
        raise failure
    return moved


def close_due(*, now: datetime) -> int:
    """Close windows that are due, all together."""
    due = list(due_work(now=now)["windows"].only("pk")[:BATCH])
    ended = _unlocked().filter(pk__in=[round.pk for round in due], stage=RoundStage.COMMITTING).order_by("pk")
    return _together(lambda: closing.close_windows(rounds=list(ended), now=now), due, now)


def advance_round(*, round: Round, now: datetime) -> bool:
    """Carry out a round's next transition if it is possible now. A damaged text pauses its audit instead."""
    return damage.pausing_on_damage(lambda: _advance_round(round, now), otherwise=False)


def advance_rounds(*, rounds: Iterable[Round], now: datetime) -> int:
    """The same for several, also after one that fails; returns how many moved. Raises the first failure in the end."""
    revealed, claims = list[Round](), list[Callable[[], int]]()
    for round in rounds:
        if round.stage == RoundStage.REVEALING:
            revealed.append(round)
        else:
            claims.append(partial(_advance_round, round, now))
    tally = partial(_together, partial(tallying.tally, rounds=revealed, now=now), revealed, now)
    return carry_out(claims=[*claims, tally] if revealed else claims)


def _together(advance: Callable[[], int], rounds: Sequence[Round], now: datetime) -> int:
    """Several rounds at once; where one of them cannot be advanced, it holds up none of the others."""
    try:
        with transaction.atomic():
            return advance()
    except Exception:
        if len(rounds) == 1:
            raise
        log.exception("%d rounds could not be advanced together: one by one", len(rounds))
        return carry_out(claims=[partial(_claim_round, round, now) for round in rounds])


def _advance_round(round: Round, now: datetime) -> bool:
    stage = RoundStage(round.stage)
    if stage is RoundStage.DRAWING:
        return adjudication.expire_without_adjudicator(round=round, now=now) or windows.seat(round=round, now=now)
    if stage is RoundStage.COMMITTING:
        return round.due_at is not None and round.due_at <= now and closing.close_window(round=round, now=now)
    return tallying.tally(rounds=[round], now=now) > 0


def _lapse(seat: Seat, now: datetime) -> int:
    with transaction.atomic():
        return int(_take(seat.round_id) is not None and assignment.lapse(seat=seat, now=now))


def _claim_round(round: Round, now: datetime) -> int:
    with transaction.atomic():
        current = _take(round.pk)
        return int(current is not None and current.stage != RoundStage.DRAWING and _advance_round(current, now))


def _take(key: UUID) -> Round | None:
    """A round, locked until the end of the transaction; None when another sweep is at it."""
    return _unlocked().filter(pk=key).first()


def _unlocked() -> QuerySet[Round]:
    rounds = Round.objects.select_for_update(of=("self",), skip_locked=True).select_related(*_ROUND)
    return rounds.defer("drawn", "audit__policy__body")  # long, and seldom asked for


def _advance_waiting(audit: Audit, now: datetime) -> int:
    stage = audit.stage
    return int(advance(audit=audit, now=now) != stage)


def _draw(audit_id: UUID, now: datetime, crowd: Crowd) -> int:
    """The draws of one audit, after its rounds that have waited too long for an adjudicator, or for anybody new."""
    late = late_rounds_of_people(audit=audit_id, now=now)
    expired = sum(adjudication.expire_without_adjudicator(round=round, now=now) for round in late)
    return expired + windows.seat_audit(audit_id=audit_id, now=now, crowd=crowd)


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
    if not has_moved and audit.lease_until is not None:
        # Nothing is wrong, it only has to wait: give the lease back and do not count the attempt.
        _give_back.run(audit=audit.pk)
    return has_moved


@PreparedUpdate
def _give_back(audit: UUID) -> Changes:
    return Audit.objects.filter(pk=audit), {"lease_until": None, "attempts": 0}


def _fail_after_last_attempt(audit: Audit, error: Exception) -> None:
    audit.refresh_from_db()
    if audit.attempts < MAX_ATTEMPTS or AuditStage(audit.stage) not in MAY_FAIL:
        return
    reason = f"{type(error).__name__} while {audit.stage}."
    if move_audit(audit=audit, to=AuditStage.FAILED, failure=reason):
        notices.tell_failure(audit=audit)


def due_work(*, now: datetime) -> dict[str, QuerySet[Any]]:
    """What is due, by its sort, the longest due first. Nothing is read yet.

    Rounds are asked for sort by sort, by the index of their stage: those that wait for people never hold up windows
    that end. The windows of a paused campaign stand still.
    """
    open_rounds = Round.objects.filter(audit__stage=AuditStage.AUDITING, audit__paused_at__isnull=True)
    still_sealed = Seat.objects.filter(round=OuterRef("pk"), stage=SeatStage.COMMITTED)
    committing = open_rounds.filter(stage=RoundStage.COMMITTING, due_at__lte=now)
    revealing = open_rounds.filter(stage=RoundStage.REVEALING)
    is_free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    audits = Audit.objects.filter(is_free, paused_at__isnull=True).select_related(*_AUDIT)
    return {
        "models": seats.due(now=now),
        # Seats whose holder was not heard of in time go to the next of the draw; those of models are the sort above.
        "leases": assignment.ended_leases(now=now).exclude(round__tier=Tier.LLM).order_by("lease_until"),
        "windows": committing.exclude(audit__campaign__state=Campaign.State.PAUSED).order_by("due_at"),
        "unopened": revealing.filter(due_at__lte=now).order_by("due_at"),
        "opened": revealing.filter(~Exists(still_sealed)).order_by("due_at"),
        "dropped": audits.filter(stage__in=WORKING).order_by("stage_since"),
        "tallied": audits.filter(stage=AuditStage.AUDITING, counted_at__isnull=False).order_by("counted_at"),
        "draws": drawing(now=now),
    }


def sorts_due(*, now: datetime) -> set[str]:
    """The sorts of which at least one thing is due, in one statement: most sweeps find nothing."""
    return {sort for (sort,) in _one_of_each_sort.rows(now=now)}


@PreparedRows
def _one_of_each_sort(now: datetime) -> QuerySet[Any, Any]:
    work = due_work(now=now)
    rows_of: list[QuerySet[Any, Any]] = [
        rows.annotate(sort=Value(sort)).values_list("sort")[:1] for sort, rows in work.items()
    ]
    return rows_of[0].union(*rows_of[1:], all=True)
