"""Models vote: one attempt on one seat, at most one sealed vote, whatever is delivered twice or dies on the way.

Reads Seat, Endpoint; writes SeatAttempt, Seat, Commitment (through commitment.accept). The seat's row is the queue of
record: a worker claims it by a lease, an attempt stands before the first call, and the first valid answer is sealed.
Where no answer comes, the seat is asked again, goes to the next of the draw, or stays empty: never a default vote.
"""

import os
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from auditing import dispatch
from auditing.core.events import EventKind
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.crash_points import crash_at
from auditing.models import Round, Seat, SeatAttempt
from auditing.selectors.clock import database_now
from auditing.selectors.seating.rounds import reveal_point
from auditing.selectors.voting.desk import desk_of
from auditing.services.events import record_event
from auditing.services.model_tier.attempts import end_attempt, failed, rationale_of
from auditing.services.model_tier.documents import DocumentSearch
from auditing.services.model_tier.judges.answer import JudgeAnswer, NoVote
from auditing.services.model_tier.judges.audit_model import AuditAnswer, audit_with_tools
from auditing.services.model_tier.judges.entailment import ask_entailment
from auditing.services.model_tier.judges.injection import find_signs
from auditing.services.model_tier.judges.judge import ask_judge
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from auditing.services.model_tier.judges.tools import Toolbox
from auditing.services.seating import assignment
from auditing.services.seating.disclosure import open_panes
from auditing.services.voting import commitment
from auditing.services.voting.sealing import seal_vote
from hdag.chat.address import Origin, read_allowlist
from hdag.chat.endpoint import MaySee
from hdag.chat.errors import PASSING, Failure
from hdag.chat.usage import NOTHING_SPENT
from hdag.models import Endpoint
from hdag.services.answer_cache import configured_cache
from hdag.services.call_book import client_for

SECONDS = 600  # a task's whole time: several turns of a slow model
TURNS = 6
MOST_ATTEMPTS = 3
PAUSE = timedelta(seconds=15)
BELL_SECONDS = 6
BATCH = 100
AGAIN = PASSING | {Failure.BUSY, Failure.CIRCUIT_OPEN}
_ABOUT = (
    "auditor__endpoint",
    "round__audit__policy",
    "round__audit__campaign",
    "round__audit__trace__payload",
    "round__audit__trace__provider",
    "round__audit__decomposition",
    "round__segment__block",
)

Answer = JudgeAnswer | AuditAnswer


def ask_model(*, seat_id: UUID) -> str:
    """One attempt on a seat; says what became of it. A seat that is done, held or closed is left as it is."""
    point = reveal_point()
    attempt = None if point is None else _claim(seat_id, database_now())
    if point is None or attempt is None:
        return "nothing to do"
    crash_at("before_answer")
    found = _ask(attempt.seat)
    crash_at("after_answer")
    if isinstance(found, NoVote):
        return _without_vote(attempt, found)
    try:
        _seal(attempt, found, point)
    except commitment.CommitmentRefusedError as error:
        end_attempt(attempt=attempt, found=failed(found, "too_late", str(error)))
        return "too late"
    crash_at("after_commit")
    return "sealed"


def ring_due(*, now: datetime) -> int:
    """Ring for seats of models whose bell was lost, whose pause is over or whose worker died; returns how many."""
    waits = Q(stage=SeatStage.OFFERED, lease_until__isnull=True, offered_at__lte=now - timedelta(seconds=5))
    ended = Q(stage__in=(SeatStage.OFFERED, SeatStage.HELD), lease_until__lte=now)
    found = Seat.objects.filter(waits | ended, round__tier=Tier.LLM, round__stage=RoundStage.COMMITTING)
    found = found.filter(round__audit__campaign__paused_at__isnull=True)
    keys = list(found.filter(round__due_at__gt=now).order_by("offered_at").values_list("pk", flat=True)[:BATCH])
    for key in keys:
        dispatch.enqueue("auditing.ask_model", key, queue="llm", expires=BELL_SECONDS)
    return len(keys)


def shown_to(*, seat: Seat) -> ShownContext:
    """What a human auditor on this seat would see. Without the provider's consent the disclosure budget holds."""
    endpoint = seat.auditor.endpoint
    assert endpoint is not None
    whole = endpoint.may_see == Endpoint.MaySee.TRACES and seat.round.audit.trace.whole_to_models
    if not whole:
        open_panes(seat=seat)
    desk = desk_of(seat=seat)
    return ShownContext(
        context=desk.problem,
        reasoning=desk.text,
        dependencies=tuple(Dependency(one.label, one.text, one.words) for one in desk.dependencies if one.text),
        implications=tuple(one.text for one in desk.implications if one.text),
        focus=desk.focus,
        scope=MaySee.TRACES if whole else MaySee.SEGMENTS,
        guidelines=desk.guidelines.text if desk.guidelines else "",
    )


def allowed_origins() -> frozenset[Origin]:
    """Private and plain-http origins that the environment lists."""
    return read_allowlist(os.environ.get("TRUST_CHAT_ALLOWED_ORIGINS", ""))


def _claim(seat_id: UUID, now: datetime) -> SeatAttempt | None:
    """Take the seat's lease and write the attempt, in one transaction; None when there is nothing to take."""
    free = Q(stage=SeatStage.OFFERED, lease_until__isnull=True) | Q(
        stage__in=(SeatStage.OFFERED, SeatStage.HELD), lease_until__lte=now
    )
    with transaction.atomic():
        seats = Seat.objects.select_for_update(of=("self",), skip_locked=True).select_related(*_ABOUT)
        seat = seats.filter(
            free, pk=seat_id, round__tier=Tier.LLM, round__stage=RoundStage.COMMITTING, round__due_at__gt=now
        ).first()
        if seat is None:
            return None
        assert seat.auditor.endpoint is not None
        SeatAttempt.objects.filter(seat=seat, state=SeatAttempt.State.ASKED).update(
            state=SeatAttempt.State.NO_VOTE, failure="interrupted", ended=Now()
        )
        if seat.attempts >= MOST_ATTEMPTS or not seat.auditor.endpoint.enabled:
            _pass_on(seat, "no vote in time" if seat.attempts else "endpoint disabled", now)
            return None
        lease = now + timedelta(seconds=_patience(seat.auditor.endpoint))
        Seat.objects.filter(pk=seat.pk).update(
            stage=SeatStage.HELD, taken_at=now, lease_until=lease, attempts=F("attempts") + 1
        )
        seat.stage, seat.lease_until, seat.attempts = SeatStage.HELD, lease, seat.attempts + 1
        return SeatAttempt.objects.create(seat=seat, number=seat.attempts)


def _patience(endpoint: Endpoint) -> float:
    """How long an attempt may take before its worker counts as dead."""
    turns = TURNS if endpoint.asks == Endpoint.Asks.TOOLS else 1
    return min(SECONDS, turns * endpoint.timeout_seconds * 1.7) + 30


def _ask(seat: Seat) -> Answer | NoVote:
    endpoint, account = seat.auditor.endpoint, f"audit:{seat.round.audit_id}"
    assert endpoint is not None
    shown, sample = shown_to(seat=seat), seat.auditor.sample
    if shown.scope is MaySee.SEGMENTS and not shown.reasoning.strip():
        return NoVote("there is nothing to judge", "empty", NOTHING_SPENT, find_signs(shown.text))
    with client_for(row=endpoint, allowed=allowed_origins(), cache=configured_cache()) as client:
        if endpoint.asks == Endpoint.Asks.TOOLS:
            toolbox = Toolbox(search=DocumentSearch() if endpoint.searches else None)
            return audit_with_tools(client=client, shown=shown, account=account, toolbox=toolbox, turns=TURNS)
        if endpoint.asks == Endpoint.Asks.ENTAILS:
            return ask_entailment(client=client, shown=shown, account=account, sample=sample)
        return ask_judge(client=client, shown=shown, account=account, sample=sample, temperature=0.7 if sample else 0.0)


def _seal(attempt: SeatAttempt, found: Answer, point: bytes) -> None:
    """Seal the vote and end the attempt together.

    Raises CommitmentRefusedError when another was first or time is up.
    """
    seat = attempt.seat
    text = desk_of(seat=seat).text
    sealed = seal_vote(
        seat=seat,
        choice=found.vote,
        confidence_bp=max(5_000, min(10_000, round(found.confidence * 10_000))),
        rationale=rationale_of(found=found, reasoning=text),
        point=point,
        text=text,
    )
    with transaction.atomic():
        end_attempt(attempt=attempt, found=found)
        now = database_now()
        commitment.accept(seat_id=seat.pk, auditor=seat.auditor, vote=sealed, now=now)
        _close_where_nobody_is_left(seat.round_id, now)


def _without_vote(attempt: SeatAttempt, found: NoVote) -> str:
    """Again after a pause where waiting can help and nobody else is drawn; else to the next of the draw."""
    seat, now = attempt.seat, database_now()
    with transaction.atomic():
        end_attempt(attempt=attempt, found=found)
        round = Round.objects.get(pk=seat.round_id)
        nobody_next = round.next_drawn >= len(round.drawn)
        if found.failure in AGAIN and nobody_next and seat.attempts < MOST_ATTEMPTS:
            pause = Endpoint.objects.values_list("paused_until", flat=True).get(auditors=seat.auditor_id)
            again = max(now + PAUSE * 2 ** (seat.attempts - 1), pause or now)
            Seat.objects.filter(pk=seat.pk, stage=SeatStage.HELD).update(
                stage=SeatStage.OFFERED, lease_until=again, taken_at=None
            )
            record_event(audit=round.audit, kind=EventKind.SEAT_POSTPONED, seat=str(seat.pk), because=found.failure)
            return "again later"
        _pass_on(seat, found.failure, now)
    return "passed on"


def _pass_on(seat: Seat, because: str, now: datetime) -> None:
    """To the next of the draw."""
    assignment.decline(seat=seat, because=because)
    _close_where_nobody_is_left(seat.round_id, now)


def _close_where_nobody_is_left(round_id: UUID, now: datetime) -> None:
    """A window in which no seat can vote any more closes at once; who comes here holds the lock of its round."""
    open_seats = Seat.objects.filter(round=round_id, stage__in=(SeatStage.OFFERED, SeatStage.HELD))
    if not open_seats.exists():
        round = Round.objects.select_related("audit__policy", "audit__trace").get(pk=round_id)
        if round.stage == RoundStage.COMMITTING:
            commitment.close_window(round=round, now=now)
