"""Models vote: one attempt on one seat, at most one sealed vote, whatever is delivered twice or dies on the way.

1. A worker claims the seat by a lease and writes the attempt, in one transaction, before the first call.
2. The model is asked outside of any transaction (asking.py); this may take minutes.
3. The first valid answer is sealed, like a person's vote, and the attempt ends with it in one transaction.
4. Where no answer comes, core/model_tier/attempts.py decides: the seat is asked again later, or goes to the next of the
   draw. Nobody ever votes by default.

Reads Seat, Endpoint, Round; writes SeatAttempt, Seat, AuditEvent, and through the voting room Commitment, Round, Leaf.
"""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from auditing import dispatch
from auditing.core.events import EventKind
from auditing.core.model_tier.attempts import MAX_ATTEMPTS, FailedAttempt, find_retry_time
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.crash_points import crash_at
from auditing.models import Round, Seat, SeatAttempt
from auditing.selectors.clock import database_now
from auditing.selectors.seating.rounds import reveal_point
from auditing.selectors.voting.desk import desk_of
from auditing.services.events import record_event
from auditing.services.model_tier.asking import Answer, ask, endpoint_of, longest_attempt
from auditing.services.model_tier.attempts import end_attempt, failed, rationale_of
from auditing.services.model_tier.judges.answer import NoVote
from auditing.services.seating import assignment
from auditing.services.voting import closing, commitment
from auditing.services.voting.sealing import seal_vote
from hdag.chat.book import THREAD_PREFIX
from hdag.chat.errors import TRANSIENT, Failure
from hdag.models import Endpoint

MESSAGE_SECONDS = 6  # a message that no worker takes by then is dropped: the sweep sends the next one
OFFER_GRACE = timedelta(seconds=5)  # a seat that was just offered has a message on its way
BATCH = 100
BATCH_PAUSE = timedelta(minutes=5)  # before a seat looks again whether its batch was answered
WAITING_HELPS = TRANSIENT | {Failure.BUSY, Failure.CIRCUIT_OPEN}
_NEEDED = (
    "auditor__endpoint",
    "round__audit__policy",
    "round__audit__campaign",
    "round__audit__trace__payload",
    "round__audit__trace__provider",
    "round__audit__decomposition",
    "round__segment__block",
)


def ask_model(*, seat_id: UUID) -> str:
    """One attempt on a seat; says what became of it. A seat that is done, held or closed is left as it is."""
    point = reveal_point()
    attempt = None if point is None else _claim(seat_id, database_now())
    if point is None or attempt is None:
        return "nothing to do"
    crash_at("before_answer")
    answer = ask(seat=attempt.seat)
    crash_at("after_answer")
    if isinstance(answer, NoVote):
        return _end_without_vote(attempt, answer)
    try:
        _seal(attempt, answer, point)
    except commitment.CommitmentRefusedError as error:
        end_attempt(attempt=attempt, answer=failed(answer, "too_late", str(error)))
        return "too late"
    crash_at("after_commit")
    return "sealed"


def ask_models(*, seat_id: UUID) -> str:
    """`ask_model`, and beside it the free seats of the same model, as many calls in flight as its endpoint allows.

    A worker that waits for one server needs no second process: threads wait. Messages of the others find nothing to do.
    """
    row = Endpoint.objects.filter(auditors__seats=seat_id).first()
    is_free = Q(stage=SeatStage.OFFERED, lease_until__isnull=True, round__stage=RoundStage.COMMITTING)
    others = Seat.objects.filter(is_free, auditor__endpoint=row).exclude(pk=seat_id).order_by("offered_at")
    keys = list(others.values_list("pk", flat=True)[: row.max_concurrency - 1]) if row else []
    if not keys:
        return ask_model(seat_id=seat_id)
    with ThreadPoolExecutor(len(keys), thread_name_prefix=THREAD_PREFIX) as pool:
        waiting = [pool.submit(_ask_apart, key) for key in keys]
        result = ask_model(seat_id=seat_id)
    # What went wrong beside is raised here, as it would be in a task of its own.
    return ", ".join([result, *(future.result() for future in waiting)])


def _ask_apart(seat_id: UUID) -> str:
    try:
        return ask_model(seat_id=seat_id)
    finally:
        connection.close()  # of this thread alone


def due(*, now: datetime) -> QuerySet[Seat]:
    """Seats of models whose message was lost, whose pause is over or whose worker died, the first offered first."""
    is_unheard = Q(stage=SeatStage.OFFERED, lease_until__isnull=True, offered_at__lte=now - OFFER_GRACE)
    has_ended = Q(stage__in=(SeatStage.OFFERED, SeatStage.HELD), lease_until__lte=now)
    seats = Seat.objects.filter(
        is_unheard | has_ended,
        round__tier=Tier.LLM,
        round__stage=RoundStage.COMMITTING,
        round__due_at__gt=now,
        round__audit__campaign__paused_at__isnull=True,
    )
    return seats.order_by("offered_at")


def enqueue_due(*, now: datetime) -> int:
    """Send messages for the first of them; returns how many."""
    keys = list(due(now=now).values_list("pk", flat=True)[:BATCH])
    for key in keys:
        dispatch.enqueue("auditing.ask_model", key, queue="llm", expires=MESSAGE_SECONDS)
    return len(keys)


def _claim(seat_id: UUID, now: datetime) -> SeatAttempt | None:
    """Take the seat's lease and write the attempt, in one transaction; None when there is nothing to take."""
    is_free = Q(stage=SeatStage.OFFERED, lease_until__isnull=True) | Q(
        stage__in=(SeatStage.OFFERED, SeatStage.HELD), lease_until__lte=now
    )
    with transaction.atomic():
        # skip_locked: whoever holds the row is another worker with the same message.
        seats = Seat.objects.select_for_update(of=("self",), skip_locked=True).select_related(*_NEEDED)
        seat = seats.filter(
            is_free, pk=seat_id, round__tier=Tier.LLM, round__stage=RoundStage.COMMITTING, round__due_at__gt=now
        ).first()
        if seat is None:
            return None
        # An attempt that is still open belongs to a worker that died.
        SeatAttempt.objects.filter(seat=seat, state=SeatAttempt.State.ASKED).update(
            state=SeatAttempt.State.NO_VOTE, failure="interrupted", ended=Now()
        )
        endpoint = endpoint_of(seat=seat)
        if seat.attempts >= MAX_ATTEMPTS or not endpoint.enabled:
            _pass_on(seat, "no vote in time" if seat.attempts else "endpoint disabled", now)
            return None
        return _begin_attempt(seat, now, now + timedelta(seconds=longest_attempt(endpoint=endpoint)))


def _begin_attempt(seat: Seat, now: datetime, lease_until: datetime) -> SeatAttempt:
    Seat.objects.filter(pk=seat.pk).update(
        stage=SeatStage.HELD, taken_at=now, lease_until=lease_until, attempts=F("attempts") + 1
    )
    seat.stage, seat.lease_until, seat.attempts = SeatStage.HELD, lease_until, seat.attempts + 1
    return SeatAttempt.objects.create(seat=seat, number=seat.attempts)


def _seal(attempt: SeatAttempt, answer: Answer, point: bytes) -> None:
    """Seal the vote and end the attempt together. point: the revealer's public key.

    Raises CommitmentRefusedError when another was first or time is up.
    """
    seat = attempt.seat
    text = desk_of(seat=seat, is_drawn=False).text
    sealed = seal_vote(
        seat=seat,
        choice=answer.vote,
        confidence_bp=max(5_000, min(10_000, round(answer.confidence * 10_000))),
        rationale=rationale_of(answer=answer, reasoning=text),
        point=point,
        text=text,
    )
    with transaction.atomic():
        end_attempt(attempt=attempt, answer=answer)
        now = database_now()
        commitment.accept(seat_id=seat.pk, auditor=seat.auditor, vote=sealed, now=now)
        _close_if_nobody_is_left(seat.round_id, now)


def _end_without_vote(attempt: SeatAttempt, no_vote: NoVote) -> str:
    if no_vote.failure == Failure.BATCHED:
        return _wait_for_batch(attempt)
    seat, now = attempt.seat, database_now()
    with transaction.atomic():
        end_attempt(attempt=attempt, answer=no_vote)
        retry_at = find_retry_time(attempt=_failed_attempt(seat, no_vote), now=now)
        if retry_at is None:
            _pass_on(seat, no_vote.failure, now)
            return "passed on"
        Seat.objects.filter(pk=seat.pk, stage=SeatStage.HELD).update(
            stage=SeatStage.OFFERED, lease_until=retry_at, taken_at=None
        )
        record_event(audit=seat.round.audit, kind=EventKind.SEAT_POSTPONED, seat=str(seat.pk), because=no_vote.failure)
        return "again later"


def _wait_for_batch(attempt: SeatAttempt) -> str:
    """The question lies in a batch: the seat keeps its place, and nothing was tried yet."""
    with transaction.atomic():
        attempt.delete()
        Seat.objects.filter(pk=attempt.seat_id, stage=SeatStage.HELD).update(
            stage=SeatStage.OFFERED, lease_until=database_now() + BATCH_PAUSE, taken_at=None, attempts=F("attempts") - 1
        )
    return "waits for its batch"


def _failed_attempt(seat: Seat, no_vote: NoVote) -> FailedAttempt:
    round = Round.objects.get(pk=seat.round_id)  # read again: others of the draw were asked meanwhile
    return FailedAttempt(
        number=seat.attempts,
        is_passing=no_vote.failure in WAITING_HELPS,
        has_successor=round.next_drawn < len(round.drawn),
        paused_until=Endpoint.objects.values_list("paused_until", flat=True).get(auditors=seat.auditor_id),
    )


def _pass_on(seat: Seat, because: str, now: datetime) -> None:
    """To the next of the draw."""
    assignment.decline(seat=seat, because=because)
    _close_if_nobody_is_left(seat.round_id, now)


def _close_if_nobody_is_left(round_id: UUID, now: datetime) -> None:
    """A window in which no seat can vote any more closes at once; the caller holds the lock of its round."""
    open_seats = Seat.objects.filter(round=round_id, stage__in=(SeatStage.OFFERED, SeatStage.HELD))
    if open_seats.exists():
        return
    round = Round.objects.select_related("audit__policy", "audit__trace").get(pk=round_id)
    if round.stage == RoundStage.COMMITTING:
        closing.close_window(round=round, now=now)
