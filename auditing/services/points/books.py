"""The nightly check of the books: all postings sum to zero, and whatever undoes another posting does so exactly.

Prices are those of their policies, points of the treasury lie with somebody, and no credit is below zero.
Reads Transfer, Posting, Account; writes AuditEvent.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Q, Sum

from auditing.core.events import EventKind
from auditing.models import Account, Posting, Transfer
from auditing.selectors.points.book import book_of_all, books_of_campaigns
from auditing.selectors.policy.versions import load_policy
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
    # 5. What the treasury issued is what all others have, in each campaign and as a whole.
    yield from _unclosed()
    # 6. Nobody paid with points that they did not have, and every price is the policy's, paid by the trace's provider.
    yield from _uncovered()
    yield from _wrong_prices()


def _unclosed() -> Iterator[str]:
    book = book_of_all()
    if not book.is_closed:
        yield f"the treasury issued {book.issued} points, all others have {book.standing}"
    for line in books_of_campaigns():
        if not line.is_closed:
            spent = f"{line.paid_out} paid out, {line.held} held, {line.left} left"
            yield f"campaign {line.campaign.pk}: {line.paid_in} paid in, {spent}"


def _uncovered() -> Iterator[str]:
    credits = Account.objects.filter(name=Account.Name.CREDIT).annotate(total=Sum("postings__amount"))
    for account in credits.filter(total__lt=0)[:MOST_SHOWN]:
        yield f"the credit of provider {account.provider_id} is {account.total}"


def _wrong_prices() -> Iterator[str]:
    prices = Transfer.objects.filter(kind=Transfer.Kind.PRICE).select_related("audit__policy", "audit__trace")
    for transfer in prices.prefetch_related("postings__account").order_by("-created")[:MOST_LOOKED_AT]:
        audit = transfer.audit
        price = 0 if audit is None else load_policy(version=audit.policy, domain=audit.trace.domain).trace_price
        paid = {(line.account.name, line.account.provider_id): line.amount for line in transfer.postings.all()}
        payer = None if audit is None else audit.trace.provider_id
        if paid != {(Account.Name.CREDIT, payer): -price, (Account.Name.POOL, None): price}:
            yield f"{transfer.key} is not the price of its policy, {price}, from its provider to the pool"


def _lines(transfer: Transfer | None) -> dict[int, int]:
    """Account -> amount of a transfer's lines."""
    return {line.account_id: line.amount for line in transfer.postings.all()} if transfer else {}
