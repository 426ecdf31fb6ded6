"""Credit of providers, and what a trace costs. Reads Account, Posting, Campaign."""

from collections.abc import Iterable

from django.db.models import Sum

from accounts.models import User
from auditing.models import Account, Campaign, Posting
from auditing.selectors.policy.versions import load_policy


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
