"""Leaves of votes: sealed, then the window closes, then opened or silent. Reads Commitment, Seat; writes Leaf."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, QuerySet

from accounts.prepared import Mark, PreparedRows, Written
from auditing.core.ledger import leaves as kinds
from auditing.core.ledger.leaves import Digest, Name
from auditing.core.stages import SeatStage
from auditing.core.values import Choice
from auditing.core.voting.unopened import Unopened, escrow_digest
from auditing.models import Leaf, Round, Seat, Vote
from auditing.selectors.voting.bindings import assignment_salt
from auditing.services.ledger.leaves.writing import chunks, round_fields, write

# How Seat.declined_because begins where the draw came to somebody who could not sit.
PASSED_OVER = "passed over: "
WITHDRAWN = "withdrawn"  # nobody had opened the seat when the trace was decided
NO_CONFIDENCE = 0xFFFF


def commit_leaf(*, seat: Seat, commitment: bytes, sealed: bytes | None) -> kinds.VoteCommit:
    """The vote.commit leaf of one sealed vote. sealed: the opening for the revealer, if one was handed in."""
    escrow = None if sealed is None else Digest(escrow_digest(sealed=sealed))
    return kinds.VoteCommit(
        **round_fields(round=seat.round), seat=seat.pk, commitment=Digest(commitment), escrow=escrow
    )


def show_unopened(*, seat: Seat, proof: Unopened) -> Leaf:
    """vote.unopened: the key of a seal that does not hold what was committed to."""
    leaf = kinds.VoteUnopened(
        **round_fields(round=seat.round),
        seat=seat.pk,
        reveal_key=Name(proof.reveal_key.hex()),
        ephemeral=Name(proof.ephemeral.hex()),
        cipher=Name(proof.cipher.hex()),
        secret=Name(proof.secret.hex()),
        challenge=Digest(proof.challenge),
        response=Digest(proof.response),
    )
    return write(audit=seat.round.audit, leaves=[leaf])[0]


def closing_leaves(
    *, rounds: Sequence[Round], drawn: Iterable[tuple[UUID, int, bytes | None]] | None = None
) -> list[kinds.PhaseReveal]:
    """phase.reveal: no more sealed votes; their digest, and the salts of all draws so far. One a round, in order.

    drawn: round, draw and digest of the vote of every seat, where the caller has just written them all.
    """
    sealed: dict[UUID, list[bytes]] = {round.pk: [] for round in rounds}
    draws = dict.fromkeys(sealed, 0)  # how often each round was drawn for
    for key, draw, digest in _drawn.rows(rounds=list(sealed)) if drawn is None else drawn:
        draws[key] = max(draws[key], draw + 1)
        if digest is not None:
            sealed[key].append(bytes(digest))
    return [
        kinds.PhaseReveal(
            **round_fields(round=round),
            commits=len(sealed[round.pk]),
            digest=Digest(kinds.commitments_digest(commitments=sealed[round.pk])),
            salts=tuple(Digest(assignment_salt(round=round, draw=draw)) for draw in range(draws[round.pk])),
        )
        for round in rounds
    ]


@PreparedRows
def _drawn() -> QuerySet[Any, Any]:
    theirs = Written("auditing_seat.round_id = ANY(%s)", [Mark("rounds")], output_field=BooleanField())
    return Seat.objects.filter(theirs).order_by().values_list("round", "draw", "commitment__digest")


def opened_leaves(*, round: Round, votes: Sequence[Vote], seats: Sequence[Seat]) -> list[kinds.Leaf]:
    """vote.reveal, at most 16 openings a leaf, then vote.noreveal: every seat ever filled stands in one of them.

    seats: those of the round, by draw and key, with their commitments; the opened ones among them are passed over.
    """
    openings = [_opened(vote) for vote in votes]
    opened = {vote.seat_id for vote in votes}
    silent = [_silent(seat) for seat in seats if seat.pk not in opened]
    return [
        *(kinds.VoteReveal(**round_fields(round=round), openings=chunk) for chunk in chunks(entries=openings)),
        *(kinds.VoteNoReveal(**round_fields(round=round), seats=chunk) for chunk in chunks(entries=silent)),
    ]


def _opened(vote: Vote) -> kinds.RevealedVote:
    return kinds.RevealedVote(
        seat=vote.seat_id,
        auditor=Digest(bytes(vote.seat.pseudonym)),
        draw=vote.seat.draw,
        vote=Choice(vote.choice).code,
        confidence=NO_CONFIDENCE if vote.confidence is None else vote.confidence,
        rationale=Digest(bytes(vote.seat.commitment.rationale_digest)),
        nonce=Digest(bytes(vote.nonce)),
    )


def _silent(seat: Seat) -> kinds.SilentSeat:
    reason = "passed_over" if seat.declined_because.startswith(PASSED_OVER) else str(seat.stage)
    if seat.declined_because == WITHDRAWN:
        reason = WITHDRAWN
    # An offer that nobody took by the end of the window is as silent as a seat that was taken.
    if reason == SeatStage.OFFERED:
        reason = str(SeatStage.SILENT)
    return kinds.SilentSeat(
        seat=seat.pk,
        auditor=Digest(bytes(seat.pseudonym)),
        draw=seat.draw,
        committed=hasattr(seat, "commitment"),
        reason=Name(reason),
    )
