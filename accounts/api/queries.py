"""What a list is asked for in its address: a value that nothing has is refused, or a typo looked like one."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model
from rest_framework.exceptions import ParseError, ValidationError

from accounts.listing import Column, Filter, RowPage, sorts_of

Row = TypeVar("Row", bound=Model)


def check_found(page: RowPage[Row]) -> RowPage[Row]:
    """The page, if its list has the row behind which it was to begin. Raises ParseError (400)."""
    if page.is_lost:
        raise ParseError("after: this list has no such row, or not any more. Begin again without it.")
    return page


def check_choice(values: Mapping[str, Any], name: str, choices: Collection[str]) -> None:
    """Raises ValidationError (400) naming the filter, where its value is none of `choices`; empty narrows nothing."""
    if (word := str(values.get(name) or "")) and word not in choices:
        raise ValidationError({name: [f"{word[:60]!r} is none of: {', '.join(choices)}."]})


def check_id(values: Mapping[str, Any], name: str) -> None:
    """Raises ValidationError (400) naming the filter, where its value is no id."""
    try:
        UUID(str(values.get(name) or UUID(int=0)))
    except ValueError:
        raise ValidationError({name: [f"{str(values[name])[:60]!r} is not an id."]}) from None


def check_filters(values: Mapping[str, Any], *, filters: Collection[Filter], columns: Collection[Column]) -> None:
    """Each filter with choices, and the order. Raises ValidationError (400)."""
    for filter in filters:
        if filter.choices:
            check_choice(values, filter.name, [value for value, _ in filter.choices])
    check_choice(values, "sort", sorts_of(columns))
