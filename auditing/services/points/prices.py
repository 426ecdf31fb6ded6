"""The price of a trace: points from its provider's credit into the pool that pays its reviewers, and back.

1. `charge`: in the transaction that opens an audit; a credit that does not cover the price refuses the trace.
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
    """Charge one after the other. Raises PriceNotCoveredError, which says how many the credit would cover."""
    for covered, audit in enumerate(audits):
        try:
            charge(audit=audit)
        except PriceNotCoveredError as error:
            raise PriceNotCoveredError(price=error.price, credit=error.credit, covered=covered) from error


def charge(*, audit: Audit) -> int:
    """Take the price of an audit's trace, if its policy asks for one; returns it. Raises PriceNotCoveredError."""
    price = load_policy(version=audit.policy, domain=audit.trace.domain).trace_price
    if not price:
        return 0
    account = lock_credit(provider=audit.trace.provider)
    credit = balance_of(account=account)
    if credit < price:
        raise PriceNotCoveredError(price=price, credit=credit)
    post(
        movements=[
            Movement(
                key=f"price:{audit.pk}",
                kind=Transfer.Kind.PRICE,
                points=price,
                source=account,
                target=system_account(name=Account.Name.POOL),
                audit=audit,
                policy=audit.policy,
            )
        ]
    )
    record_event(audit=audit, kind=EventKind.PRICE_PAID, points=price)
    return price


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
