"""Leaves for everything that decides an outcome, written in the transaction of the thing they record. Writes Leaf.

A leaf holds commitments, digests and numbers: never trace text, never a person's name. Its index is given later by
the sequencer (services/sequencing.py).
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from auditing.core.commitment import segment_digest
from auditing.core.leaves import Leaf as TypedLeaf
from auditing.core.leaves import encode as encode_leaf
from auditing.core.merkle import leaf_hash, root
from auditing.core.policy import Policy, digest
from auditing.models import Audit, Commitment, Leaf, Round, Seat, Vote
from hdag.core.canonical import encode
from hdag.selectors import StoredGraph

OPENINGS_PER_LEAF = 16


def append(*, kind: str, audit: Audit | None, **fields: Any) -> Leaf:
    """One leaf, in canonical JSON."""
    return append_all(kind=kind, audit=audit, bodies=[fields])[0]


def append_all(*, kind: str, audit: Audit | None, bodies: Sequence[dict[str, Any]]) -> list[Leaf]:
    """Several leaves of one kind, in order, in one insert."""
    about = {} if audit is None else {"audit": audit.pk.hex}
    return Leaf.objects.bulk_create(
        Leaf(kind=kind, audit=audit, body=encode(value={"v": 1, "t": kind, **about, **fields})) for fields in bodies
    )


def write(*, audit: Audit, leaves: Sequence[TypedLeaf]) -> list[Leaf]:
    """Typed leaves (auditing.core.leaves), in order, in one insert."""
    return Leaf.objects.bulk_create(Leaf(kind=leaf.TYPE, audit=audit, body=encode_leaf(leaf=leaf)) for leaf in leaves)


def open_audit(*, audit: Audit, policy: Policy, graph: StoredGraph) -> Leaf:
    """audit.open: the policy, the Merkle root of the segments' digests, the commitment to the draw's seed."""
    digests = [
        segment_digest(salt=bytes(graph.rows[segment.id].salt), text=graph.own[segment.id])
        for segment in graph.graph.segments
    ]
    return append(
        kind="audit.open",
        audit=audit,
        policy=digest(policy=policy),
        segments=len(digests),
        segments_root=root(leaves=(leaf_hash(entry=one) for one in digests)).hex(),
        seed_commit=hashlib.sha256(bytes(audit.seed)).hexdigest(),
    )


def commit_votes(*, audit: Audit, commitments: Iterable[Commitment]) -> list[Leaf]:
    """vote.commit for each: the seat's pseudonym and the commitment."""
    return append_all(
        kind="vote.commit",
        audit=audit,
        bodies=[
            {
                "seat": one.seat_id.hex,
                "auditor": bytes(one.seat.pseudonym).hex(),
                "segment": one.seat.round.segment_id.hex,
                "round": one.seat.round.number,
                "commitment": bytes(one.digest).hex(),
            }
            for one in commitments
        ],
    )


def assign_seats(*, audit: Audit, round: Round, seats: Sequence[Seat]) -> list[Leaf]:
    """seat.assign for each seat that the draw filled."""
    return append_all(
        kind="seat.assign",
        audit=audit,
        bodies=[
            {
                "seat": seat.pk.hex,
                "auditor": bytes(seat.pseudonym).hex(),
                "segment": round.segment_id.hex,
                "round": round.number,
                "place": seat.place,
            }
            for seat in seats
        ],
    )


def open_votes(*, audit: Audit, votes: Sequence[Vote]) -> list[Leaf]:
    """vote.reveal, at most 16 openings a leaf."""
    openings = [
        {
            "seat": vote.seat_id.hex,
            "vote": {"fail": 0, "pass": 1, "abstain": 2}[vote.choice],
            "confidence": vote.confidence,
            "rationale": bytes(vote.seat.commitment.rationale_digest).hex(),
            "nonce": bytes(vote.nonce).hex(),
        }
        for vote in votes
    ]
    batches = [openings[at : at + OPENINGS_PER_LEAF] for at in range(0, len(openings), OPENINGS_PER_LEAF)]
    return append_all(kind="vote.reveal", audit=audit, bodies=[{"openings": batch} for batch in batches])
