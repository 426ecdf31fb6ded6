"""What every page says about the machine it runs on: whether a language model can take its tier's seats."""

from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

KEPT_SECONDS = 10


def page(request: HttpRequest) -> dict[str, Any]:
    """`llm_tier` is "model" or "people"; asked only by templates that say it."""
    return {"llm_tier": SimpleLazyObject(_llm_tier)}


def _llm_tier() -> str:
    from auditing.selectors.tiers import llm_is_available  # settings name this module before the apps are loaded

    found = cache.get("llm_tier")
    if found is None:
        found = "model" if llm_is_available() else "people"
        cache.set("llm_tier", found, KEPT_SECONDS)
    return str(found)
