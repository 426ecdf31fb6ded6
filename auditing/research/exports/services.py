"""Exports as jobs. Reads what the asker may read; writes ExportJob and one file in EXPORT_DIR.

The row is the queue of record; a cancelled, failed or lost export leaves no file.
"""

import re
import shutil
import tarfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from accounts.models import User
from auditing.core.events import EventKind
from auditing.research.exports.difference import Difference, Snapshot, difference_between
from auditing.research.exports.formats import (
    DATASETS,
    ExportRefusedError,
    Format,
    Row,
    Shape,
    Written,
    write_records,
    write_rows,
)
from auditing.research.exports.formats.datasets import OF_NO_TRACE
from auditing.research.exports.selectors.origins import with_origins
from auditing.research.exports.selectors.scope import FilterRefusedError, Filters, Scope
from auditing.research.exports.selectors.sources import SOURCES
from auditing.research.models import CausalTrial, ExportJob
from auditing.services import jobs
from auditing.services.events import record_event
from hdag.models import Trace

# Finished files hold personal data, so they do not stay for ever.
RETENTION = timedelta(days=7)
ENDINGS: dict[str, str] = {
    Format.JSONL: "jsonl",
    Format.CSV: "csv",
    Format.PARQUET: "parquet",
    Format.HUGGING_FACE: "tar",
    Shape.PROCESSBENCH: "processbench.jsonl",
    Shape.PRM800K: "prm800k.jsonl",
}
# What a file name may hold on every system.
_PLAIN = re.compile(r"[^A-Za-z0-9._-]")


class BundleRefusedError(ExportRefusedError):
    """Nobody takes the pseudonyms of somebody else."""


def ask(
    *, owner: User, dataset: str, format: str, filters: Filters, with_text: bool = False, bundle: UUID | None = None
) -> ExportJob:
    """Queue an export. Raises ExportRefusedError for an unknown data set or format, or a shape without its text.

    bundle: of an earlier export of the same person, whose pseudonyms it then bears; None: a bundle of its own.
    """
    shaped = format in tuple(Shape)
    if dataset not in DATASETS or not (shaped or format in tuple(Format)):
        raise ExportRefusedError(f"there is no data set {dataset!r} as {format!r}")
    if shaped and (dataset != "steps" or not with_text):
        raise ExportRefusedError(f"records of {format} are made of the data set steps, and need its text")
    with transaction.atomic():
        job = ExportJob.objects.create(
            owner=owner,
            dataset=dataset,
            format=format,
            filters=filters.as_json(),
            with_text=with_text,
            bundle=_checked(owner, bundle),
        )
        record_event(
            audit=None, kind=EventKind.EXPORT_ASKED, actor=owner, job=str(job.pk), dataset=dataset, text=with_text
        )
        jobs.enqueue(job=job)
    return job


def _checked(owner: User, bundle: UUID | None) -> UUID:
    """Somebody else's bundle would tell whose pseudonyms are whose."""
    if bundle is None:
        return uuid4()
    if not ExportJob.objects.filter(owner=owner, bundle=bundle).exists():
        raise BundleRefusedError("you have no export in this bundle")
    return bundle


def run(*, job: ExportJob, now: datetime) -> str:
    """Write the file of a queued job; returns the state in which the job is then."""
    return jobs.run(job=job, now=now, work=lambda: _write(job), refusals=(ExportRefusedError, FilterRefusedError))


def rows_of(*, owner: User, dataset: str, filters: Filters, salt: str, with_text: bool = False) -> Iterator[Row]:
    """The rows that `owner` may take out, as a stream."""
    scope = Scope(owner, filters, salt, with_text)
    rows = SOURCES[dataset](scope)
    return rows if dataset in OF_NO_TRACE else with_origins(rows=rows, scope=scope)


def path_of(*, job: ExportJob) -> Path:
    """Where the file of a finished job lies."""
    return Path(settings.EXPORT_DIR, Path(job.file).name)


def file_name(*, job: ExportJob) -> str:
    """The name that a browser saves it under."""
    return f"trust-{_PLAIN.sub('-', job.dataset)}-{job.created:%Y-%m-%d}.{ENDINGS[job.format]}"


def are_comparable(*, earlier: ExportJob, later: ExportJob) -> bool:
    """Whether the second is a later snapshot of the first: finished files of the same question in one bundle."""
    return (
        earlier.created < later.created
        and earlier.state == later.state == ExportJob.State.DONE
        and all(
            getattr(earlier, name) == getattr(later, name) for name in ("bundle", "dataset", "filters", "with_text")
        )
        # A packed folder and a record of training would have to be unpacked first.
        and {earlier.format, later.format} <= {Format.JSONL, Format.CSV, Format.PARQUET}
    )


def compare(*, earlier: ExportJob, later: ExportJob) -> Difference:
    """What changed between two snapshots that are comparable."""
    first, second = (Snapshot(path_of(job=job), job.dataset, job.format) for job in (earlier, later))
    return difference_between(earlier=first, later=second)


def forget_old(*, now: datetime) -> int:
    """Delete files of exports that are over for a week, and rows that lead to none."""
    old = ExportJob.objects.filter(finished_at__lt=now - RETENTION).exclude(state=ExportJob.State.RUNNING)
    for job in old:
        if job.file:
            path_of(job=job).unlink(missing_ok=True)
    return old.delete()[0]


def forget_texts(trace: Trace) -> None:
    """Its text is being erased: finished files that hold it are deleted after commit, unfinished ones start again."""
    unfinished = ExportJob.objects.filter(with_text=True, state=ExportJob.State.RUNNING)
    # Raising `attempts` takes the row away from the worker that is writing it: its next write finds nothing.
    unfinished.update(state=ExportJob.State.WAITING, attempts=F("attempts") + 1, lease_until=None)
    finished = ExportJob.objects.filter(with_text=True, state=ExportJob.State.DONE, finished_at__gte=trace.created)
    for job in finished.select_related("owner"):
        scope = Scope(job.owner, Filters.read(job.filters), str(job.bundle), with_text=True)
        # Only files whose scope covers the trace can hold its text.
        if scope.audits().filter(trace=trace).exists():
            transaction.on_commit(partial(path_of(job=job).unlink, missing_ok=True))
            job.delete()


def texts_of_trials(trace: Trace) -> QuerySet[Any, Any]:
    """Blocks of causal trials: both their traces hold words of this one."""
    return CausalTrial.objects.filter(audit__trace=trace).values("block")


def _write(job: ExportJob) -> None:
    """One cursor is one snapshot: a row that changes meanwhile is not seen twice."""
    dataset = DATASETS[job.dataset]
    rows = rows_of(
        owner=job.owner,
        dataset=job.dataset,
        filters=Filters.read(job.filters),
        salt=str(job.bundle),
        with_text=job.with_text,
    )
    # The attempt is part of the name: a worker that lost its lease cannot write into the file of the next one.
    path = settings.EXPORT_DIR / f"{job.pk}.{job.attempts}.{ENDINGS[job.format]}"
    if job.format in tuple(Shape):
        _write_shape(job, rows, path)
        return
    format = Format(job.format)
    target = path.with_suffix("") if format is Format.HUGGING_FACE else path
    written = write_rows(
        rows=rows,
        dataset=dataset,
        path=target,
        format=format,
        about=_about(job),
        on_progress=lambda done: jobs.step(job=job, done=done, says=f"{done:,} rows"),
    )
    if format is Format.HUGGING_FACE:
        # A Hugging Face data set is a folder, a download is one file.
        _pack(target, path)
    try:
        _finish(job, path, written)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _write_shape(job: ExportJob, rows: Iterator[Row], path: Path) -> None:
    count, digest = write_records(
        rows=rows,
        dataset=DATASETS[job.dataset],
        path=path,
        shape=Shape(job.format),
        day=f"{job.created:%Y-%m-%d}",
        on_progress=lambda done: jobs.step(job=job, done=done, says=f"{done:,} traces"),
    )
    try:
        _finish(job, path, Written(path, count, digest, path.stat().st_size))
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _finish(job: ExportJob, path: Path, written: Written) -> None:
    with transaction.atomic():
        jobs.finish(
            job=job,
            rows=written.rows,
            size=path.stat().st_size,
            content_hash=written.content_hash,
            file=path.name,
            done=written.rows,
            total=written.rows,
        )
        record_event(audit=None, kind=EventKind.EXPORT_DONE, actor=job.owner, job=str(job.pk), rows=written.rows)


def _pack(folder: Path, path: Path) -> None:
    """One uncompressed tar of the folder (its shards are compressed already), so that it can be resumed like a file."""
    try:
        with tarfile.open(path, "w") as packed:
            packed.add(folder, arcname="trust-dataset")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _about(job: ExportJob) -> str:
    narrowed = Filters.read(job.filters).sentence(dataset=job.dataset)
    return f"Exported on {job.created:%Y-%m-%d}. {narrowed} Text: {'yes' if job.with_text else 'no'}."
