"""Real Celery workers on the test database, in process groups of their own, that can really be killed."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

from django.conf import settings
from django.db import connection

from tests.tools.patience import PATIENCE, wait_for
from tests.tools.system import ROOT

NAME = "a worker of the tests"  # of its connections


@contextlib.contextmanager
def worker(queues: str, **changes: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker with one child on `queues`; `changes` go into its environment. Killed at the end."""
    address = settings.DATABASE_URL.rpartition("/")[0] + f"/{connection.settings_dict['NAME']}"
    command = [sys.executable, "-m", "celery", "-A", "trustweb", "worker", "-Q", queues, "-c", "1"]
    named = {"DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "trustweb.settings_test", "PGAPPNAME": NAME, **changes}
    process = subprocess.Popen(
        [*command, "--without-gossip", "--without-mingle", "-l", "ERROR"],
        cwd=ROOT,
        env={**os.environ, **named},
        start_new_session=True,
        stdin=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """-9 to the worker and all its children; what they still asked PostgreSQL for is done when this returns.

    Else a lease that a test ends is taken anew by somebody who is dead, for its whole length.
    """
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        wait_for(lambda: not sessions())


def sessions() -> list[int]:
    """The workers' connections to the test database, by PostgreSQL's processes."""
    asked = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s"
    with connection.cursor() as cursor:
        cursor.execute(asked, [NAME])
        return [pid for (pid,) in cursor.fetchall()]
