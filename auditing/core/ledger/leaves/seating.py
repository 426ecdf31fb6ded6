"""Leaves of an audit's beginning: what is fixed before the draw, and hidden assignments of seats."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar
from uuid import UUID

from auditing.core.ledger.leaves.fields import Digest, LeafError, Name, Parameters
from auditing.core.values import Tier

# without these nobody could recompute tallies, outcomes and postings from the ledger alone
NEEDED_PARAMETERS = frozenset(
    {"computer", "llm", "human", "beta", "gamma", "slash_min", "slash_max", "reward", "penalty"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawRules:
    """Constraints of the draw. share_cap: largest share of the trace's segments for one auditor."""

    load_cap: int
    share_cap: Decimal
    adjacent: bool  # may one auditor hold neighbouring segments


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A trace was handed in. digest: SHA-256 of its encrypted block, so that the leaf betrays no text."""

    TYPE: ClassVar = "submission"
    audit: UUID
    digest: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOpen:
    """An audit begins: its policy, its segments and who may be drawn are fixed before the seed is known."""

    TYPE: ClassVar = "audit.open"
    audit: UUID
    policy: int
    params: Parameters
    segments: int
    segments_root: Digest  # over seating.rosters.SegmentLine
    eligible: int
    eligible_root: Digest  # over seating.rosters.EligibleLine
    draw: DrawRules
    seed_commit: Digest  # SHA-256 of the secret that trace.outcome opens
    predecessor: UUID | None = None
    # 2: every round opens before its seals, and weights stand before the closing of its window; 3: the list of the
    # eligible says what each reputation was judged by, and the agreement that is paid; absent: 1
    revision: int | None = None

    def __post_init__(self) -> None:
        """Raises: LeafError when the parameters cannot decide an audit."""
        missing = NEEDED_PARAMETERS - self.params.keys()
        if missing:
            raise LeafError(f"params lacks {min(missing)!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EligibleExtend:
    """The list of audit.open was too short: these lines are added behind it and may be drawn from here on.

    Whoever adds them knows the first seed already; so the longer list is drawn from with a seed of its own, which needs
    the root of the first checkpoint that holds this leaf. Extensions count from 1.
    """

    TYPE: ClassVar = "eligible.extend"
    audit: UUID
    number: int
    eligible: int
    eligible_root: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOpen:
    """A segment goes before a tier. Rounds of a segment count from 0."""

    TYPE: ClassVar = "round.open"
    audit: UUID
    segment: UUID
    round: int
    tier: Tier
    k: int
    segment_digest: Digest
    commit_by: int  # seconds since 1970: the window's end
    reveal_by: int
    reveal_key: Digest | None = None  # of the point that its votes are sealed to (voting.unopened)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAssign:
    """Seats are filled; who sits there stays hidden in the digest (assignment_digest) until the reveal.

    pool: "trusted" when adjudicators were drawn, without the constraints of the draw; absent for everybody else.
    roster: number of the eligible.extend leaf up to which the list was used, with that list's seed; absent for none.
    """

    TYPE: ClassVar = "seat.assign"
    audit: UUID
    segment: UUID
    round: int
    draw: int  # 0 first, 1 to 3 redraws of silent seats
    seats: int
    digest: Digest
    pool: Name | None = None
    roster: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitution:
    """Silent or withdrawn seats are drawn again: `seats` of them, new digest, same tier."""

    TYPE: ClassVar = "substitution"
    audit: UUID
    segment: UUID
    round: int
    draw: int
    replaced: tuple[UUID, ...]
    digest: Digest
    reason: Name
    pool: Name | None = None
    roster: int | None = None
