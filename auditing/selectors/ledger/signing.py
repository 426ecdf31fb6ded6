"""Whether what is handed in reaches the signed ledger in time: asked by every page, by /healthz, and before a promise.

Reads Leaf, the refusal that the sequencer leaves beside its files, and the room that is left on their disk.
"""

import shutil
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.db.models.functions import Now

from auditing.models import Leaf
from auditing.translog.receipt import MAXIMUM_MERGE_DELAY

REFUSAL = ".refusal"  # why the sequencer signs nothing any more; a name that is never served
_KEY = "ledger_trouble"


class NotSigningError(Exception):
    """The ledger is not signed at the moment, so nothing can be promised: try again later."""


def find_trouble() -> str:
    """Why nothing new is promised: the sequencer refuses to sign, or merging is late; "" while all is well."""
    trouble = cache.get(_KEY)
    if trouble is None:
        # Nearly every page asks: some seconds of cache spare the database a query a page.
        trouble = _look()
        cache.set(_KEY, trouble, settings.LEDGER_STATE_KEPT_SECONDS)
    return str(trouble)


def find_full_disk() -> str:
    """Why nothing more can be stored; "" while there is room."""
    folder = Path(settings.LEDGER_DIR)
    try:
        free = shutil.disk_usage(folder if folder.exists() else folder.parent).free
    except OSError as error:
        return f"The ledger's folder cannot be read ({error.strerror})."
    least = settings.DISK_LEAST_FREE
    return "" if free >= least else f"The disk is full: {free // 2**20} MB are left, {least // 2**20} MB are needed."


def check_signing(*, is_late: bool | None = None) -> None:
    """Raise NotSigningError where a promise could not be kept.

    is_late: whether merging is late, where the caller has just read it; then nothing of the last seconds counts.
    """
    if find_trouble() if is_late is None else _trouble_now(is_late):
        raise NotSigningError(NotSigningError.__doc__)


def longest_wait() -> timedelta:
    """How long an entry may wait for its place in the log before nothing new is promised."""
    return timedelta(seconds=settings.LEDGER_LATE_SECONDS)


def _look() -> str:
    return _trouble_now(Leaf.objects.filter(index__isnull=True, created__lt=Now() - longest_wait()).exists())


def _trouble_now(is_late: bool) -> str:
    path = Path(settings.LEDGER_DIR) / REFUSAL
    if path.exists():
        return path.read_text(encoding="utf-8").strip() or "The sequencer refuses to sign."
    if is_late:
        return f"Entries wait for the ledger for longer than the promised {MAXIMUM_MERGE_DELAY} seconds."
    return find_full_disk()
