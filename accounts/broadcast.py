"""Tell open pages that their person's standing changed, after commit; what they do about it is theirs."""

import logging
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

log = logging.getLogger(__name__)


def group_of(*, user_key: Any) -> str:
    """The channel group of one person's open pages."""
    return f"person.{user_key}"


def close_pages(*, user_key: Any) -> None:
    """Close the live sockets of one person once this transaction is committed; without Redis they ask again anyway."""
    transaction.on_commit(lambda: _close(group_of(user_key=user_key)), robust=True)


def _close(group: str) -> None:
    try:
        async_to_sync(get_channel_layer().group_send)(group, {"type": "standing.changed"})
    # Whatever goes wrong, the role is already taken away and committed; a page that stays open is refused at its next
    # request, so a failed notice must not turn a finished change into an error.
    except Exception as error:
        log.info("the pages of %s were not closed: %s", group, type(error).__name__)
