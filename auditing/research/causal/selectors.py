"""Causal batches and their trials, read back."""

from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User
from auditing.models import Audit
from auditing.research.causal.core import Causal, InterventionKind, Reaction, Summary, summarise
from auditing.research.models import CausalBatch, CausalTrial
from auditing.research.reports.selectors.audits import readable

MOST_LISTED = 100


def batches_of(*, owner: User) -> QuerySet[CausalBatch]:
    """The batches of one person, newest first."""
    return CausalBatch.objects.filter(owner=owner).order_by("-created")


def find_own_batch(*, owner: User, batch_id: UUID) -> CausalBatch | None:
    """A batch of one's own; somebody else's is as unknown as none."""
    return CausalBatch.objects.select_related("endpoint", "critic").filter(pk=batch_id, owner=owner).first()


def find_batch(*, batch_id: str) -> CausalBatch | None:
    """A batch for its worker, whoever asked for it."""
    return CausalBatch.objects.select_related("owner", "endpoint", "critic", "queries").filter(pk=batch_id).first()


def find_own_trial(*, owner: User, trial_id: int) -> CausalTrial | None:
    """A trial of one's own batch, with its audit and the block that holds both traces."""
    trials = CausalTrial.objects.select_related("batch__endpoint", "block", "audit__trace")
    return trials.filter(pk=trial_id, batch__owner=owner).first()


def audits_to_choose(*, user: User) -> QuerySet[Audit]:
    """The newest recorded audits that the person may read."""
    newest = readable(user=user).filter(stage="recorded").order_by("-created").values_list("pk", flat=True)
    return Audit.objects.filter(pk__in=list(newest[:MOST_LISTED])).select_related("trace")


def summary_of(*, batch: CausalBatch) -> Summary:
    """Classes, violations by both rules with Wilson intervals, means, and violations by type."""
    return summarise(results=[(InterventionKind(row.kind), _causal(row)) for row in batch.trials.defer("block")])


def _causal(row: CausalTrial) -> Causal:
    return Causal(
        reaction=Reaction(row.reaction),
        phi=row.phi,
        phi_net=row.phi_net,
        violation=row.violation,
        paper_violation=row.paper_violation,
        severity=row.severity,
        sentence=row.sentence,
    )
