"""What several rooms of research read: the counts of the front page, and endpoints that may see whole traces."""

from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.models import User
from auditing.core.stages import RoundStage
from auditing.models import Vote
from auditing.research.models import CausalBatch, ExportJob, ImportedVote, StudyRun, TrainingLoop
from auditing.research.reports.selectors.audits import readable
from hdag.models import Endpoint


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


def overview(*, user: User) -> Overview:
    """Counts of what `user` may use."""
    audits = readable(user=user)
    return Overview(
        audits=audits.count(),
        # Votes of a round that is not counted yet are secret, even their number.
        votes=Vote.objects.filter(seat__round__audit__in=audits, seat__round__stage=RoundStage.TALLIED).count(),
        imported=ImportedVote.objects.count(),
        exports=ExportJob.objects.filter(owner=user).count(),
        studies=StudyRun.objects.count(),
        loops=TrainingLoop.objects.count(),
        batches=CausalBatch.objects.count(),
    )


def endpoints_for_traces() -> QuerySet[Endpoint]:
    """Enabled endpoints whose models may see whole traces, by name."""
    return Endpoint.objects.filter(enabled=True, may_see=Endpoint.MaySee.TRACES).order_by("name")
