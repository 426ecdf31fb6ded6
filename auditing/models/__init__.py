"""The tables of the corridor, one file per group of rooms."""

from auditing.models.appeal import Adjudication, Appeal
from auditing.models.audit import Audit, AuditEvent
from auditing.models.campaign import Campaign, Guidelines, PolicyVersion
from auditing.models.desk import Draft, Notice, OwnKey
from auditing.models.elsewhere import ImportedVote, ImportedVoteSet
from auditing.models.erasure import Erasure
from auditing.models.gold import GoldAnswer, GoldSegment, Qualification
from auditing.models.jobs import CausalBatch, CausalTrial, ExportJob, Job, StudyPiece, StudyRun
from auditing.models.ledger import Anchoring, Checkpoint, Leaf, PublicKey, Witness
from auditing.models.machine import Document, FamilyMeasure, SeatAttempt, SoundnessRun, SoundnessThreshold
from auditing.models.outcome import SegmentOutcome, TraceOutcome
from auditing.models.posting import Account, Posting, Transfer
from auditing.models.roster import Roster
from auditing.models.round import Auditor, Round, Route, Seat
from auditing.models.standing import CollusionFlag, GoldTruth, Recusal, ReputationStep, SkillSnapshot
from auditing.models.training import Correction, Evaluation, Iteration, ProofScore, TrainingLoop
from auditing.models.vote import Commitment, Vote

__all__ = [
    "Account",
    "Adjudication",
    "Anchoring",
    "Appeal",
    "Audit",
    "AuditEvent",
    "Auditor",
    "Campaign",
    "CausalBatch",
    "CausalTrial",
    "Checkpoint",
    "CollusionFlag",
    "Commitment",
    "Correction",
    "Document",
    "Draft",
    "Erasure",
    "Evaluation",
    "ExportJob",
    "FamilyMeasure",
    "GoldAnswer",
    "GoldSegment",
    "GoldTruth",
    "Guidelines",
    "ImportedVote",
    "ImportedVoteSet",
    "Iteration",
    "Job",
    "Leaf",
    "Notice",
    "OwnKey",
    "PolicyVersion",
    "Posting",
    "ProofScore",
    "PublicKey",
    "Qualification",
    "Recusal",
    "ReputationStep",
    "Roster",
    "Round",
    "Route",
    "Seat",
    "SeatAttempt",
    "SegmentOutcome",
    "SkillSnapshot",
    "SoundnessRun",
    "SoundnessThreshold",
    "StudyPiece",
    "StudyRun",
    "TraceOutcome",
    "TrainingLoop",
    "Transfer",
    "Vote",
    "Witness",
]
