"""Encoding of a leaf as the entry that is hashed (canonical JSON, RFC 8785), and decoding that accepts nothing else."""

from typing import Any, TypeAlias

from auditing.core.ledger.leaves import outcomes, register, seating, settlement, votes
from auditing.core.ledger.leaves.fields import LeafError, from_fields, to_fields
from auditing.translog.sequencing import LARGEST_ENTRY
from hdag.core import canonical

VERSION = 1

Leaf: TypeAlias = (
    seating.Submission
    | seating.AuditOpen
    | seating.EligibleExtend
    | seating.RoundOpen
    | seating.SeatAssign
    | seating.Substitution
    | votes.VoteCommit
    | votes.PhaseReveal
    | votes.VoteReveal
    | votes.VoteNoReveal
    | votes.VoteUnopened
    | outcomes.Skills
    | outcomes.OutcomePreliminary
    | outcomes.OutcomeRollback
    | outcomes.Escalation
    | outcomes.WavePlan
    | outcomes.SegmentOutcome
    | outcomes.TraceOutcome
    | settlement.ReputationUpdate
    | settlement.Payout
    | register.GoldReveal
    | register.GoldOverturn
    | register.Appeal
    | register.ConductDecision
    | register.ParamsPolicy
    | register.ExperimentRegister
    | register.KeyRotate
    | register.Anchor
)
TYPES: dict[str, type[Any]] = {leaf_type.TYPE: leaf_type for leaf_type in Leaf.__args__}
"""Name of the type, as entries state it -> its class."""


def encode(*, leaf: Leaf) -> bytes:
    """The entry: canonical JSON with version and type. Raises: LeafError naming the field, or beyond 16 KiB."""
    try:
        entry = canonical.encode(value={"v": VERSION, "t": leaf.TYPE, **to_fields(value=leaf)})
    except canonical.NotCanonicalError as error:
        raise LeafError(f"{leaf.TYPE}: {error}") from None
    except LeafError as error:
        raise LeafError(f"{leaf.TYPE}: {error}") from None
    if len(entry) > LARGEST_ENTRY:
        raise LeafError(f"{leaf.TYPE}: {len(entry)} bytes are more than the {LARGEST_ENTRY} of a leaf")
    return entry


def decode(*, entry: bytes) -> Leaf:
    """The leaf of an entry. Raises: LeafError (not canonical, unknown version, type or key, wrong value)."""
    if len(entry) > LARGEST_ENTRY:
        raise LeafError(f"{len(entry)} bytes are more than the {LARGEST_ENTRY} of a leaf")
    try:
        data = canonical.decode_canonical(data=entry)
    except canonical.NotCanonicalError as error:
        raise LeafError(str(error)) from None
    if not isinstance(data, dict) or type(data.get("v")) is not int or data["v"] != VERSION:  # true == 1 in Python
        raise LeafError("not a leaf of version 1")
    name = data.get("t")
    if not isinstance(name, str) or name not in TYPES:
        raise LeafError(f"unknown type {str(name)[:64]!r}")
    values = {key: value for key, value in data.items() if key not in ("v", "t")}
    leaf: Leaf = from_fields(record_type=TYPES[name], data=values, where=name)
    return leaf
