"""Credit of providers: balances, what a trace costs, statements, and what admins granted.

Reads Account, Posting, Transfer, RoleGrant.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import BigIntegerField, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from accounts.models import Role, User
from auditing.models import Account, Campaign, Posting, Transfer
from auditing.selectors.policy.versions import load_policy

MOST_LINES = 200
MOST_PROVIDERS = 400


@dataclass(frozen=True, slots=True)
class CreditLine:
    """One movement of a provider's credit, with the sum of all up to it."""

    transfer: Transfer
    amount: int
    balance: int


def balance_of(*, account: Account) -> int:
    """What stands on one account: the sum of its lines."""
    return int(Posting.objects.filter(account=account).aggregate(total=Sum("amount"))["total"] or 0)


def credit_of(*, provider: User) -> int:
    """What a provider can pay; 0 for whoever was never granted any."""
    lines = Posting.objects.filter(account__provider=provider, account__name=Account.Name.CREDIT)
    return int(lines.aggregate(total=Sum("amount"))["total"] or 0)


def price_of(*, campaign: Campaign, domain: str = "") -> int:
    """What a trace of a field costs in a campaign; 0 for none."""
    return 0 if campaign.policy is None else load_policy(version=campaign.policy, domain=domain).trace_price


def prices_of(*, campaigns: Iterable[Campaign]) -> list[tuple[Campaign, int]]:
    """The campaigns whose policy asks for a price, with the price of a trace of their own field."""
    prices = [(campaign, price_of(campaign=campaign, domain=campaign.domain)) for campaign in campaigns]
    return [(campaign, price) for campaign, price in prices if price]


def credit_statement(*, provider: User) -> list[CreditLine]:
    """Every movement of a provider's credit, newest first."""
    rows = Posting.objects.filter(account__provider=provider, account__name=Account.Name.CREDIT)
    lines: list[CreditLine] = []
    balance = 0
    for row in rows.select_related("transfer__audit__trace", "transfer__audit__campaign").order_by(
        "transfer__created", "pk"
    ):
        balance += row.amount
        lines.append(CreditLine(row.transfer, row.amount, balance))
    return lines[::-1]


def providers_with_credit() -> Sequence[User]:
    """Everybody who provides traces, or did and has credit left, each with `credit`; one statement."""
    lines = Posting.objects.filter(account__provider=OuterRef("pk"), account__name=Account.Name.CREDIT)
    total = lines.order_by().values("account__provider").annotate(total=Sum("amount")).values("total")
    people = User.objects.annotate(credit=Coalesce(Subquery(total, output_field=BigIntegerField()), 0))
    provides = Q(grants__role=Role.PROVIDER, is_active=True)
    return list(people.filter(provides | ~Q(credit=0)).distinct().order_by("-credit", "email")[:MOST_PROVIDERS])


def newest_grants(*, most: int = 50) -> Sequence[Posting]:
    """The newest grants: the line of who got it, with the transfer that says by whom and why."""
    lines = Posting.objects.filter(transfer__kind=Transfer.Kind.GRANT).exclude(account__name=Account.Name.TREASURY)
    return list(lines.select_related("transfer__by", "account__provider").order_by("-transfer__created")[:most])
