"""What every page says: whether a language model can take its tier's seats, and how much news is unread."""

from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

KEPT_SECONDS = 10


def page(request: HttpRequest) -> dict[str, Any]:
    """`llm_tier` is "model" or "people", `unread` the number on the bell; asked only by templates that say it."""
    return {"llm_tier": SimpleLazyObject(_llm_tier), "unread": SimpleLazyObject(lambda: _unread(request))}


def _unread(request: HttpRequest) -> int:
    from auditing.selectors.campaigns.news import unread_count

    return unread_count(user=request.user) if request.user.is_authenticated else 0


def _llm_tier() -> str:
    from auditing.selectors.routing.tiers import llm_is_available

    found = cache.get("llm_tier")
    if found is None:
        found = "model" if llm_is_available() else "people"
        cache.set("llm_tier", found, KEPT_SECONDS)
    return str(found)
