"""revealing: votes are opened and checked against their commitments.

By default the revealer opens them: a process that alone holds the private key to which browsers seal their votes. In
strict mode reviewers open their own (own_openings.py). Reads Commitment, Round; writes Vote, Seat, Block,
Leaf, AuditEvent.
"""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction

from auditing.core.events import EventKind
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.voting import curve
from auditing.core.voting import rationale as rationales
from auditing.core.voting.commitment import Opening, OpeningError, check_opening, check_rationale
from auditing.core.voting.seal import MalformedSealError, SealError, open_sealed
from auditing.core.voting.unopened import open_head, prove
from auditing.models import Commitment, Round, Seat, Vote
from auditing.selectors.voting.bindings import binding_of
from auditing.services.events import record_event
from auditing.services.ledger import leaves
from hdag.models import Block
from hdag.store import content
from hdag.store.rows import fresh, insert

NOTHING = rationales.write(rationale=rationales.Rationale())


class RevealRefusedError(Exception):
    """This opening cannot be accepted."""


class NotYetOpenError(RevealRefusedError):
    """Votes of this round are opened after its window has closed, not before."""


class OpenedOtherwiseError(RevealRefusedError):
    """This seat's vote was opened already, with another content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An opening with the rationale it binds; no text where it was lost with the browser that wrote it."""

    opening: Opening
    rnonce: bytes = b""
    text: str | None = None


@dataclass(frozen=True, slots=True)
class _Checked:
    """An opening that is the one that was committed to, with the rationale that it binds."""

    seat: Seat
    opened: Opened
    rationale: rationales.Rationale

    @property
    def text(self) -> str:
        """The rationale as it is stored."""
        return NOTHING if self.opened.text is None else self.opened.text


def accept_opening(*, seat: Seat, opened: Opened) -> Vote:
    """Check one opening against its seat's commitment and store the vote; the same again is the same vote.

    Raises NotYetOpenError, OpenedOtherwiseError, OpeningError, BadRationaleError.
    """
    sealed = Commitment.objects.get(seat=seat)
    return _store([_check(sealed, seat, opened)])[0]


def _check(sealed: Commitment, seat: Seat, opened: Opened) -> _Checked:
    check_opening(binding=binding_of(seat=seat), opening=opened.opening, commitment=bytes(sealed.digest))
    if opened.text is not None:
        check_rationale(opening=opened.opening, rnonce=opened.rnonce, text=opened.text)
    # Before any transaction: a bad one is refused without a lock.
    return _Checked(seat, opened, rationales.read(text=NOTHING if opened.text is None else opened.text))


def _store(openings: Sequence[_Checked]) -> list[Vote]:
    """The votes of checked openings, in their order: a few statements, however many they are."""
    keys = [checked.seat.pk for checked in openings]
    with transaction.atomic():
        # 1. Once: the rows are locked, always in one order, and the same opening again is the same vote.
        locked = (
            Seat.objects.select_related("round")
            .defer("round__drawn")
            .select_for_update(of=("self",))
            .filter(pk__in=keys)
        )
        current = {seat.pk: seat for seat in locked.order_by("pk")}
        votes = {
            vote.seat_id: _same(vote, openings[keys.index(vote.seat_id)].opened)
            for vote in Vote.objects.filter(seat__in=keys)
        }
        fresh = [checked for checked in openings if checked.seat.pk not in votes]
        for checked in fresh:
            seat = current[checked.seat.pk]
            if seat.round.stage != RoundStage.REVEALING or seat.stage != SeatStage.COMMITTED:
                raise NotYetOpenError(NotYetOpenError.__doc__)
        # 2. The texts, the votes, the seats.
        blocks = content.store([checked.text for checked in fresh])
        made = [_vote(checked, current[checked.seat.pk], block) for checked, block in zip(fresh, blocks, strict=True)]
        votes |= {vote.seat_id: vote for vote in insert(made)}
        Seat.objects.filter(pk__in=[checked.seat.pk for checked in fresh]).update(stage=SeatStage.REVEALED)
    return [votes[key] for key in keys]


def _vote(checked: _Checked, seat: Seat, block: Block) -> Vote:
    opened, rationale = checked.opened, checked.rationale
    return fresh(
        Vote,
        seat=seat,
        choice=opened.opening.choice,
        confidence=opened.opening.confidence_bp,
        rationale=block,
        error_type=rationale.error_type or "",
        is_propagated=rationale.is_propagated,
        criteria={str(key): str(value) for key, value in rationale.criteria.items()},
        nonce=opened.opening.nonce,
        rationale_nonce=b"" if opened.text is None else opened.rnonce,
    )


def open_votes(*, rounds: Sequence[Round], private_key: ec.EllipticCurvePrivateKey) -> int:
    """Open every sealed vote of rounds whose closing is in the log, all together; returns how many are open now.

    What cannot be opened is marked silent with the reason in the event, so that one bad seal delays nobody; the ledger
    shows its key, so that everybody sees whose fault it was. Raises ContentDamagedError, ContentGoneError,
    RevealRefusedError: then what could be read is as sealed as before, and the caller may go on round by round.
    """
    # The closing must stand in the log first: from then on nobody can add a vote to those that are opened now.
    closed = [round for round in rounds if round.closing_leaf is not None and round.closing_leaf.index is not None]
    if not closed:
        return 0
    done, readable = 0, list[_Checked]()
    for commitment in _sealed_of(closed):
        try:
            readable.append(_unseal(commitment, private_key))
        # One seal that cannot be opened silences its own seat and no other.
        except (SealError, OpeningError, rationales.BadRationaleError) as error:
            done += _open_beginning(commitment, private_key, str(error))
    return done + len(_store(readable)) if readable else done


def _unseal(commitment: Commitment, private_key: ec.EllipticCurvePrivateKey) -> _Checked:
    inside = open_sealed(
        private_key=private_key,
        sealed=bytes(commitment.sealed or b""),
        seat_id=commitment.seat_id,
        commitment=bytes(commitment.digest),
    )
    opened = Opened(opening=inside.opening, rnonce=inside.rnonce, text=inside.rationale)
    return _check(commitment, commitment.seat, opened)


def close(*, round: Round) -> int:
    """The time to open votes is over: seats whose vote was not opened count as silent; returns how many."""
    return Seat.objects.filter(round=round, stage=SeatStage.COMMITTED).update(stage=SeatStage.SILENT)


def _sealed_of(rounds: Sequence[Round]) -> list[Commitment]:
    sealed = Commitment.objects.filter(seat__round__in=rounds, seat__stage=SeatStage.COMMITTED, sealed__isnull=False)
    read = sealed.select_related("seat__round__audit", "seat__round__segment__block")
    return list(read.defer("seat__round__drawn"))


def _open_beginning(commitment: Commitment, private_key: ec.EllipticCurvePrivateKey, why: str) -> int:
    """A seal whose beginning opens is a vote, though its text is lost; any other is shown to everybody with its key."""
    sealed = bytes(commitment.sealed or b"")
    try:
        opening = open_head(private_key=private_key, sealed=sealed)
        accept_opening(seat=commitment.seat, opened=Opened(opening=opening))
    except (SealError, OpeningError):
        _silence(commitment, private_key, why)
        return 0
    return 1


def _silence(commitment: Commitment, private_key: ec.EllipticCurvePrivateKey, why: str) -> None:
    seat = commitment.seat
    with transaction.atomic():
        if Seat.objects.filter(pk=seat.pk, stage=SeatStage.COMMITTED).update(stage=SeatStage.SILENT):
            _show(commitment, private_key)
            record_event(audit=seat.round.audit, kind=EventKind.VOTE_UNREADABLE, seat=str(seat.pk), why=why[:200])


def _show(commitment: Commitment, private_key: ec.EllipticCurvePrivateKey) -> None:
    """vote.unopened. What was never a seal has no key to show (older votes: today it is refused when it comes in)."""
    with suppress(MalformedSealError):
        proof = prove(
            private_key=private_key,
            sealed=bytes(commitment.sealed or b""),
            seat_id=commitment.seat_id,
            commitment=bytes(commitment.digest),
            k=1 + secrets.randbelow(curve.ORDER - 1),
        )
        leaves.show_unopened(seat=commitment.seat, proof=proof)


def _same(earlier: Vote, opened: Opened) -> Vote:
    if bytes(earlier.nonce) != opened.opening.nonce or earlier.choice != opened.opening.choice:
        raise OpenedOtherwiseError(OpenedOtherwiseError.__doc__)
    return earlier
