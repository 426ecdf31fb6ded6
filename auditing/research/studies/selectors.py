"""Runs of studies, read back."""

from uuid import UUID

from django.db.models import QuerySet

from auditing.research.models import StudyRun


def newest_runs() -> QuerySet[StudyRun]:
    """Everybody's runs, newest first, without their reports."""
    return StudyRun.objects.select_related("owner").defer("report").order_by("-created")


def find_run(*, run_id: UUID | str) -> StudyRun | None:
    """One run with its report, None when there is none of this id."""
    return StudyRun.objects.select_related("owner").filter(pk=run_id).first()
