"""committing: sealed votes arrive, and the window closes.

A commitment binds a vote before anybody can see another one; its leaf is in the ledger before any vote is opened. So
nobody, not even the operator, can change a vote after seeing the others.

Reads Seat, Round, Adjudication, the policy; writes Commitment, Seat, Round, Draft, Leaf, Notice, AuditEvent.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models.functions import Coalesce, Now

from auditing.core.consensus.weight_sources import sources_digest
from auditing.core.events import EventKind
from auditing.core.policy import Openings
from auditing.core.stages import AuditStage, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.core.voting.seal import MalformedSealError
from auditing.core.voting.unopened import check_head
from auditing.models import Adjudication, Auditor, Commitment, Draft, Guidelines, Round, Seat, WeightSource
from auditing.selectors.consensus.skills import skills_for
from auditing.selectors.consensus.weights import sources_for
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.sitting import find_objection
from auditing.selectors.voting.bindings import weight_salt
from auditing.services.events import record_event
from auditing.services.ledger import leaves, receipts
from auditing.services.transitions import move_round
from auditing.services.voting import own_openings


class CommitmentRefusedError(Exception):
    """This sealed vote cannot be accepted."""


class NoSuchSeatError(CommitmentRefusedError):
    """There is no such seat."""


class AlreadySealedError(CommitmentRefusedError):
    """This seat has sealed another vote already; the first one stands."""


class WindowClosedError(CommitmentRefusedError):
    """The window for sealed votes of this round is closed."""


class TraceOverError(WindowClosedError):
    """This trace was withdrawn or stopped: its votes are void, and nobody is paid or penalised for them."""


class SeatTakenError(CommitmentRefusedError):
    """You may not vote on this segment any more."""


class CommitmentCopiedError(CommitmentRefusedError):
    """This commitment is in the ledger already, for another seat."""


class OpeningElsewhereError(CommitmentRefusedError):
    """The policy of this audit says who keeps the opening of a sealed vote: this one was sealed the other way."""


class NoSealError(CommitmentRefusedError):
    """This vote was not sealed to the revealer: load the page again."""


class ReasonCodeMissingError(CommitmentRefusedError):
    """Say on the adjudication page first why the segment was contested: a reason code is required."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """What a client hands in: nothing that the system can compute itself."""

    digest: bytes
    rationale_digest: bytes
    sealed: bytes | None
    kept: bytes | None = None  # strict mode: the opening under the auditor's own key, unreadable here
    raw_ms: int = 0
    active_ms: int = 0


def accept(
    *, seat_id: UUID, auditor: Auditor, vote: Sealed, now: datetime, guidelines: Guidelines | None = None
) -> Commitment:
    """Accept one sealed vote; the same bytes again give the same receipt.

    Raises NoSuchSeatError, AlreadySealedError, WindowClosedError, SeatTakenError, CommitmentCopiedError,
    OpeningElsewhereError, ReasonCodeMissingError.
    """
    with transaction.atomic():
        seat = _lock_seat(seat_id, auditor)
        if seat is None:
            raise NoSuchSeatError(NoSuchSeatError.__doc__)
        earlier: Commitment | None = getattr(seat, "commitment", None)  # read with the seat
        if earlier is not None:
            return _same(earlier, vote)  # the answer was lost on its way, and the client asks again
        _check_window(seat, now)
        _check_openings(seat, vote)
        if seat.round.adjudicates and not Adjudication.objects.filter(round=seat.round).exists():
            raise ReasonCodeMissingError(ReasonCodeMissingError.__doc__)
        # The receipt, the leaf and the row stand or fall together.
        promised = receipts.promise_vote(seat=seat, digest=vote.digest, sealed=vote.sealed, now=now)
        stored = _insert(seat, vote, guidelines, promised)
        leaves.commit_votes(audit=seat.round.audit, commitments=[stored])
        record_event(audit=seat.round.audit, kind=EventKind.VOTE_SEALED, seat=str(seat.pk))
        if _all_sealed(seat.round):
            close_window(round=seat.round, now=now)
    return stored


def close_window(*, round: Round, now: datetime) -> bool:
    """No more sealed votes: the closing goes to the ledger before any vote is opened."""
    with transaction.atomic():
        rules = load_policy(version=round.audit.policy, domain=round.audit.trace.domain).tier(Tier(round.tier))
        closed = move_round(round=round, to=RoundStage.REVEALING, due_at=now + timedelta(seconds=rules.reveal_seconds))
        if not closed:
            return False
        Seat.objects.filter(round=round, stage__in=(SeatStage.OFFERED, SeatStage.HELD)).update(
            stage=SeatStage.SILENT, lease_until=None
        )
        _weigh(round)
        # The salts of the draw go with this leaf: from now on everybody may know who sat where.
        sealed = Commitment.objects.filter(seat__round=round).count()
        leaf = leaves.close_rounds(audit=round.audit, rounds=[round])[0]
        Round.objects.filter(pk=round.pk).update(closing_leaf=leaf)
        own_openings.ask_for(round=round)
        record_event(audit=round.audit, kind=EventKind.ROUND_CLOSED, segment=str(round.segment_id), sealed=sealed)
    return True


def _weigh(round: Round) -> None:
    """Weights before votes: what is believed of everyone who sealed stands in the log before the closing does.

    Votes are opened only after the closing, so nobody can weigh a vote after seeing it.
    """
    # A first closing has weighed nobody before.
    weighed = leaves.weights_of(round=round) if round.redraws else {}
    sealed = Seat.objects.filter(round=round, stage=SeatStage.COMMITTED).select_related("auditor__endpoint")
    # A redraw closes the window again: those who were weighed at the first closing keep their weights.
    seats = [seat for seat in sealed.order_by("pk") if bytes(seat.pseudonym) not in weighed]
    policy = load_policy(version=round.audit.policy, domain=round.audit.trace.domain)
    auditors = [seat.auditor for seat in seats]
    skills = skills_for(auditors=auditors, policy=policy, round=round)
    records = sources_for(auditors=auditors, policy=policy, round=round) if auditors else {}
    WeightSource.objects.bulk_create(WeightSource(seat=seat, record=records[seat.auditor_id]) for seat in seats)
    digests = {
        seat.pk: sources_digest(salt=weight_salt(seat=seat.pk), record=records[seat.auditor_id]) for seat in seats
    }
    leaves.weigh(round=round, seats=seats, skills=skills, sources=digests)


def _lock_seat(seat_id: UUID, auditor: Auditor) -> Seat | None:
    mine = Seat.objects.filter(pk=seat_id, auditor=auditor)  # somebody else's seat is no seat
    # The round before the seat, as everywhere (transitions.lock_round).
    if not Round.objects.filter(pk__in=mine.values("round")).select_for_update().values_list("pk").first():
        return None
    whole = mine.select_related("round__segment", "round__audit__policy", "round__audit__trace", "commitment")
    return whole.select_for_update(of=("self",)).first()


def _same(earlier: Commitment, vote: Sealed) -> Commitment:
    if bytes(earlier.digest) != vote.digest:
        raise AlreadySealedError(AlreadySealedError.__doc__)
    return earlier


def _check_window(seat: Seat, now: datetime) -> None:
    round = seat.round
    if round.audit.stage != AuditStage.AUDITING:
        raise TraceOverError(TraceOverError.__doc__)
    if round.stage != RoundStage.COMMITTING or round.due_at is None or round.due_at <= now:
        raise WindowClosedError(WindowClosedError.__doc__)
    if seat.stage not in (SeatStage.HELD, SeatStage.OFFERED):
        raise WindowClosedError("This seat was passed on to another auditor.")
    if seat.round.tier != Tier.HUMAN:
        return
    objection = find_objection(seat=seat, is_voting=True)
    if objection:
        raise SeatTakenError(f"You may not vote on this segment any more: {objection}. It goes to another auditor.")


def _check_openings(seat: Seat, vote: Sealed) -> None:
    """Machines answer to the escrow alone; for people the policy decides."""
    audit = seat.round.audit
    is_escrowed = vote.sealed is not None
    if vote.sealed is not None:
        # What cannot be a seal is refused now, and not found at the reveal.
        try:
            check_head(sealed=vote.sealed)
        except MalformedSealError as error:
            raise NoSealError(NoSealError.__doc__) from error
    rule = Openings.ESCROW
    if seat.round.tier == Tier.HUMAN:
        rule = load_policy(version=audit.policy, domain=audit.trace.domain).openings
    if rule is not Openings.CHOICE and is_escrowed != (rule is Openings.ESCROW):
        raise OpeningElsewhereError(OpeningElsewhereError.__doc__)


def _insert(seat: Seat, vote: Sealed, guidelines: Guidelines | None, receipt: str) -> Commitment:
    try:
        with transaction.atomic():
            stored = Commitment.objects.create(
                seat=seat,
                digest=vote.digest,
                rationale_digest=vote.rationale_digest,
                sealed=vote.sealed,
                kept=vote.kept,
                guidelines=guidelines,
                raw_ms=vote.raw_ms,
                active_ms=vote.active_ms,
                shown=seat.shown.get("degree", ""),
                receipt=receipt,
            )
    except IntegrityError as error:  # somebody else's digest: two honest ones never collide
        raise CommitmentCopiedError(CommitmentCopiedError.__doc__) from error
    Draft.objects.filter(seat=seat).delete()
    # A seat that was sealed without being claimed first was taken at this moment.
    Seat.objects.filter(pk=seat.pk).update(
        stage=SeatStage.COMMITTED, lease_until=None, taken_at=Coalesce("taken_at", Now())
    )
    seat.stage = SeatStage.COMMITTED
    return stored


def _all_sealed(round: Round) -> bool:
    """Whether nothing is waited for: k seals and nobody at work; or, among people, places that nobody is left for."""
    stages = list(Seat.objects.filter(round=round).values_list("stage", flat=True))
    sealed = sum(stage in (SeatStage.COMMITTED, SeatStage.REVEALED) for stage in stages)
    # A seat in hand beyond k: somebody came late and is still reading. The window stays open for them.
    if sealed >= round.k:
        return SeatStage.HELD not in stages
    return round.tier == Tier.HUMAN and not {SeatStage.OFFERED, SeatStage.HELD} & set(stages)


def is_awaited(*, round: Round) -> bool:
    """Whether somebody holds a seat of a round, or is offered one."""
    return Seat.objects.filter(round=round, stage__in=(SeatStage.OFFERED, SeatStage.HELD)).exists()
