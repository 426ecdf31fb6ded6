"""Every type of leaf that the ledger holds: closed records of commitments, digests, counts and outcomes.

`encode(leaf=VoteCommit(...))` gives the entry that is hashed; `decode(entry=...)` gives the leaf back. An entry is
RFC 8785 JSON of at most 16 KiB: {"v":1,"t":"vote.commit",...}. No float, no text of a trace, no user id:
identifiers are random (audit, segment, seat) or pseudonyms of one audit (auditor). Times are whole seconds since
1970, UTC, of the database's clock. docs/guides/ledger.md says which leaf is written when;
auditing/verifier/verify_audit.py recomputes all.
"""

from auditing.core.ledger.leaves.coding import TYPES, VERSION, Leaf, decode, encode
from auditing.core.ledger.leaves.digests import assignment_digest, commitments_digest, gold_digest
from auditing.core.ledger.leaves.fields import Digest, LeafError, Name, Parameters, published
from auditing.core.ledger.leaves.outcomes import (
    AskedPassage,
    AuditorSkill,
    DrawHead,
    Escalation,
    OutcomePreliminary,
    OutcomeRollback,
    SegmentOutcome,
    Skills,
    TraceOutcome,
    WavePlan,
)
from auditing.core.ledger.leaves.register import (
    Anchor,
    Appeal,
    ConductDecision,
    ExperimentRegister,
    GoldOverturn,
    GoldReveal,
    KeyRotate,
    ParamsPolicy,
    Truth,
)
from auditing.core.ledger.leaves.seating import (
    NEEDED_PARAMETERS,
    AuditOpen,
    DrawRules,
    EligibleExtend,
    RoundOpen,
    SeatAssign,
    Submission,
    Substitution,
)
from auditing.core.ledger.leaves.settlement import Column, Payout, PayoutLine, Posting, ReputationUpdate
from auditing.core.ledger.leaves.votes import (
    MOST_OPENINGS,
    PhaseReveal,
    RevealedVote,
    SilentSeat,
    VoteCommit,
    VoteNoReveal,
    VoteReveal,
    VoteUnopened,
)

__all__ = [
    "MOST_OPENINGS",
    "NEEDED_PARAMETERS",
    "TYPES",
    "VERSION",
    "Anchor",
    "Appeal",
    "AskedPassage",
    "AuditOpen",
    "AuditorSkill",
    "Column",
    "ConductDecision",
    "Digest",
    "DrawHead",
    "DrawRules",
    "EligibleExtend",
    "Escalation",
    "ExperimentRegister",
    "GoldOverturn",
    "GoldReveal",
    "KeyRotate",
    "Leaf",
    "LeafError",
    "Name",
    "OutcomePreliminary",
    "OutcomeRollback",
    "Parameters",
    "ParamsPolicy",
    "Payout",
    "PayoutLine",
    "PhaseReveal",
    "Posting",
    "ReputationUpdate",
    "RevealedVote",
    "RoundOpen",
    "SeatAssign",
    "SegmentOutcome",
    "SilentSeat",
    "Skills",
    "Submission",
    "Substitution",
    "TraceOutcome",
    "Truth",
    "VoteCommit",
    "VoteNoReveal",
    "VoteReveal",
    "VoteUnopened",
    "WavePlan",
    "assignment_digest",
    "commitments_digest",
    "decode",
    "encode",
    "gold_digest",
    "published",
]
