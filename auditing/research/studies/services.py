"""Runs of studies as jobs: a task passes the study in as `work`, this service keeps the rows of its run.

Writes StudyRun, StudyPiece: a run whose worker died, or that a person takes up again, goes on with the pieces it has.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from auditing.core.events import EventKind
from auditing.research.models import StudyPiece, StudyRun
from auditing.services import jobs
from auditing.services.events import record_event

Say = Callable[[str, float], None]
# Progress is a share; rows of work count in whole numbers.
THOUSAND = 1000


def ask(*, owner: User, study: str, seed: int, full: bool, options: Mapping[str, str]) -> StudyRun:
    """Queue a run."""
    with transaction.atomic():
        row = StudyRun.objects.create(
            owner=owner, study=study, seed=seed, full=full, options=dict(options), total=THOUSAND
        )
        record_event(audit=None, kind=EventKind.STUDY_ASKED, actor=owner, job=str(row.pk), study=study)
        jobs.enqueue(job=row)
    return row


def is_partial(*, report: Mapping[str, Any] | None) -> bool:
    """Whether a report lacks answers of a model."""
    return bool(report and (report.get("coverage") or {}).get("failed"))


@dataclass(frozen=True, slots=True)
class Pieces:
    """The notebook of a run in the database."""

    row: StudyRun

    def find(self, *, key: str) -> Any:
        """The value kept under `key`, None for nothing."""
        return StudyPiece.objects.filter(run=self.row, key=key[:200]).values_list("value", flat=True).first()

    def keep(self, *, key: str, value: Any) -> None:
        """Keep a value; two workers that did the same piece did the same."""
        row = StudyPiece(run=self.row, key=key[:200], value=value)
        # A duplicate key is left alone: whichever worker was first, the value is the same.
        StudyPiece.objects.bulk_create([row], ignore_conflicts=True)


def take_up(*, row: StudyRun) -> bool:
    """A run that failed, was cancelled or is partial waits again, with the pieces it has. False for any other."""
    stopped = Q(state__in=[StudyRun.State.FAILED, StudyRun.State.CANCELLED])
    with transaction.atomic():
        # One conditional update: of two clicks only the first one finds the row.
        over = StudyRun.objects.filter(
            stopped | Q(state=StudyRun.State.DONE, report__coverage__failed__gt=0), pk=row.pk
        )
        taken = over.update(state=StudyRun.State.WAITING, attempts=0, error="", finished_at=None, lease_until=None)
        if taken:
            jobs.enqueue(job=row)
    return bool(taken)


def run(
    *,
    row: StudyRun,
    now: datetime,
    work: Callable[[Say, Pieces], dict[str, Any]],
    refusals: tuple[type[Exception], ...],
) -> str:
    """Run `work`, which is told where to say how far it is and keep pieces, and gives the report as JSON values."""

    def say(text: str, share: float) -> None:
        jobs.step(job=row, done=round(share * THOUSAND), says=text)

    def whole() -> None:
        report = storable(work(say, Pieces(row)))
        with transaction.atomic():
            jobs.finish(job=row, report=report, passed=report.get("passed"), done=THOUSAND)
            # The report holds what the pieces were for; a partial one is asked again for its holes.
            if not is_partial(report=report):
                row.pieces.all().delete()

    return jobs.run(job=row, now=now, work=whole, refusals=refusals)


def storable(value: Any) -> Any:
    """A value as PostgreSQL's JSON holds it: numpy numbers as Python's, what is not finite as None.

    >>> storable({"a": (1.5, float("inf"))})
    {'a': [1.5, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): storable(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [storable(member) for member in value]
    # numpy's scalars know their Python value.
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float):
        return plain if math.isfinite(plain) else None
    return plain if plain is None or isinstance(plain, bool | int | str) else str(plain)
