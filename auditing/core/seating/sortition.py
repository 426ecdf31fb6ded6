"""Verifiable sortition: who is seated follows from a seed that nobody knew when the lists were fixed.

1. audit.open fixes the eligible list, the segments and SHA-256(secret) in the ledger.
2. The first checkpoint that holds audit.open has a root that nobody could know before; the seed needs it.
3. Every candidate gets a rank from seed, segment, round and pseudonym; the lowest ranks are seated.
4. trace.outcome reveals the secret, and verify_audit.py repeats every draw.

What remains: an operator can try many audit.open leaves offline, unless a public beacon is mixed in.
Source: docs/protocol.md section 2.5.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from uuid import UUID

from auditing.core.ledger.leaves import DrawRules
from auditing.core.voting.commitment import pad32

NO_BEACON = bytes(32)
LARGEST_WEIGHT = 8  # a rank costs one hash a ticket
_NO_CAP = 2**53 - 1  # the largest integer that JSON carries exactly


class DrawError(ValueError):
    """The draw cannot be made from these values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One auditor of the committed eligible list. weight: tickets in the draw, 1 to 8; load: seats held elsewhere."""

    auditor_id: bytes
    weight: int = 1
    load: int = 0

    def __post_init__(self) -> None:
        """Raises: DrawError."""
        if len(self.auditor_id) != 32 or not 1 <= self.weight <= LARGEST_WEIGHT or self.load < 0:
            raise DrawError(f"a candidate has a pseudonym of 32 bytes and a weight of 1 to {LARGEST_WEIGHT}")


def seed_commitment(*, secret: bytes) -> bytes:
    """SHA-256 of the 32 secret bytes of one audit: seed_commit of audit.open."""
    _check_32(secret)
    return sha256(secret).digest()


def draw_seed(*, secret: bytes, open_leaf: bytes, root: bytes, beacon: bytes = NO_BEACON) -> bytes:
    """SHA-256("TRUST/draw/v1" || secret || leaf hash of audit.open || root of the first checkpoint with it || beacon).

    Raises: DrawError unless all are 32 bytes.
    """
    _check_32(secret, open_leaf, root, beacon)
    return sha256(pad32(label="TRUST/draw/v1") + secret + open_leaf + root + beacon).digest()


def rank(*, seed: bytes, segment_id: UUID, round: int, candidate: Candidate) -> bytes:
    """Smallest of SHA-256(seed || segment_id || uint32 round || auditor_id || uint32 i), 0 <= i < weight.

    The smallest of w uniform values is w times as likely to be the smallest of all. Integers are big endian.

    >>> heavy, light = (Candidate(auditor_id=bytes(32), weight=weight) for weight in (8, 1))
    >>> ranks = [rank(seed=bytes(32), segment_id=UUID(int=1), round=0, candidate=c) for c in (heavy, light)]
    >>> ranks[0] <= ranks[1]
    True
    """
    # The common beginning is hashed once and copied for every ticket.
    beginning = seed + segment_id.bytes + round.to_bytes(4) + candidate.auditor_id
    if candidate.weight == 1:
        return sha256(beginning + bytes(4)).digest()
    start = sha256(beginning)
    digests = []
    for ticket in range(candidate.weight):
        trial = start.copy()
        trial.update(ticket.to_bytes(4))
        digests.append(trial.digest())
    return min(digests)


def draw(*, seed: bytes, segment_id: UUID, round: int, candidates: Iterable[Candidate]) -> list[bytes]:
    """All candidates' pseudonyms by ascending rank; the order does not depend on that of `candidates`.

    Raises: DrawError when an auditor stands there twice.
    """
    listed = list(candidates)
    ranked = {
        candidate.auditor_id: rank(seed=seed, segment_id=segment_id, round=round, candidate=candidate)
        for candidate in listed
    }
    if len(ranked) != len(listed):
        raise DrawError("an auditor stands twice in the eligible list")
    # Equal ranks would need a collision of SHA-256; the pseudonym settles even that.
    return sorted(ranked, key=lambda auditor: (ranked[auditor], auditor))


def may_sit(*, candidate: Candidate, position: int, held: Collection[int], segments: int, rules: DrawRules) -> bool:
    """Whether the constraints let `candidate` sit on the segment at `position` of `segments` in reading order.

    held: positions of this trace where it was seated before. Not twice on one segment; at most
    max(1, floor(share_cap * segments)) segments of a trace; load plus held below load_cap; no neighbours unless
    rules.adjacent.

    >>> rules = DrawRules(load_cap=9, share_cap=Decimal("0.3"), adjacent=False)
    >>> candidate = Candidate(auditor_id=bytes(32))
    >>> [may_sit(candidate=candidate, position=p, held={2}, segments=10, rules=rules) for p in (1, 2, 3, 4)]
    [False, False, False, True]
    """
    return _may_sit(candidate, position, held, _most_of_trace(segments, rules), rules)


def _may_sit(candidate: Candidate, position: int, held: Collection[int], most: int, rules: DrawRules) -> bool:
    if position in held or candidate.load + len(held) >= rules.load_cap or len(held) >= most:
        return False
    return rules.adjacent or not (position - 1 in held or position + 1 in held)


def _most_of_trace(segments: int, rules: DrawRules) -> int:
    return max(1, int(rules.share_cap * segments))


def free_rules() -> DrawRules:
    """No constraint but "not twice on one segment": for models, checkers and the trusted pool of adjudicators."""
    return DrawRules(load_cap=_NO_CAP, share_cap=Decimal(_NO_CAP), adjacent=True)


def in_draw_order(
    *,
    order: Sequence[Candidate],
    position: int,
    held: Mapping[bytes, Collection[int]],
    segments: int,
    rules: DrawRules,
) -> list[bytes]:
    """The candidates who may sit, in the order of the draw: the first k are seated, the next replace the silent.

    order: candidates by rank, as `draw` gives them. held: positions of this trace by pseudonym, for may_sit. Own traces
    and other conflicts are excluded before: they are not in the committed eligible list.
    """
    most = _most_of_trace(segments, rules)
    return [
        candidate.auditor_id
        for candidate in order
        if _may_sit(candidate, position, held.get(candidate.auditor_id, ()), most, rules)
    ]


def _check_32(*values: bytes) -> None:
    if any(len(value) != 32 for value in values):
        raise DrawError("secret, leaf hash, root and beacon have 32 bytes each")
