"""A list as its address tells it: what it is narrowed to, by which column it is sorted, where its next page begins.

Pages are cut by a key, never by a number: rows that come in meanwhile neither repeat nor hide others.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

from accounts.parameters import read_choice, read_text
from hdag.rendering.titles import spellings

MOST_COUNTED = 10_000  # rows; to count more would cost more than the page itself
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in the address, its words, and the field that sorts it ("": it sorts nothing; never null)."""

    name: str
    words: str
    field: str = ""
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """What a list can be narrowed by: a choice of (value, words), or without choices a text."""

    name: str
    words: str
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RowPage(Generic[Row]):
    """One page of rows, the cursor of the next ("" at the end), and how many there are; None: more than are counted.

    is_lost: the list has no row that the cursor names, so this is its first page: it never was one, or is gone.
    """

    rows: list[Row]
    next: str
    total: int | None
    is_lost: bool = False


def read_sort(values: Mapping[str, Any], columns: Sequence[Column], default: str) -> str:
    """The column that a list is sorted by, with "-" before it for the largest first.

    >>> read_sort({"sort": "-title"}, [Column("title", "Title", "title")], "title")
    '-title'
    """
    return read_choice(values, "sort", sorts_of(columns), default)


def sorts_of(columns: Collection[Column]) -> list[str]:
    """Every order that a list of these columns has."""
    names = [column.name for column in columns if column.field]
    return [*names, *(f"-{name}" for name in names)]


@dataclass(frozen=True, slots=True)
class Query:
    """What an address asks of a list: its order, and its filters with their values ("" narrows nothing)."""

    sort: str
    filters: tuple[Filter, ...]

    def __getitem__(self, name: str) -> str:
        return {filter.name: filter.value for filter in self.filters}[name]

    @property
    def is_narrow(self) -> bool:
        """Whether anything is left out."""
        return any(filter.value for filter in self.filters)


def read_query(
    values: Mapping[str, Any], *, filters: Sequence[Filter], columns: Sequence[Column], default: str
) -> Query:
    """The address read into types; a word that is none of a filter's choices narrows nothing.

    >>> query = read_query({"q": "x"}, filters=[Filter("q", "Words")], columns=[Column("a", "A", "a")], default="-a")
    >>> query["q"], query.sort, query.is_narrow
    ('x', '-a', True)
    """
    asked = [
        replace(
            filter,
            value=read_choice(values, filter.name, [value for value, _ in filter.choices])
            if filter.choices
            else read_text(values, filter.name, most=100),
        )
        for filter in filters
    ]
    return Query(read_sort(values, columns, default), tuple(asked))


def contains(path: str, words: str) -> Q:
    """Rows whose field at `path` has the words in it, however their accents are coded."""
    condition = Q()
    for spelling in spellings(text=words):
        condition |= Q(**{f"{path}__icontains": spelling})
    return condition


def page_of(
    *, rows: QuerySet[Row], columns: Sequence[Column], sort: str, after: str = "", size: int = 50
) -> RowPage[Row]:
    """One page of `rows` in at most three statements. `sort` is what read_sort said; `after` a page's `next`.

    The cursor names a row and not its value: titles are long, and a value that somebody made up compares with nothing.
    """
    path = next(column.field for column in columns if column.name == sort.removeprefix("-"))
    sign, beyond = ("-", "lt") if sort.startswith("-") else ("", "gt")
    total = rows.order_by()[: MOST_COUNTED + 1].count()
    ordered = rows.order_by(f"{sign}{path}", f"{sign}pk")
    bound = _bound(rows, path, after)
    if bound:
        value, pk = bound
        ordered = ordered.filter(Q(**{f"{path}__{beyond}": value}) | Q(**{path: value, f"pk__{beyond}": pk}))
    # One row more than the page shows tells whether a next page exists.
    matches = list(ordered[: size + 1])
    following = str(matches[size - 1].pk) if len(matches) > size else ""
    lost = bool(after) and bound is None
    return RowPage(matches[:size], following, None if total > MOST_COUNTED else total, is_lost=lost)


def _bound(rows: QuerySet[Row], path: str, cursor: str) -> tuple[Any, Any] | None:
    """(value, key) of the row that a page begins behind; None where this reader's list has no such row."""
    try:
        pk = rows.model._meta.pk.to_python(cursor)
    except ValidationError:
        return None
    return rows.filter(pk=pk).values_list(path, "pk").first() if cursor else None
