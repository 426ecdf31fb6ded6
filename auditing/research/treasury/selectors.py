"""The book of all points: what the treasury issued, where it lies now, and what each campaign took in and paid.

Every transfer sums to zero, so that the book closes by itself; here it is reckoned from both ends and compared.
Reads Posting, Campaign, Transfer, RoleGrant.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField, Count, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from accounts.models import Role, User
from auditing.models import Account, Campaign, Posting, Transfer

Name, Kind = Account.Name, Transfer.Kind
MOST_CAMPAIGNS = 200
MOST_PROVIDERS = 400


@dataclass(frozen=True, slots=True)
class Book:
    """All accounts together. Issued by the treasury = with providers + with auditors + in the pool."""

    stakes: int  # to newcomers
    to_providers: int
    to_pool: int
    credit: int  # not spent yet
    points: int  # of auditors, released
    held: int
    stake: int
    pool: int
    treasury: int

    @property
    def issued(self) -> int:
        """What came out of the treasury, whatever for: the one account that is in debt."""
        return -self.treasury

    @property
    def standing(self) -> int:
        """What all others have."""
        return self.credit + self.points + self.held + self.stake + self.pool

    @property
    def is_closed(self) -> bool:
        """Whether what was issued is what stands."""
        return self.issued == self.standing


@dataclass(frozen=True, slots=True)
class CampaignBook:
    """One campaign. Paid in = paid out + held + left in the pool; `left` below zero: others paid for it."""

    campaign: Campaign
    traces: int  # paid for, those given back left out
    paid_in: int
    paid_out: int
    held: int
    left: int

    @property
    def is_closed(self) -> bool:
        """Whether both sides are the same."""
        return self.paid_in == self.paid_out + self.held + self.left


@dataclass(frozen=True, slots=True)
class CreditLine:
    """One movement of a provider's credit, with the sum of all up to it."""

    transfer: Transfer
    amount: int
    balance: int


def book_of_all() -> Book:
    """One statement over all postings."""
    sums: Counter[str] = Counter()
    issued: Counter[Any] = Counter()
    rows = Posting.objects.order_by().values_list("account__name", "transfer__kind").annotate(total=Sum("amount"))
    for name, kind, total in rows:
        sums[name] += total
        if kind in (Kind.STAKE, Kind.GRANT):
            issued[kind, name] += total
    return Book(
        stakes=issued[Kind.STAKE, Name.STAKE],
        to_providers=issued[Kind.GRANT, Name.CREDIT],
        to_pool=issued[Kind.GRANT, Name.POOL],
        **{str(name): sums[name] for name in Name},
    )


def books_of_campaigns() -> Sequence[CampaignBook]:
    """Every campaign with postings, the newest first: one statement over postings, one over campaigns."""
    sums: dict[Any, Counter[str]] = {}
    traces: Counter[Any] = Counter()
    price = Q(transfer__kind=Kind.PRICE, transfer__reversed_by__isnull=True)
    rows = Posting.objects.filter(transfer__audit__isnull=False).order_by()
    groups = rows.values_list("transfer__audit__campaign", "account__name")
    for campaign, name, total, prices in groups.annotate(total=Sum("amount"), prices=Count("pk", filter=price)):
        sums.setdefault(campaign, Counter())[name] += total
        traces[campaign] += prices if name == Name.CREDIT else 0
    campaigns = Campaign.objects.filter(pk__in=sums).order_by("-created")[:MOST_CAMPAIGNS]
    return [
        CampaignBook(
            campaign=campaign,
            traces=traces[campaign.pk],
            paid_in=-sums[campaign.pk][Name.CREDIT],
            paid_out=sums[campaign.pk][Name.POINTS],
            held=sums[campaign.pk][Name.HELD],
            left=sums[campaign.pk][Name.POOL],
        )
        for campaign in campaigns
    ]


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
