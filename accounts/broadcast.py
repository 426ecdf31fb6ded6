"""Tell open pages that their person's standing changed, after commit; what they do about it is theirs."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

log = logging.getLogger(__name__)


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
