"""Sealing on the server, for auditors without a browser: the commitment, and the opening sealed to the revealer.

Reads Seat and its segment; writes nothing. static/js/commit-crypto.js does the same in a browser.
"""

import os

from cryptography.hazmat.primitives.asymmetric import ec

from auditing.core.values import Choice
from auditing.core.voting.commitment import Opening, commitment, rationale_digest
from auditing.core.voting.rationale import Rationale, write
from auditing.core.voting.seal import Unsealed, read_point, seal
from auditing.models import Seat
from auditing.selectors.voting.bindings import binding_of
from auditing.services.voting.commitment import Sealed


def seal_vote(
    *, seat: Seat, choice: Choice, confidence_bp: int | None, rationale: Rationale, point: bytes, text: str
) -> Sealed:
    """What a browser would send for this vote. text: the current reasoning as shown; point: the revealer's key."""
    rationale_text = write(rationale=rationale)
    rnonce = os.urandom(32)
    # The rationale is bound by its own digest, so that a vote can be opened where its text was lost.
    opening = Opening(
        choice=choice,
        confidence_bp=None if choice is Choice.ABSTAIN else confidence_bp,
        rationale_digest=rationale_digest(rnonce=rnonce, text=rationale_text),
        nonce=os.urandom(32),
    )
    digest = commitment(binding=binding_of(seat=seat, text=text), opening=opening)
    body = seal(
        reveal_key=read_point(point=point),
        # ECIES: a key pair for this one message, so that nobody but the revealer can open what is stored.
        ephemeral=ec.generate_private_key(ec.SECP256R1()),
        seat_id=seat.pk,
        commitment=digest,
        unsealed=Unsealed(opening=opening, rnonce=rnonce, rationale=rationale_text),
    )
    return Sealed(digest=digest, rationale_digest=opening.rationale_digest, sealed=body)
