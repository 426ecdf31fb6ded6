"""Task messages: ask Celery by task name, after commit.

A message only makes work happen at once. It may be lost, doubled or late: the rows say what is due, and the sweeps find
whatever no message announced (services/corridor.py).
"""

import logging
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Any

from celery import current_app
from django.db import transaction

log = logging.getLogger(__name__)
TURN = 0.5  # seconds that a message which is not urgent waits for others
MOST = 10_000  # messages of a kind that wait while the broker hangs


@dataclass(frozen=True, slots=True)
class Message:
    """A task to be done, by its name."""

    task: str
    args: tuple[str, ...] = ()
    queue: str = "default"
    expires: int | None = None

    def send(self) -> None:
        """Put it into its queue, or say in the log that it was not: the work itself is committed in a row."""
        try:
            # retry=False: nobody waits for a broker that is away.
            current_app.send_task(self.task, args=list(self.args), queue=self.queue, retry=False, expires=self.expires)
        except Exception as error:
            log.warning("no message for %s was sent (%s); the sweep will find it", self.task, type(error).__name__)


def enqueue(task: str, *args: Any, queue: str = "default", expires: int | None = None) -> None:
    """Send `task` once this transaction is committed; workers drop it when it is older than `expires` seconds.

    Before the commit a worker would not see the rows that it is told about. robust: another callback that fails
    does not stop this one.
    """
    message = Message(task, tuple(str(arg) for arg in args), queue, expires)
    transaction.on_commit(lambda: _send(message), robust=True)


def enqueue_soon(task: str) -> None:
    """Send `task` once this transaction is committed: now, or with the next turn where messages are gathered."""
    transaction.on_commit(lambda: _send(Message(task), is_urgent=False), robust=True)


def _send(message: Message, *, is_urgent: bool = True) -> None:
    if _outbox is None:
        message.send()
    else:
        _outbox.put(message, is_urgent=is_urgent)


class Outbox:
    """Messages on their way, each once however often it is put, sent by a thread: a broker that hangs holds up only it.

    Urgent ones go at once. The others ("look at the table") wait for the end of a turn, so that a hundred votes a
    second ask twice.
    """

    def __init__(self) -> None:
        """The thread begins with the first message: before that the process may still be forked."""
        self._is_open = Condition()
        self._urgent: dict[Message, None] = {}
        self._gathered: dict[Message, None] = {}
        self._sender: Thread | None = None

    def put(self, message: Message, *, is_urgent: bool) -> None:
        """Send a message at once or at the end of this turn; beyond MOST that wait it is left to the sweep."""
        with self._is_open:
            waiting = self._urgent if is_urgent else self._gathered
            if len(waiting) < MOST:
                waiting[message] = None
            if self._sender is None:
                self._sender = Thread(target=self._run, name="task outbox", daemon=True)
                self._sender.start()
            self._is_open.notify()

    def _run(self) -> None:
        while True:
            for message in self._take():
                message.send()

    def _take(self) -> list[Message]:
        """Wait until something is to be sent."""
        with self._is_open:
            self._is_open.wait_for(lambda: self._urgent or self._gathered)
            self._is_open.wait_for(lambda: self._urgent, timeout=TURN)
            messages = [*self._urgent, *self._gathered]
            self._urgent, self._gathered = {}, {}
        return messages


_outbox: Outbox | None = None


def gather() -> None:
    """From now on a thread of this process sends its messages; for programs that hold requests or keys."""
    global _outbox
    _outbox = _outbox or Outbox()


def is_gathering() -> bool:
    """Whether this process leaves to the workers what nobody waits for."""
    return _outbox is not None
