"""Ask Celery by task name, after commit: only a doorbell, the walker finds what is lost."""

import logging
from typing import Any

from celery import current_app
from django.db import transaction

log = logging.getLogger(__name__)


def enqueue(task: str, *args: Any, queue: str = "default", expires: int | None = None) -> None:
    """Send `task` once this transaction is committed; a bell that expires is not heard after so many seconds."""
    transaction.on_commit(lambda: _send(task, args, queue, expires), robust=True)


def _send(task: str, args: tuple[Any, ...], queue: str, expires: int | None) -> None:
    try:
        current_app.send_task(task, args=[str(arg) for arg in args], queue=queue, retry=False, expires=expires)
    except Exception as error:
        log.warning("the bell for %s did not ring (%s); the walker will find the work", task, type(error).__name__)
