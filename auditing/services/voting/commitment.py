"""committing: sealed votes arrive, and the last one ends the window (closing.py).

A commitment binds a vote before anybody can see another one; its leaf is in the ledger before any vote is opened. So
nobody, not even the operator, can change a vote after seeing the others.

Reads Seat, Round, Adjudication, the policy; writes Commitment, Seat, Round, Draft, Leaf, AuditEvent.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.prepared.cursors import fetch
from auditing import broadcast, dispatch
from auditing.core.events import EventKind
from auditing.core.ledger import leaves as kinds
from auditing.core.policy import Openings
from auditing.core.stages import AuditStage, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.core.voting.commitment import MalformedOpeningError
from auditing.core.voting.seal import MalformedSealError
from auditing.core.voting.unopened import check_head
from auditing.models import Auditor, Commitment, Guidelines, Round, Seat
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.voting.seat_to_seal import SeatToSeal, find_seat_to_seal
from auditing.services.ledger import leaves, receipts
from auditing.services.voting import closing


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
    read = partial(find_seat_to_seal, seat_id=seat_id, auditor=auditor.pk, now=now)
    return _accept(read, vote, lambda asked: guidelines.pk if guidelines else None)


def accept_from(
    *, seat_id: UUID, person: int, vote: Sealed, guidelines: int | None, token: str | None = None
) -> Commitment:
    """The same for the seat of a person, named by key; by the database's clock.

    guidelines: the version of the campaign's guidelines that the voter was shown; None for the newest. token: a digest;
    there is no such seat unless that token of the person lives.
    """
    read = partial(find_seat_to_seal, seat_id=seat_id, person=person, version=guidelines, token=token)
    return _accept(read, vote, partial(_shown_guidelines, guidelines))


def _shown_guidelines(version: int | None, asked: SeatToSeal) -> int | None:
    if version is None:
        return asked.newest_guidelines
    if asked.named_guidelines is None:
        raise MalformedOpeningError("guidelines must be a version of this campaign's guidelines")
    return asked.named_guidelines


def _accept(
    read: Callable[[], SeatToSeal | None], vote: Sealed, guidelines_of: Callable[[SeatToSeal], int | None]
) -> Commitment:
    # What is read is not locked: the statement that stores the vote finds it unchanged, or it is read again.
    while True:
        asked = read()
        if asked is None:
            raise NoSuchSeatError(NoSuchSeatError.__doc__)
        guidelines = guidelines_of(asked)
        if asked.earlier is not None:
            return _same(asked.earlier, vote)  # the answer was lost on its way, and the client asks again
        _check_window(asked)
        _check_openings(asked.seat, vote)
        if asked.seat.round.adjudicates and not asked.has_reason:
            raise ReasonCodeMissingError(ReasonCodeMissingError.__doc__)
        stored = _seal(asked, vote, guidelines)
        if stored is not None:
            return stored


def _seal(asked: SeatToSeal, vote: Sealed, guidelines: int | None) -> Commitment | None:
    """Store the vote, and end the window after the last one; None when the seat is not any more what was read."""
    round = asked.seat.round
    is_left = dispatch.is_gathering()
    is_last = not is_left and _all_sealed(round, [*asked.others, SeatStage.COMMITTED])
    # The last vote is stored with the closing or not at all. Every other one is a single statement, which needs no
    # transaction around it; where votes of the others came between, the closing follows in a transaction of its own.
    with transaction.atomic() if is_last else nullcontext():
        stored, stages = _store(asked, vote, guidelines)
        if stored is None:
            return None
        broadcast.tell_audit(round.audit_id)
        if _all_sealed(round, stages):
            # Whoever votes waits for no closing where workers close many together; the window ends at this moment.
            end = closing.end_window if is_left else closing.close_window
            end(round=round, now=asked.now)
    return stored


def _same(earlier: Commitment, vote: Sealed) -> Commitment:
    if bytes(earlier.digest) != vote.digest:
        raise AlreadySealedError(AlreadySealedError.__doc__)
    return earlier


def _check_window(asked: SeatToSeal) -> None:
    seat, round, now = asked.seat, asked.seat.round, asked.now
    if round.audit.stage != AuditStage.AUDITING:
        raise TraceOverError(TraceOverError.__doc__)
    if round.stage != RoundStage.COMMITTING or round.due_at is None or round.due_at <= now:
        raise WindowClosedError(WindowClosedError.__doc__)
    if seat.stage not in (SeatStage.HELD, SeatStage.OFFERED):
        raise WindowClosedError("This seat was passed on to another auditor.")
    if asked.objection:
        raise SeatTakenError(
            f"You may not vote on this segment any more: {asked.objection}. It goes to another auditor."
        )


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


def _store(asked: SeatToSeal, vote: Sealed, guidelines: int | None) -> tuple[Commitment | None, list[str]]:
    """The stored vote and the stages of its round's seats now; None when the seat is not any more what was read."""
    seat = asked.seat
    # The receipt, the leaf and the row stand or fall together.
    leaf = leaves.commit_leaf(seat=seat, commitment=vote.digest, sealed=vote.sealed)
    entry = kinds.encode(leaf=leaf)
    promised = receipts.promise_vote(
        seat=seat,
        digest=vote.digest,
        entry=entry,
        now=asked.now,
        announced=asked.receipt_key,
        is_late=asked.is_late,
    )
    stored = Commitment(
        seat=seat,
        digest=vote.digest,
        rationale_digest=vote.rationale_digest,
        sealed=vote.sealed,
        kept=vote.kept,
        guidelines_id=guidelines,
        raw_ms=vote.raw_ms,
        active_ms=vote.active_ms,
        shown=seat.shown.get("degree", ""),
        receipt=promised,
    )
    values: list[Any] = [seat.pk, asked.now, vote.digest, vote.rationale_digest, vote.sealed, vote.kept, guidelines]
    values += [vote.raw_ms, vote.active_ms, stored.shown, promised]
    values += [leaf.TYPE, entry, EventKind.VOTE_SEALED]
    ((answer, stored.committed_at, stages),) = fetch(_SEAL, values)
    if answer == "copied":  # somebody else's digest: two honest ones never collide
        raise CommitmentCopiedError(CommitmentCopiedError.__doc__)
    if answer == "moved":
        return None, []
    seat.stage = SeatStage.COMMITTED
    return stored, stages


_SEAL = """
SELECT answer, sealed_at, stages
FROM trust_seal_vote($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
"""


def _all_sealed(round: Round, stages: Sequence[str]) -> bool:
    """Whether nothing is waited for: k seals and nobody at work; or, among people, places that nobody is left for."""
    sealed = sum(stage in (SeatStage.COMMITTED, SeatStage.REVEALED) for stage in stages)
    # A seat in hand beyond k: somebody came late and is still reading. The window stays open for them.
    if sealed >= round.k:
        return SeatStage.HELD not in stages
    return round.tier == Tier.HUMAN and not {SeatStage.OFFERED, SeatStage.HELD} & set(stages)
