"""Tell open pages that their person's standing changed, after commit; what they do about it is theirs.

The web process and the workers gather what nobody waits for and send it from a thread of their own, each message once a
turn: a vote is answered before the open pages of its audit are told, and a hundred votes a second tell them twice.
"""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Condition, Thread
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

log = logging.getLogger(__name__)
TURN = 0.5  # seconds between two turns of the outbox


def group_of(*, user_key: Any) -> str:
    """The channel group of one person's open pages."""
    return f"person.{user_key}"


def send(*, group: str, message: dict[str, str]) -> None:
    """Put a message into the channel layer, from any thread. Raises whatever Redis raises."""
    put = async_to_sync(get_channel_layer().group_send)
    if not _has_a_loop():
        put(group, message)
        return
    # A thread that already runs an event loop (a notebook, a browser's driver) cannot wait for it; another thread can.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(put, group, message).result()


class Outbox:
    """Messages on their way to open pages. A process that dies loses those of its last turn; pages ask again anyway."""

    def __init__(self) -> None:
        """The thread begins with the first message: before that the process may still be forked."""
        self._is_open = Condition()
        self._waiting: dict[tuple[str, ...], None] = {}
        self._sender: Thread | None = None

    def put(self, *, group: str, message: dict[str, str]) -> None:
        """Send `message` to `group` in the next turn, once, however often it is put until then."""
        with self._is_open:
            self._waiting[(group, *(word for pair in message.items() for word in pair))] = None
            if self._sender is None:
                self._sender = Thread(target=self._run, name="outbox", daemon=True)
                self._sender.start()
            self._is_open.notify()

    def _run(self) -> None:
        # One loop for the life of the thread: the channel layer keeps its connection to Redis by loop.
        loop = asyncio.new_event_loop()
        while True:
            with self._is_open:
                self._is_open.wait_for(lambda: self._waiting)
                turn, self._waiting = list(self._waiting), {}
            loop.run_until_complete(self._send(turn))

    async def _send(self, turn: list[tuple[str, ...]]) -> None:
        layer: Any = get_channel_layer()
        heard = await _groups_heard(layer, [group for group, *_ in turn])
        for group, *words in turn:
            if group not in heard:
                continue
            try:
                await layer.group_send(group, dict(zip(words[::2], words[1::2], strict=True)))
            except Exception as error:  # a page misses it and asks again; the next message may arrive
                log.info("open pages of %s were not told: %s", group, type(error).__name__)
        await asyncio.sleep(TURN)


async def _groups_heard(layer: Any, groups: Sequence[str]) -> set[str]:
    """Those of `groups` that an open page has joined: one trip for all, where every message costs two or three.

    Most votes are sealed while nobody has the page of their audit open.
    """
    members = layer.connection(0).pipeline(transaction=False)  # settings.CHANNEL_LAYERS names one host
    for group in groups:
        members.exists(layer._group_key(group))
    try:
        return {group for group, exists in zip(groups, await members.execute(), strict=True) if exists}
    except Exception as error:
        log.info("open pages were not told: %s", type(error).__name__)
        return set()


_outbox: Outbox | None = None


def gather() -> None:
    """From now on this process sends what nobody waits for from a thread of its own; for the web process and workers.

    Sent at once, each message takes an event loop, a thread and a connection to Redis of its own.
    """
    global _outbox
    _outbox = _outbox or Outbox()


def tell(*, group: str, message: dict[str, str]) -> None:
    """Put a message that nobody waits for into the channel layer: now, or in the next turn where they are gathered.

    Raises whatever Redis raises, where it is sent now.
    """
    if _outbox is None:
        send(group=group, message=message)
    else:
        _outbox.put(group=group, message=message)


def _has_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def close_pages(*, user_key: Any) -> None:
    """Close the live sockets of one person once this transaction is committed; without Redis they ask again anyway."""
    transaction.on_commit(lambda: _close(group_of(user_key=user_key)), robust=True)


def _close(group: str) -> None:
    try:
        send(group=group, message={"type": "standing.changed"})
    # Whatever goes wrong, the role is already taken away and committed; a page that stays open is refused at its next
    # request, so a failed notice must not turn a finished change into an error.
    except Exception as error:
        log.info("the pages of %s were not closed: %s", group, type(error).__name__)
