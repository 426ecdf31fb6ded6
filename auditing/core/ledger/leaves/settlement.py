"""Leaves of settlement: steps of reputation, and postings of points."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from auditing.core.ledger.leaves.fields import Digest, LeafError


class Column(StrEnum):
    """What a reputation is measured against."""

    GOLD = "gold"
    CONSENSUS = "consensus"


class Posting(StrEnum):
    """Why points move."""

    REWARD = "reward"
    SLASH = "slash"
    NO_SHOW = "no_show"
    AGREEMENT = "agreement"
    RELEASE = "release"
    REVERSAL = "reversal"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReputationUpdate:
    """after = (1 - gamma) * prior + gamma * correct; prior is published rounded to .01."""

    TYPE: ClassVar = "reputation.update"
    audit: UUID
    segment: UUID
    round: int
    auditor: Digest
    column: Column
    prior: Decimal
    correct: bool
    after: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutLine:
    """Points that one auditor gains (positive) or loses; p: probability of the slash draw, 1 when certain."""

    seat: UUID
    auditor: Digest
    posting: Posting
    points: int
    p: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Payout:
    """Postings that sum to zero: the pool takes minus the sum of the lines."""

    TYPE: ClassVar = "payout"
    audit: UUID
    segment: UUID
    round: int
    held: bool  # until the appeal window closes
    pool: int
    lines: tuple[PayoutLine, ...]

    def __post_init__(self) -> None:
        """Raises: LeafError unless the postings sum to zero."""
        total = self.pool + sum(line.points for line in self.lines)
        if total:
            raise LeafError(f"the postings sum to {total}, not to 0")
