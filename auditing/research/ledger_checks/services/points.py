"""I7: the books, and each paid seat in the tables against its payout leaves.

Reads Transfer, Posting, Leaf; writes nothing.
"""

from collections import Counter
from collections.abc import Iterator

from auditing.models import Account, Posting, Transfer
from auditing.research.ledger_checks.services.survey import ROWS, Survey, read_leaves
from auditing.services.points import books

# The account of an auditor that a kind of transfer changes, where it is not the held one.
_ON = {Transfer.Kind.RELEASE: Account.Name.POINTS}


def balanced(survey: Survey) -> Iterator[str]:
    """Integers only; what nobody gets stays in the pool, so that every payout sums to zero."""
    yield from books.find_faults()
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
