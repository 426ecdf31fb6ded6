"""The nightly check of the books: all postings sum to zero, and whatever undoes another posting does so exactly.

Reads Transfer, Posting; writes AuditEvent.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Q, Sum

from auditing.core.events import EventKind
from auditing.models import Posting, Transfer
from auditing.services.events import record_event

MOST_SHOWN, MOST_LOOKED_AT = 50, 100_000
LINES = ("postings", "reverses__postings")  # of a transfer, and of the one that it reverses


def check(*, now: datetime) -> int:
    """Check all books and write the event; returns the number of faults found."""
    faults = list(find_faults())
    event = EventKind.BOOKS_BROKEN if faults else EventKind.BOOKS_BALANCED
    record_event(audit=None, kind=event, at=now.isoformat(), faults=faults[:MOST_SHOWN], count=len(faults))
    return len(faults)


def find_faults() -> Iterator[str]:
    """What is wrong, in words; nothing when the books are in order."""
    # 1. All lines together.
    total = Posting.objects.aggregate(total=Sum("amount"))["total"] or 0
    if total:
        yield f"all postings sum to {total}, not to 0"
    # 2. Each transfer has two lines that cancel out.
    uneven = Transfer.objects.annotate(total=Sum("postings__amount"), lines=Count("postings"))
    for transfer in uneven.exclude(total=0, lines=2)[:MOST_SHOWN]:
        yield f"transfer {transfer.key} has {transfer.lines} lines that sum to {transfer.total}"
    # 3. A reversal has the lines of what it reverses, with the opposite sign.
    for undoing in Transfer.objects.filter(reverses__isnull=False).prefetch_related(*LINES)[:MOST_LOOKED_AT]:
        if _lines(undoing) != {key: -amount for key, amount in _lines(undoing.reverses).items()}:
            yield f"{undoing.key} does not reverse {undoing.reverses_id} exactly"
    # 4. Held points go one way: released or reversed.
    both = Q(reversed_by__isnull=False, released_by__isnull=False)
    for twice in Transfer.objects.filter(both)[:MOST_SHOWN]:
        yield f"{twice.key} is both released and reversed"


def _lines(transfer: Transfer | None) -> dict[int, int]:
    """Account -> amount of a transfer's lines."""
    return {line.account_id: line.amount for line in transfer.postings.all()} if transfer else {}
