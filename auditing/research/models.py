"""The tables of research, one file a room."""

from auditing.research.campaigns.models import GuidelineQuestion
from auditing.research.causal.models import CausalBatch, CausalTrial
from auditing.research.comments.models import Comment
from auditing.research.exports.models import ExportJob
from auditing.research.imported_votes.models import ImportedVote, ImportedVoteSet
from auditing.research.norming.models import NormingRemark, NormingRoom, NormingVote
from auditing.research.prior.models import CampaignPrior, PriorOrder, PriorPlace
from auditing.research.rado.models import Correction, Evaluation, Iteration, ProofScore, TrainingLoop
from auditing.research.studies.models import StudyPiece, StudyRun

__all__ = [
    "CampaignPrior",
    "CausalBatch",
    "CausalTrial",
    "Comment",
    "Correction",
    "Evaluation",
    "ExportJob",
    "GuidelineQuestion",
    "ImportedVote",
    "ImportedVoteSet",
    "Iteration",
    "NormingRemark",
    "NormingRoom",
    "NormingVote",
    "PriorOrder",
    "PriorPlace",
    "ProofScore",
    "StudyPiece",
    "StudyRun",
    "TrainingLoop",
]
