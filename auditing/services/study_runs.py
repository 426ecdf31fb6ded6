"""Runs of studies as jobs: the outside floor knows the studies, this room keeps their rows. Writes StudyRun."""

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from auditing.models import StudyRun
from auditing.services import jobs
from auditing.services.doors import note

Say = Callable[[str, float], None]
THOUSAND = 1000


def ask(*, owner: Any, study: str, seed: int, full: bool, options: Mapping[str, str]) -> StudyRun:
    """Queue a run."""
    with transaction.atomic():
        row = StudyRun.objects.create(
            owner=owner, study=study, seed=seed, full=full, options=dict(options), total=THOUSAND
        )
        note(audit=None, kind="study.asked", actor=owner, job=str(row.pk), study=study)
        jobs.ring(job=row)
    return row


def run(*, row: StudyRun, now: datetime, work: Callable[[Say], dict[str, Any]], refusals: Any) -> str:
    """Run `work`, which is told where to say how far it is and gives the report as JSON values."""

    def say(text: str, share: float) -> None:
        jobs.step(job=row, done=round(share * THOUSAND), says=text)

    def whole() -> None:
        report = storable(work(say))
        jobs.finish(job=row, report=report, passed=report.get("passed"), done=THOUSAND)

    return jobs.run(job=row, now=now, work=whole, refusals=refusals)


def storable(value: Any) -> Any:
    """A value as PostgreSQL's JSON holds it: numpy numbers as Python's, what is not finite as None.

    >>> storable({"a": (1.5, float("inf"))})
    {'a': [1.5, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float):
        return plain if math.isfinite(plain) else None
    return plain if plain is None or isinstance(plain, bool | int | str) else str(plain)
