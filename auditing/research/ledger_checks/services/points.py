"""I7: the books, prices, and each paid seat in the tables against its payout leaves.

Reads Transfer, Posting, Account, Leaf; writes nothing.
"""

from collections import Counter
from collections.abc import Iterator

from django.db.models import Sum

from auditing.models import Account, Posting, Transfer
from auditing.research.ledger_checks.services.survey import ROWS, Survey, read_leaves
from auditing.research.treasury.selectors import book_of_all, books_of_campaigns
from auditing.selectors.policy.versions import load_policy
from auditing.services.points import books

# The account of an auditor that a kind of transfer changes, where it is not the held one.
_ON = {Transfer.Kind.RELEASE: Account.Name.POINTS}


def balanced(survey: Survey) -> Iterator[str]:
    """Integers only; what nobody gets stays in the pool, so that every payout sums to zero."""
    yield from books.find_faults()
    yield from unclosed()
    yield from wrong_prices()
    logged: Counter[tuple[str, str]] = Counter()
    for _, leaf in read_leaves("payout"):
        if leaf["pool"] + sum(line["points"] for line in leaf["lines"]):
            yield f"a payout of segment {leaf['segment']} does not sum to zero"
        for line in leaf["lines"]:
            logged[line["seat"], line["posting"]] += line["points"]
    paid = _paid()
    for key in logged.keys() | paid.keys():
        if logged[key] != paid[key]:
            yield f"seat {key[0]}: {paid[key]} points of {key[1]} were posted, the ledger says {logged[key]}"


def _paid() -> Counter[tuple[str, str]]:
    """(seat, kind) -> points on the account where that kind lands."""
    paid: Counter[tuple[str, str]] = Counter()
    rows = Posting.objects.filter(account__auditor__isnull=False, transfer__seat__isnull=False)
    columns = ("transfer__seat", "transfer__kind", "account__name", "amount")
    for seat, posting, account, amount in rows.values_list(*columns).iterator(ROWS):
        if account == _ON.get(posting, Account.Name.HELD):
            paid[str(seat), posting] += amount
    return paid


def unclosed() -> Iterator[str]:
    """What the treasury issued is what all others have, in each campaign and as a whole; no credit is below zero."""
    book = book_of_all()
    if not book.is_closed:
        yield f"the treasury issued {book.issued} points, all others have {book.standing}"
    for line in books_of_campaigns():
        if not line.is_closed:
            spent = f"{line.paid_out} paid out, {line.held} held, {line.left} left"
            yield f"campaign {line.campaign.pk}: {line.paid_in} paid in, {spent}"

    credits = Account.objects.filter(name=Account.Name.CREDIT).annotate(total=Sum("postings__amount"))
    for account in credits.filter(total__lt=0)[: books.MOST_SHOWN]:
        yield f"the credit of provider {account.provider_id} is {account.total}"


def wrong_prices() -> Iterator[str]:
    """Every price is its policy's, and went from the provider of its trace to the pool."""
    prices = Transfer.objects.filter(kind=Transfer.Kind.PRICE).select_related("audit__policy", "audit__trace")
    for transfer in prices.prefetch_related("postings__account").order_by("-created")[: books.MOST_LOOKED_AT]:
        audit = transfer.audit
        price = 0 if audit is None else load_policy(version=audit.policy, domain=audit.trace.domain).trace_price
        paid = {(line.account.name, line.account.provider_id): line.amount for line in transfer.postings.all()}
        payer = None if audit is None else audit.trace.provider_id
        if paid != {(Account.Name.CREDIT, payer): -price, (Account.Name.POOL, None): price}:
            yield f"{transfer.key} is not the price of its policy, {price}, from its provider to the pool"
