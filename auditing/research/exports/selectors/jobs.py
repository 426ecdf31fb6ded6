"""Exports as rows of work: those of one person, and one of them."""

from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from accounts.listing import Column, Filter, Query, RowPage, page_of
from accounts.models import User
from auditing.models import Campaign
from auditing.permissions import may_export
from auditing.research.exports.formats import DATASETS
from auditing.research.models import ExportJob


def exports_of(*, owner: User) -> QuerySet[ExportJob]:
    """The exports that this person asked for, newest first."""
    return ExportJob.objects.filter(owner=owner).order_by("-created")


COLUMNS = (
    Column("state", "State", "state"),
    Column("dataset", "Data set", "dataset"),
    Column("format", "Format", "format"),
    Column("rows", "Rows", "rows_written", is_number=True),
    Column("created", "Asked", "created"),
)
FILTERS = (
    Filter("dataset", "Data set", choices=tuple((name, name) for name in DATASETS)),
    Filter("state", "State", choices=tuple((state, state) for state in ExportJob.State.values)),
)
NEWEST = "-created"


def export_rows(*, owner: User, query: Query, after: str = "") -> RowPage[ExportJob]:
    """One page of the exports that this person asked for."""
    # A job that writes still has no rows: it sorts as one of none.
    rows = ExportJob.objects.filter(owner=owner).annotate(rows_written=Coalesce("rows", 0))
    if dataset := query["dataset"]:
        rows = rows.filter(dataset=dataset)
    if state := query["state"]:
        rows = rows.filter(state=state)
    return page_of(rows=rows, columns=COLUMNS, sort=query.sort, after=after)


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
