"""The two lists that audit.open commits to by their Merkle roots: the segments, and who may be drawn.

The lists themselves are no leaves (they may be long); a bundle carries them, and anyone can recompute the roots.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from auditing.core.ledger.leaves.fields import Digest, Name, to_fields
from auditing.core.values import Tier
from auditing.translog.merkle import leaf_hash, root
from hdag.core import canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentLine:
    """A segment without its text, in reading order. basis: the answer rests on it; gold: leaves.gold_digest.

    by: "model" where its tiers are those that the decomposing model suggested; absent where they are the table's.
    """

    segment: UUID
    digest: Digest
    tier: Tier
    secondaries: tuple[Tier, ...]
    k: int
    weight: Decimal
    basis: bool
    gold: Digest
    by: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EligibleLine:
    """An auditor who may be drawn, free of conflicts. reputation: published, rounded to .01; load: seats held.

    pool: absent for a reviewer, "trusted" for an adjudicator, "both" for who is drawn as either. simulated: absent for
    everybody who is paid. against: what the reputation was judged by, "gold" or "outcome", or "start" before the first
    judged vote. agreement: what a vote is paid for, in units of the bonus; absent for none.
    """

    auditor: Digest
    kind: Tier
    weight: int
    load: int
    reputation: Decimal
    pool: Name | None = None
    simulated: bool | None = None
    against: Name | None = None  # absent in lists of revisions 1 and 2
    agreement: Decimal | None = None

    def is_in(self, *, pool: str | None) -> bool:
        """Whether a draw from `pool` ("trusted", None for the ordinary one) may find this auditor."""
        return self.pool == "both" or self.pool == pool


def roster_root(*, lines: Sequence[SegmentLine] | Sequence[EligibleLine]) -> bytes:
    """RFC 6962 root over the canonical JSON of the lines; eligible lines stand in ascending order of auditor."""
    return root(leaves=[leaf_hash(entry=canonical.encode(value=to_fields(value=line))) for line in lines])
