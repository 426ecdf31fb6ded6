"""A world that is built once lies under the transactions of many tests."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import transaction
from django.test import override_settings


@contextlib.contextmanager
def lying_under(blocker: Any, directory: Path) -> Iterator[Path]:
    """What is written inside is seen by every test until the end, and then rolled back; its ledger is `directory`."""
    with blocker.unblock(), override_settings(LEDGER_DIR=directory), transaction.atomic():
        yield directory
        transaction.set_rollback(True)
