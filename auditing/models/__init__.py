"""The tables of the corridor, one file per group of rooms."""

from auditing.models.audit import Audit, AuditEvent
from auditing.models.campaign import Campaign, Guidelines, PolicyVersion
from auditing.models.desk import Draft, Notice
from auditing.models.gold import GoldAnswer, GoldSegment, Qualification
from auditing.models.ledger import Checkpoint, Leaf, PublicKey
from auditing.models.outcome import SegmentOutcome, TraceOutcome
from auditing.models.posting import Account, Posting, Transfer
from auditing.models.round import Auditor, Round, Route, Seat
from auditing.models.vote import Commitment, Vote

__all__ = [
    "Account",
    "Audit",
    "AuditEvent",
    "Auditor",
    "Campaign",
    "Checkpoint",
    "Commitment",
    "Draft",
    "GoldAnswer",
    "GoldSegment",
    "Guidelines",
    "Leaf",
    "Notice",
    "PolicyVersion",
    "Posting",
    "PublicKey",
    "Qualification",
    "Round",
    "Route",
    "Seat",
    "SegmentOutcome",
    "TraceOutcome",
    "Transfer",
    "Vote",
]
