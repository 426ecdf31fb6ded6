"""The corridor's tables, by room; importers take every model from here."""

from auditing.models.campaigns import Campaign, Guidelines, Notice
from auditing.models.conduct import CollusionRing, ConductCase
from auditing.models.consensus.appeal import Adjudication, Appeal
from auditing.models.consensus.outcome import SegmentOutcome, TraceOutcome
from auditing.models.consensus.skills import CollusionFlag, FollowMeasure, SkillSnapshot, WeightSource
from auditing.models.gold import (
    Decoy,
    GoldAnswer,
    GoldDispute,
    GoldOverturn,
    GoldSegment,
    GoldTruth,
    Qualification,
)
from auditing.models.intake.audit import Audit, AuditEvent
from auditing.models.intake.erasure import Erasure
from auditing.models.jobs import Job
from auditing.models.ledger import Anchoring, Checkpoint, Leaf, PublicKey, Witness
from auditing.models.model_tier import Document, FamilyMeasure, ModelConsent, SeatAttempt
from auditing.models.points.posting import Account, Posting, Transfer
from auditing.models.points.reputation import ReputationStep
from auditing.models.points.withdrawal import Withdrawal
from auditing.models.policy import PolicyVersion
from auditing.models.report import Share
from auditing.models.routing import Route
from auditing.models.seating.recusal import Recusal
from auditing.models.seating.roster import Roster
from auditing.models.seating.round import Auditor, Round, Seat
from auditing.models.soundness import SoundnessRun, SoundnessThreshold
from auditing.models.voting.desk import Draft, OwnKey
from auditing.models.voting.remark import Remark
from auditing.models.voting.vote import Commitment, DeskSigns, Vote

__all__ = [
    "Account",
    "Adjudication",
    "Anchoring",
    "Appeal",
    "Audit",
    "AuditEvent",
    "Auditor",
    "Campaign",
    "Checkpoint",
    "CollusionFlag",
    "CollusionRing",
    "Commitment",
    "ConductCase",
    "Decoy",
    "DeskSigns",
    "Document",
    "Draft",
    "Erasure",
    "FamilyMeasure",
    "FollowMeasure",
    "GoldAnswer",
    "GoldDispute",
    "GoldOverturn",
    "GoldSegment",
    "GoldTruth",
    "Guidelines",
    "Job",
    "Leaf",
    "ModelConsent",
    "Notice",
    "OwnKey",
    "PolicyVersion",
    "Posting",
    "PublicKey",
    "Qualification",
    "Recusal",
    "Remark",
    "ReputationStep",
    "Roster",
    "Round",
    "Route",
    "Seat",
    "SeatAttempt",
    "SegmentOutcome",
    "Share",
    "SkillSnapshot",
    "SoundnessRun",
    "SoundnessThreshold",
    "TraceOutcome",
    "Transfer",
    "Vote",
    "WeightSource",
    "Withdrawal",
    "Witness",
]
