"""What is asked for in an address: names that nobody reads and values that nothing has are refused, or a typo looked
like an answer."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model
from rest_framework.exceptions import APIException, ParseError, ValidationError
from rest_framework.settings import api_settings

from accounts.listing import Column, Filter, RowPage, sorts_of

Row = TypeVar("Row", bound=Model)
_LONGEST = 60  # characters of a strange name that are said again


class UnknownParameterError(APIException):
    """The address has a parameter that is not read there."""

    status_code = 400

    def __init__(self, name: str, readable: Collection[str]) -> None:
        """name: as it was sent."""
        names = f"this address reads: {', '.join(sorted(readable))}" if readable else "this address reads none"
        super().__init__(f"unknown parameter {name[:_LONGEST]!r}; {names}.")


def check_names(values: Mapping[str, Any], readable: Collection[str]) -> None:
    """Raises UnknownParameterError (400) for a name that is not `readable`; the form of the answer may always be."""
    if unknown := values.keys() - {*readable, api_settings.URL_FORMAT_OVERRIDE}:
        raise UnknownParameterError(min(unknown), readable)


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
