"""What every page knows about its visitor: navigation, colours, whether strangers may ask for an account."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.navigation import nav_items

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "theme"
ZONE_COOKIE = "zone"
YEAR = 365 * 24 * 3600  # seconds


def page(request: HttpRequest) -> dict[str, Any]:
    """Template context processor of the product."""
    theme = request.COOKIES.get(THEME_COOKIE, "auto")
    return {
        "theme": theme if theme in THEMES else "auto",
        # Lazy: fragments of pages have no masthead and should not pay for its queries.
        "doors": SimpleLazyObject(lambda: nav_items(request)),
        "signup_open": SimpleLazyObject(_is_signup_open),
        "demo": SimpleLazyObject(_demo_doors),
    }


def _demo_doors() -> dict[str, Any]:
    from accounts.demo import open_doors  # as below
    from accounts.demo_logins import PASSWORD

    return {"doors": open_doors(), "password": PASSWORD}


def _is_signup_open() -> bool:
    from accounts.models import JoiningRule  # settings name this module before the apps are loaded
    from accounts.selectors.joining import current_way

    return current_way() == JoiningRule.Way.APPROVAL
