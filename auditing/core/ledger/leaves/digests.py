"""Salted digests: commitments that one leaf states and a later leaf opens."""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from uuid import UUID

from auditing.core.ledger.leaves.register import Truth
from auditing.core.voting.commitment import pad32


def assignment_digest(*, salt: bytes, seats: Sequence[tuple[UUID, bytes]]) -> bytes:
    """SHA-256("TRUST/assign/v1" || salt || (seat || auditor) of each seat, by seat id): who sits where, hidden."""
    # Every field has 16 or 32 bytes, so no two assignments share one concatenation.
    body = b"".join(seat.bytes + auditor for seat, auditor in sorted(seats, key=lambda pair: pair[0].bytes))
    return sha256(pad32(label="TRUST/assign/v1") + salt + body).digest()


def commitments_digest(*, commitments: Sequence[bytes]) -> bytes:
    """SHA-256("TRUST/commits/v1" || the commitments of a round in ascending order)."""
    return sha256(pad32(label="TRUST/commits/v1") + b"".join(sorted(commitments))).digest()


def gold_digest(*, salt: bytes, segment: UUID, truth: Truth) -> bytes:
    """HMAC-SHA-256(salt, "TRUST/gold/v1" || segment || truth): in every line of the segments list, gold or not."""
    return hmac.digest(salt, pad32(label="TRUST/gold/v1") + segment.bytes + truth.value.encode("ascii"), "sha256")
