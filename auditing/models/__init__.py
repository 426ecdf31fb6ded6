"""The tables of the corridor, one file per group of rooms."""

from auditing.models.consensus.appeal import Adjudication, Appeal
from auditing.models.intake.audit import Audit, AuditEvent
from auditing.models.campaigns import Campaign, Guidelines, PolicyVersion
from auditing.models.voting.desk import Draft, Notice, OwnKey
from auditing.research.imported_votes.models import ImportedVote, ImportedVoteSet
from auditing.models.intake.erasure import Erasure
from auditing.models.gold import GoldAnswer, GoldSegment, Qualification
from auditing.research.models import CausalBatch, CausalTrial, ExportJob, StudyPiece, StudyRun
from auditing.models.jobs import Job
from auditing.models.ledger import Anchoring, Checkpoint, Leaf, PublicKey, Witness
from auditing.models.model_tier import Document, FamilyMeasure, SeatAttempt, SoundnessRun, SoundnessThreshold
from auditing.models.consensus.outcome import SegmentOutcome, TraceOutcome
from auditing.models.points.posting import Account, Posting, Transfer
from auditing.models.seating.roster import Roster
from auditing.models.seating.round import Auditor, Round, Route, Seat
from auditing.models.points.standing import CollusionFlag, GoldTruth, Recusal, ReputationStep, SkillSnapshot
from auditing.research.rado.models import Correction, Evaluation, Iteration, ProofScore, TrainingLoop
from auditing.models.voting.vote import Commitment, Vote

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
