"""Long jobs: a row is the job and its place in the queue. One worker at a time, progress as it goes, cancelled between.

The claim is one conditional UPDATE, and `attempts` is the fencing token: every later write of the worker asks for the
number that it claimed, so that a worker whose lease has ended, and whose job another one took over, writes nothing.

Reads and writes every table that derives from models.jobs.Job.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from auditing import dispatch
from auditing.models import Job

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3


class JobStoppedError(Exception):
    """This job was cancelled, or another worker took it over."""


def enqueue(*, job: Job) -> None:
    """Tell the job's queue, after commit."""
    dispatch.enqueue(job.task, job.pk, queue=job.queue)


def enqueue_due(*, now: datetime) -> int:
    """Send messages for jobs that wait, and for those whose worker is gone; returns how many."""
    sent = 0
    for table in Job.__subclasses__():
        due = Q(state=Job.State.WAITING) | Q(state=Job.State.RUNNING, lease_until__lt=now)
        # Each app brings its own kinds of jobs; nothing here knows them by name.
        for job in table._default_manager.filter(due).order_by("created")[:50]:
            enqueue(job=job)
            sent += 1
    return sent


def claim(*, job: Job, now: datetime) -> bool:
    """Take the job; False when it is not free. After the last attempt it fails instead.

    A worker that dies (out of memory, killed by its time limit) writes nothing: the attempts are all there is to tell.
    """
    is_free = Q(state=Job.State.WAITING) | Q(state=Job.State.RUNNING, lease_until__lt=now)
    rows = type(job)._default_manager.filter(pk=job.pk)
    has_failed = rows.filter(is_free, attempts__gte=MAX_ATTEMPTS).update(
        state=Job.State.FAILED, error="The worker died each time it tried this.", finished_at=Now()
    )
    is_taken = not has_failed and rows.filter(is_free).update(
        state=Job.State.RUNNING,
        attempts=F("attempts") + 1,
        lease_until=now + _lease(job),
        started_at=Now(),
    )
    job.refresh_from_db()
    return bool(is_taken)


def step(*, job: Job, done: int, total: int = 0, says: str = "") -> None:
    """Store progress and renew the lease. Raises JobStoppedError when the job is not this worker's any more."""
    changes: dict[str, Any] = {"done": done, "lease_until": Now() + _lease(job)}
    changes |= {"total": total} if total else {}
    changes |= {"says": says[:200]} if says else {}
    # No row: it was cancelled, or its lease ended and somebody else claimed it.
    if not _mine(job).update(**changes):
        raise JobStoppedError(JobStoppedError.__doc__)


def finish(*, job: Job, **fields: Any) -> None:
    """Store the result: the job is done. Raises JobStoppedError when it is not this worker's any more."""
    if not _mine(job).update(
        **{"state": Job.State.DONE, "finished_at": Now(), "lease_until": None, "says": "", **fields}
    ):
        raise JobStoppedError(JobStoppedError.__doc__)


def fail(*, job: Job, why: str) -> None:
    """The job cannot be done; `why` is for people."""
    _mine(job).update(state=Job.State.FAILED, finished_at=Now(), lease_until=None, error=why[:500])


def cancel(*, job: Job) -> bool:
    """Stop a job; its worker notices at its next step. False when it is over already."""
    open_jobs = type(job)._default_manager.filter(pk=job.pk, state__in=[Job.State.WAITING, Job.State.RUNNING])
    return bool(open_jobs.update(state=Job.State.CANCELLED, finished_at=Now(), lease_until=None))


def run(*, job: Job, now: datetime, work: Callable[[], None], refusals: tuple[type[Exception], ...] = ()) -> str:
    """Claim the job, do its work, and store how it ended; returns its state.

    refusals: errors whose words are for people. Of any other error the page shows only the type; the log has the rest.
    """
    if not claim(job=job, now=now):
        return str(job.state)
    try:
        work()
    # Cancelled, or taken over by another worker: either way the row is no longer ours to write.
    except JobStoppedError:
        log.info("%s stopped", job)
    except refusals as error:
        fail(job=job, why=str(error))
    except Exception as error:
        log.exception("%s failed", job)
        fail(job=job, why=f"It stopped on an error of its own ({type(error).__name__}); the log has the details.")
    job.refresh_from_db()
    return str(job.state)


def _mine(job: Job) -> QuerySet[Job]:
    """The job's row, as long as it is in the hands of the worker that claimed this attempt."""
    return type(job)._default_manager.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts)


def _lease(job: Job) -> timedelta:
    return timedelta(seconds=job.lease_seconds)
