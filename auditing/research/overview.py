"""What a researcher finds on the front page: counts, each by one aggregate."""

from dataclasses import dataclass
from typing import Any

from auditing.core.stages import RoundStage
from auditing.models import Vote
from auditing.research.models import CausalBatch, ExportJob, ImportedVote, StudyRun, TrainingLoop
from auditing.selectors.report.audits import readable


@dataclass(frozen=True, slots=True)
class Overview:
    """How much there is."""

    audits: int
    votes: int
    imported: int
    exports: int
    studies: int
    loops: int
    batches: int


def overview(*, user: Any) -> Overview:
    """Counts of what `user` may use."""
    audits = readable(user=user)
    return Overview(
        audits=audits.count(),
        votes=Vote.objects.filter(seat__round__audit__in=audits, seat__round__stage=RoundStage.TALLIED).count(),
        imported=ImportedVote.objects.count(),
        exports=ExportJob.objects.filter(owner=user).count(),
        studies=StudyRun.objects.count(),
        loops=TrainingLoop.objects.count(),
        batches=CausalBatch.objects.count(),
    )
