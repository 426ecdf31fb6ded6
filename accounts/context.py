"""What every page knows about its visitor: the doors their roles open, and the colours they chose."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.navigation import doors_for

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "theme"


def page(request: HttpRequest) -> dict[str, Any]:
    """Template context processor of the product."""
    theme = request.COOKIES.get(THEME_COOKIE, "auto")
    return {
        "theme": theme if theme in THEMES else "auto",
        "doors": SimpleLazyObject(lambda: doors_for(request)),
    }
