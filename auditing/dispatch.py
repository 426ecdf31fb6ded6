"""Task messages: ask Celery by task name, after commit.

A message only makes work happen at once. It may be lost, doubled or late: the rows say what is due, and the sweeps find
whatever no message announced (services/corridor.py).
"""

import logging
import time
from threading import Condition, Thread
from typing import Any

from celery import current_app
from django.db import transaction

log = logging.getLogger(__name__)
TURN = 0.5  # seconds between two turns of the outbox


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


class Outbox:
    """Messages without arguments ("look at the table"), each sent once a turn, however often it is asked for."""

    def __init__(self) -> None:
        """The thread begins with the first message: before that the process may still be forked."""
        self._is_open = Condition()
        self._waiting: set[str] = set()
        self._sender: Thread | None = None

    def put(self, task: str) -> None:
        """Send `task` at the end of this turn."""
        with self._is_open:
            self._waiting.add(task)
            if self._sender is None:
                self._sender = Thread(target=self._run, name="task outbox", daemon=True)
                self._sender.start()
            self._is_open.notify()

    def _run(self) -> None:
        while True:
            with self._is_open:
                self._is_open.wait_for(lambda: self._waiting)
            time.sleep(TURN)  # what is asked for meanwhile goes with it
            self._send_turn()

    def _send_turn(self) -> None:
        with self._is_open:
            turn, self._waiting = self._waiting, set()
        for task in turn:
            _send(task, (), "default", None)


_outbox: Outbox | None = None


def gather() -> None:
    """From now on this process leaves to the workers what nobody waits for, and tells them once a turn; for the web."""
    global _outbox
    _outbox = _outbox or Outbox()


def is_gathering() -> bool:
    """Whether this process leaves to the workers what nobody waits for."""
    return _outbox is not None


def enqueue_soon(task: str) -> None:
    """Send `task` once this transaction is committed: now, or with the next turn where messages are gathered."""
    transaction.on_commit(lambda: _put(task), robust=True)


def _put(task: str) -> None:
    if _outbox is None:
        _send(task, (), "default", None)
    else:
        _outbox.put(task)
