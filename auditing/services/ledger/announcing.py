"""Processes with a private key announce the public one. Writes PublicKey."""

from auditing.models import PublicKey

REVEAL = "reveal"
RECEIPT = "receipt"
LEDGER = "ledger"


def announce(*, purpose: str, value: bytes) -> None:
    """Put `value` in force for `purpose`, unless it is already the newest."""
    newest = PublicKey.objects.filter(purpose=purpose).order_by("-id").first()
    if newest is None or bytes(newest.value) != value:
        PublicKey.objects.get_or_create(purpose=purpose, value=value)
