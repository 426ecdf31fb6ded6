"""The nightly check of the books: everything sums to zero, and every new posting that undoes another does so exactly.

Reads Transfer, Posting; writes an AuditEvent with what it found.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Q, Sum

from auditing.core.events import EventKind
from auditing.models import Posting, Transfer
from auditing.services.events import record_event

MOST_SHOWN, MOST_LOOKED_AT = 50, 100_000
LINES = ("postings", "reverses__postings")


def check(*, now: datetime) -> int:
    """Check all books and write the event; returns the number of faults found."""
    faults = list(find_faults())
    event = EventKind.BOOKS_BROKEN if faults else EventKind.BOOKS_BALANCED
    record_event(audit=None, kind=event, at=now.isoformat(), faults=faults[:MOST_SHOWN], count=len(faults))
    return len(faults)


def find_faults() -> Iterator[str]:
    """What is wrong, in words; nothing when the books are in order."""
    total = Posting.objects.aggregate(total=Sum("amount"))["total"] or 0
    if total:
        yield f"all postings sum to {total}, not to 0"
    uneven = Transfer.objects.annotate(total=Sum("postings__amount"), lines=Count("postings"))
    for transfer in uneven.exclude(total=0, lines=2)[:MOST_SHOWN]:
        yield f"transfer {transfer.key} has {transfer.lines} lines that sum to {transfer.total}"
    for undoing in Transfer.objects.filter(reverses__isnull=False).prefetch_related(*LINES)[:MOST_LOOKED_AT]:
        if _lines(undoing) != {key: -amount for key, amount in _lines(undoing.reverses).items()}:
            yield f"{undoing.key} does not reverse {undoing.reverses_id} exactly"
    both = Q(reversed_by__isnull=False, released_by__isnull=False)
    for twice in Transfer.objects.filter(both)[:MOST_SHOWN]:
        yield f"{twice.key} is both released and reversed"


def _lines(transfer: Transfer | None) -> dict[int, int]:
    """Account -> amount of a transfer's lines."""
    return {line.account_id: line.amount for line in transfer.postings.all()} if transfer else {}
