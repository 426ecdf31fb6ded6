"""What every page says: whether models can take their seats, how much news is unread, whether the ledger is signed."""

from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

KEPT_SECONDS = 10


def page(request: HttpRequest) -> dict[str, Any]:
    """`llm_tier` is "model" or "people", `unread` the count of unread news, `ledger_trouble` why nothing is promised.

    Computed only where a template shows it.
    """
    return {
        "llm_tier": SimpleLazyObject(_llm_tier),
        "unread": SimpleLazyObject(lambda: _unread(request)),
        "ledger_trouble": SimpleLazyObject(_ledger_trouble),
    }


def _ledger_trouble() -> str:
    from auditing.selectors.ledger.signing import find_trouble

    return find_trouble()


def _unread(request: HttpRequest) -> int:
    from auditing.selectors.campaigns.news import unread_count

    return unread_count(user=request.user) if request.user.is_authenticated else 0


def _llm_tier() -> str:
    from auditing.selectors.routing.tiers import llm_is_available

    tier = cache.get("llm_tier")
    if tier is None:
        # Nearly every page asks; ten seconds of cache spare the database a query a page, and nobody notices the delay.
        tier = "model" if llm_is_available() else "people"
        cache.set("llm_tier", tier, KEPT_SECONDS)
    return str(tier)
