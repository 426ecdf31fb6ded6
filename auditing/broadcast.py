"""Tell open pages that something changed, after commit: topics and ids travel, contents never.

A page that hears of a topic asks for its own part again, by an ordinary request with its ordinary permissions.
"""

import logging
from uuid import UUID

from django.db import transaction

from accounts import broadcast

log = logging.getLogger(__name__)


def tell(topic: str) -> None:
    """Announce a change of `topic` once this transaction is committed; a lost message costs one polling interval."""
    transaction.on_commit(lambda: _send(topic), robust=True)


def tell_audit(audit_id: UUID) -> None:
    """Announce a change to the pages of one audit and to the lists it stands in."""
    tell(f"audit.{audit_id}")
    tell("audits")


def _send(topic: str) -> None:
    try:
        broadcast.tell(group=topic, message={"type": "changed", "topic": topic})
    except Exception as error:  # the change itself is committed: a page may miss it, nothing may fail by it
        log.info("open pages were not told about %s: %s", topic, type(error).__name__)
