"""The checker casts its votes: seat, commitment and opening in one transaction, like any vote but without a wait.

It is bound like a person: its commitment stands in the ledger before its vote does, so that one verifier reads all
tiers alike. Writes Seat, Commitment, Vote, Block; the caller writes the leaves and tallies.
"""

import os
from collections.abc import Sequence

from auditing.checker.registry import VERSION
from auditing.core.stages import SeatStage
from auditing.core.values import Choice, Vote
from auditing.core.voting.commitment import Opening, commitment, rationale_digest
from auditing.core.voting.rationale import Rationale, write
from auditing.models import Audit, Auditor, Commitment, Round, Seat
from auditing.models import Vote as VoteRow
from auditing.selectors.voting.bindings import binding_of, pseudonym
from hdag.store import content
from hdag.store.rows import fresh, insert


def confidence_bp(vote: Vote) -> int | None:
    """The sealed vote's confidence: basis points, None for an abstention."""
    if vote.choice is Choice.ABSTAIN:
        return None
    # A certain finding states no confidence.
    return 10_000 if vote.confidence is None else max(5_000, min(10_000, round(vote.confidence * 10_000)))


def cast(*, audit: Audit, auditor: Auditor, votes: Sequence[tuple[Round, Vote, str]]) -> list[VoteRow]:
    """Cast one vote in each round: (round with its segment, vote, current reasoning as examined)."""
    # Rows of one kind in one statement each: a trace has hundreds of segments.
    name = pseudonym(audit=audit, auditor=auditor)
    seats = [
        fresh(Seat, round=round, auditor=auditor, place=0, stage=SeatStage.REVEALED, pseudonym=name)
        for round, _, _ in votes
    ]
    insert(seats)
    # proofs and version stand in the rationale, whose salted digest stands in the leaf of the opened vote
    rationales = [
        write(rationale=Rationale(reason=vote.reason, evidence=vote.evidence, checker=VERSION if vote.evidence else ""))
        for _, vote, _ in votes
    ]
    openings, nonces = [], [os.urandom(32) for _ in votes]
    commitments = []
    for seat, (_, vote, segment_text), text, rnonce in zip(seats, votes, rationales, nonces, strict=True):
        opening = Opening(
            choice=vote.choice,
            confidence_bp=confidence_bp(vote),
            rationale_digest=rationale_digest(rnonce=rnonce, text=text),
            nonce=os.urandom(32),
        )
        openings.append(opening)
        digest = commitment(binding=binding_of(seat=seat, text=segment_text), opening=opening)
        commitments.append(fresh(Commitment, seat=seat, digest=digest, rationale_digest=opening.rationale_digest))
    insert(commitments)
    rows = [
        fresh(
            VoteRow,
            seat=seat,
            choice=opening.choice,
            confidence=opening.confidence_bp,
            rationale=block,
            nonce=opening.nonce,
            rationale_nonce=rnonce,
        )
        for seat, opening, rnonce, block in zip(seats, openings, nonces, content.store(rationales), strict=True)
    ]
    return insert(rows)
