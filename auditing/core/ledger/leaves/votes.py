"""Leaves of commit-reveal: commitments, the closing of the window, openings, silent seats."""

from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from auditing.core.ledger.leaves.fields import Digest, LeafError, Name
from auditing.core.values import Choice
from auditing.core.voting.commitment import NO_CONFIDENCE

MOST_OPENINGS = 16  # some 400 bytes each: a leaf stays well below its 16 KiB


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCommit:
    """A sealed vote arrived. escrow: digest of the seal handed in with it; absent where its owner keeps it."""

    TYPE: ClassVar = "vote.commit"
    audit: UUID
    segment: UUID
    round: int
    seat: UUID
    commitment: Digest
    escrow: Digest | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseReveal:
    """The window for sealed votes is closed. digest = commitments_digest; salts open the draws' digests, in order."""

    TYPE: ClassVar = "phase.reveal"
    audit: UUID
    segment: UUID
    round: int
    commits: int
    digest: Digest
    salts: tuple[Digest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealedVote:
    """One opened vote. draw: which draw filled the seat; vote: 0 fail, 1 pass, 2 abstain; confidence: 65535 none."""

    seat: UUID
    auditor: Digest
    draw: int
    vote: int
    confidence: int
    rationale: Digest
    nonce: Digest

    def __post_init__(self) -> None:
        """Raises: LeafError for a vote or confidence outside its range."""
        if self.vote not in (choice.code for choice in Choice):
            raise LeafError(f"vote must be 0, 1 or 2, not {self.vote}")
        if not 0 <= self.confidence <= NO_CONFIDENCE:
            raise LeafError(f"confidence must be 0 to {NO_CONFIDENCE}, not {self.confidence}")


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteReveal:
    """Opened votes of a round, at most 16 a leaf, written when the window closes."""

    TYPE: ClassVar = "vote.reveal"
    audit: UUID
    segment: UUID
    round: int
    openings: tuple[RevealedVote, ...]

    def __post_init__(self) -> None:
        """Raises: LeafError unless there are 1 to 16 openings."""
        if not 1 <= len(self.openings) <= MOST_OPENINGS:
            raise LeafError(f"a leaf holds 1 to {MOST_OPENINGS} openings, not {len(self.openings)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentSeat:
    """A seat without an opened vote. reason: silent (no vote, or a vote never opened), declined, lapsed, withdrawn."""

    seat: UUID
    auditor: Digest
    draw: int
    committed: bool
    reason: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteNoReveal:
    """Seats of a round that stayed silent or were given back; with the opened ones, all that were ever filled."""

    TYPE: ClassVar = "vote.noreveal"
    audit: UUID
    segment: UUID
    round: int
    seats: tuple[SilentSeat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteUnopened:
    """A seal that does not hold what its auditor committed to, with its key (voting.unopened); all in hexadecimal."""

    TYPE: ClassVar = "vote.unopened"
    audit: UUID
    segment: UUID
    round: int
    seat: UUID
    reveal_key: Name
    ephemeral: Name
    cipher: Name
    secret: Name
    challenge: Digest
    response: Digest
