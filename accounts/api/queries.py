"""Where a program's next page begins: a cursor that names no row is refused, or the first page would come for ever."""

from typing import TypeVar

from django.db.models import Model
from rest_framework.exceptions import ParseError

from accounts.listing import RowPage

Row = TypeVar("Row", bound=Model)


def found(page: RowPage[Row]) -> RowPage[Row]:
    """The page, if its list has the row behind which it was to begin. Raises ParseError (400)."""
    if page.is_lost:
        raise ParseError("after: this list has no such row, or not any more. Begin again without it.")
    return page
