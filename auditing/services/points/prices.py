"""The price of a trace: points from its provider's credit into the pool that pays its reviewers, and back.

1. `charge_all`: in the transaction that opens the audits; a credit that does not cover the prices refuses the traces.
2. `refund`: an audit that was withdrawn, or failed, before anybody judged gives its price back, by a reversal.
A policy without a price (the default) moves nothing, and decoys, which nobody handed in, cost nobody anything.

Reads Audit, Commitment, Posting; writes Account, Transfer, Posting, AuditEvent.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from auditing.core.events import EventKind
from auditing.core.stages import AuditStage
from auditing.core.values import Tier
from auditing.models import Account, Audit, Commitment, Transfer
from auditing.selectors.points.credit import balance_of
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event
from auditing.services.points.transfers import Movement, post, system_account

ENDED = (AuditStage.FAILED, AuditStage.WITHDRAWN)
BATCH = 200  # audits that one sweep refunds


class PriceNotCoveredError(ValueError):
    """The provider's credit does not cover the price of the trace."""

    def __init__(self, *, price: int, credit: int, covered: int = 0) -> None:
        less = f" That covers {covered} of these traces; none was stored." if covered else ""
        super().__init__(
            f"A trace costs {price} points here, and your credit is {credit}.{less} Ask an admin for points."
        )
        self.price, self.credit, self.covered = price, credit, covered


def charge_all(*, audits: Iterable[Audit]) -> None:
    """Take the prices of one provider's audits that ask for one, all or none.

    Raises PriceNotCoveredError, which says how many of them the credit would cover.
    """
    listed = [(audit, load_policy(version=audit.policy, domain=audit.trace.domain).trace_price) for audit in audits]
    priced = [(audit, price) for audit, price in listed if price]
    if not priced:
        return
    account = lock_credit(provider=priced[0][0].trace.provider)
    # Summed once: an account of twenty thousand lines takes 3 ms.
    left = credit = balance_of(account=account)
    for covered, (_, price) in enumerate(priced):
        if left < price:
            raise PriceNotCoveredError(price=price, credit=credit, covered=covered)
        left -= price
    pool = system_account(name=Account.Name.POOL)
    post(movements=[_price_of(audit, price, account, pool) for audit, price in priced])
    for audit, price in priced:
        record_event(audit=audit, kind=EventKind.PRICE_PAID, points=price)


def _price_of(audit: Audit, price: int, account: Account, pool: Account) -> Movement:
    return Movement(
        key=f"price:{audit.pk}",
        kind=Transfer.Kind.PRICE,
        points=price,
        source=account,
        target=pool,
        audit=audit,
        policy=audit.policy,
    )


def refund(*, audit: Audit) -> bool:
    """Give the price of an ended audit back that nobody has judged; False where none is owed, or it was given back."""
    with transaction.atomic():
        paid = _owed().filter(audit=audit).select_related("audit__trace__provider", "policy").first()
        if paid is None or paid.audit is None:
            return False
        account = lock_credit(provider=paid.audit.trace.provider)
        # Another worker may have given it back while this one waited for the account.
        if Transfer.objects.filter(reverses=paid).exists():
            return False
        price = paid.postings.get(account=account).amount
        post(
            movements=[
                Movement(
                    key=f"refund:{audit.pk}",
                    kind=Transfer.Kind.REVERSAL,
                    points=-price,
                    source=system_account(name=Account.Name.POOL),
                    target=account,
                    audit=audit,
                    policy=paid.policy,
                    reverses=paid,
                )
            ]
        )
        record_event(audit=audit, kind=EventKind.PRICE_REFUNDED, points=-price)
    return True


def refund_due() -> int:
    """Refund every audit that ended before anybody judged; returns how many."""
    due = _owed().select_related("audit").order_by("created")[:BATCH]
    return sum(refund(audit=paid.audit) for paid in due if paid.audit is not None)


def lock_credit(*, provider: User) -> Account:
    """A provider's credit, opened at first use, and locked: it is counted only by whoever may change it next."""
    account, _ = Account.objects.get_or_create(provider=provider, name=Account.Name.CREDIT)
    return Account.objects.select_for_update(no_key=True).get(pk=account.pk)


def _owed() -> QuerySet[Transfer]:
    """Prices of audits that ended before a person or a model had sealed a vote, and that were not given back."""
    votes = Commitment.objects.filter(
        seat__round__audit=OuterRef("audit"), seat__round__tier__in=(Tier.HUMAN, Tier.LLM)
    )
    prices = Transfer.objects.filter(kind=Transfer.Kind.PRICE, audit__stage__in=ENDED, reversed_by__isnull=True)
    return prices.exclude(Exists(votes))
