"""Exports as rows of work: those of one person, and one of them."""

from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User
from auditing.models import Campaign
from auditing.permissions import may_export
from auditing.research.models import ExportJob


def exports_of(*, owner: User) -> QuerySet[ExportJob]:
    """The exports that this person asked for, newest first."""
    return ExportJob.objects.filter(owner=owner).order_by("-created")


def bundle_of(*, job: ExportJob) -> list[ExportJob]:
    """The exports of the same bundle, in the order of asking."""
    return list(ExportJob.objects.filter(owner=job.owner, bundle=job.bundle).order_by("created", "pk"))


def bundles_of(*, owner: User) -> list[tuple[str, str]]:
    """(id, words) of the bundles of one person, newest first."""
    words: dict[str, str] = {}
    for job in exports_of(owner=owner)[:200]:
        words.setdefault(str(job.bundle), f"{job.dataset}, {job.created:%Y-%m-%d %H:%M} UTC")
    return list(words.items())


def find_own_export(*, owner: User, job_id: UUID) -> ExportJob | None:
    """An export of one's own; somebody else's is as unknown as none."""
    job = ExportJob.objects.select_related("owner").filter(pk=job_id, owner=owner).first()
    return job if may_export(user=owner) else None


def find_export(*, job_id: str) -> ExportJob | None:
    """An export for its worker, whoever asked for it."""
    return ExportJob.objects.select_related("owner").filter(pk=job_id).first()


def campaigns_to_export() -> QuerySet[Campaign]:
    """Campaigns, newest first."""
    return Campaign.objects.order_by("-created")
