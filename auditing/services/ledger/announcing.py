"""Processes that hold a private key announce its public half, so that pages and verifiers find it.

Reads PublicKey; writes PublicKey.
"""

from django.db.models import QuerySet

from accounts.prepared import PreparedQuery
from auditing.models import PublicKey

# Purposes of keys, each held by a process of its own.
REVEAL = "reveal"  # votes are sealed to it
RECEIPT = "receipt"  # signs promises
LEDGER = "ledger"  # signs checkpoints
LEDGER_ML_DSA = "ledger-ml-dsa"  # signs them a second time, where the option is on


def announce(*, purpose: str, value: bytes) -> None:
    """Put `value` in force for `purpose`, unless it is already the newest."""
    newest = _newest.first(purpose=purpose)
    if newest is None or bytes(newest.value) != value:
        PublicKey.objects.get_or_create(purpose=purpose, value=value)


@PreparedQuery
def _newest(purpose: str) -> QuerySet[PublicKey]:
    return PublicKey.objects.filter(purpose=purpose).order_by("-id")[:1]
