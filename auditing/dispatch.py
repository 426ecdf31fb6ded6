"""Task messages: ask Celery by task name, after commit.

A message only makes work happen at once. It may be lost, doubled or late: the rows say what is due, and the sweeps find
whatever no message announced (services/corridor.py).
"""

import logging
from typing import Any

from celery import current_app
from django.db import transaction

log = logging.getLogger(__name__)


def enqueue(task: str, *args: Any, queue: str = "default", expires: int | None = None) -> None:
    """Send `task` once this transaction is committed; workers drop it when it is older than `expires` seconds.

    Before the commit a worker would not see the rows that it is told about. robust: another callback that fails
    does not stop this one.
    """
    transaction.on_commit(lambda: _send(task, args, queue, expires), robust=True)


def _send(task: str, args: tuple[Any, ...], queue: str, expires: int | None) -> None:
    try:
        # retry=False: a request does not wait for a broker that is away.
        current_app.send_task(task, args=[str(arg) for arg in args], queue=queue, retry=False, expires=expires)
    except Exception as error:  # the work itself is committed in a row
        log.warning("no message for %s was sent (%s); the sweep will find the work", task, type(error).__name__)
