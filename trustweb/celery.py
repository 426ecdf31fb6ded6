"""The Celery application: its messages only say "look now"; the work is rows in PostgreSQL (docs/decisions/0002).

A lost message therefore costs seconds, until the next periodic sweep (trustweb/schedule.py), and never a vote.
"""

import logging
import os
import time
from typing import Any

from celery import Celery, Task, bootsteps
from celery.signals import task_prerun, worker_process_init
from django.apps import AppConfig

from trustweb import env

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")

# Beat only sends messages by name: without models and tasks it needs a third of the memory.
SENDS_ONLY = env.is_on("TRUST_SENDS_ONLY")
app = Celery("trust", fixups=[] if SENDS_ONLY else None)
app.config_from_object("django.conf:settings", namespace="CELERY")
# One queue for each kind of slowness, so that minutes of waiting for a model or writing an export never delay the
# milliseconds in which the computer tier examines a trace.
app.conf.task_routes = {
    "auditing.advance_audit": {"queue": "computer"},
    "auditing.ask_model": {"queue": "llm"},
    "auditing.run_iteration": {"queue": "llm"},
    "auditing.run_*": {"queue": "export"},  # an exact name, such as run_iteration above, wins over a pattern
}
log = logging.getLogger(__name__)
ANSWERED = "worker_answered"  # in the cache: when a worker last did what beat asked


class Wiring(AppConfig):
    """Named in the settings, so that every program that sets Django up has the application above, and no other has."""

    name = "trustweb"


class FitsTheDatabase(bootsteps.StartStopStep):  # type: ignore[misc]
    """Before a worker takes its first task: older code than the database's takes none."""

    requires = ("celery.worker.components:Pool",)

    def start(self, parent: Any) -> None:
        """Raises SystemExit with the reason."""
        from trustweb.serve.code_version import find_newer_database

        if trouble := find_newer_database():
            raise SystemExit(trouble)


def _gather_messages(**_: Any) -> None:
    """A task is done before the open pages of its audit are told."""
    from accounts import broadcast

    broadcast.gather()


def _look_at_connections(**_: Any) -> None:
    """As before every request: a connection whose server is gone, or which is old, is made anew."""
    from django.db import close_old_connections

    close_old_connections()


if not SENDS_ONLY:
    task_prerun.connect(_look_at_connections)
    # In each process that does the tasks, and not before it is forked: a thread does not survive a fork.
    worker_process_init.connect(_gather_messages)
    app.autodiscover_tasks()
    app.steps["worker"].add(FitsTheDatabase)


@app.task(name="trustweb.answer", ignore_result=True, bind=True)
def answer(self: Task) -> None:
    """A sign of life, which /healthz reads; kept for ever, so that after a long silence it still says since when.

    A worker whose code has become older than the database gives none and ends, once its tasks in hand are done.
    """
    from django.core.cache import cache

    from trustweb.serve.code_version import find_newer_database

    if trouble := find_newer_database():
        log.error("%s", trouble)
        self.app.control.shutdown(destination=[self.request.hostname])
        return
    cache.set(ANSWERED, time.time(), None)
