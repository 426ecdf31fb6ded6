"""How figures are written on research pages."""

from typing import Any

from django import template

register = template.Library()


@register.filter
def figure(cell: object) -> str:
    """A cell of a table for people: four digits, words for what is missing."""
    if cell is None or cell == "":
        return "–"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


@register.filter
def is_number(cell: object) -> bool:
    """Whether a cell is aligned to the right."""
    return isinstance(cell, int | float) and not isinstance(cell, bool)


@register.filter
def spaced(name: str) -> str:
    """A name of the code in words: logic_flip is shown as logic flip."""
    return name.replace("_", " ")


@register.filter
def wordlist(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


@register.simple_tag(takes_context=True)
def csv_address(context: Any, place: int) -> str:
    """This page's address with ?csv=<place>, filters kept."""
    query = context["request"].GET.copy()
    query["csv"] = str(place)
    return "?" + str(query.urlencode())
