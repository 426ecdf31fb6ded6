"""Queries that are put together once: Django builds the SQL at first use, later calls only fill in their values.

To put a query of ten joins together takes Django several times as long as PostgreSQL takes to answer it. A prepared
query is written as any other, as a function of the values that each call brings:

    @PreparedQuery
    def _token(digest: str) -> QuerySet[ApiToken]:
        return ApiToken.objects.filter(digest=digest)

    _token.first(digest=...)

The function is called once, with a `Slot` of the annotated type for each parameter.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from inspect import Parameter, signature
from types import NoneType
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models import BooleanField, Expression, Field, Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.sql import UpdateQuery
from psycopg import sql

from accounts.prepared.cursors import change, fetch

M = TypeVar("M", bound=Model)
Changes = tuple[QuerySet[Any], dict[str, Any]]  # rows, and what their columns become


@dataclass(frozen=True, slots=True)
class Mark:
    """Stands among the parameters of the SQL for the value of this name."""

    name: str


class Slot(Expression):
    """The place of a value in a prepared query; given to psycopg as it is."""

    def __init__(self, name: str, output_field: "Field[Any, Any]") -> None:
        """The name of the keyword that brings the value, and the type that it has in the database."""
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """Only a placeholder."""
        return "%s", [Mark(self.name)]


_FIELDS: dict[Any, type["Field[Any, Any]"]] = {
    UUID: models.UUIDField,
    int: models.BigIntegerField,
    str: models.CharField,
    bytes: models.BinaryField,
    datetime: models.DateTimeField,
}


def _call(make: Callable[..., Any]) -> Any:
    """What `make` gives for a slot in each of its parameters that has no value yet."""
    unset = [name for name, value in signature(make).parameters.items() if value.default is Parameter.empty]
    hints = get_type_hints(getattr(make, "func", make)) if unset else {}  # of what a partial stands for
    return make(**{name: Slot(name, _FIELDS[_without_none(hints[name])]()) for name in unset})


def _without_none(kind: Any) -> Any:
    return next((kind for kind in get_args(kind) if kind is not NoneType), kind)


class Written(Expression):
    """SQL that is written by hand, never made of what somebody sent; a `Mark` stands for each value of a call."""

    def __init__(self, statement: str, marks: Sequence[Any], output_field: "Field[Any, Any]") -> None:
        """A value or, with a BooleanField, a condition; for each %s a mark, or in an ordinary query the value."""
        super().__init__(output_field=output_field)
        self.statement, self.marks = statement, list(marks)

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """As written."""
        return f"({self.statement})", self.marks


def among(column: str, name: str) -> Written:
    """The condition that a column holds one of the values of a call, which is one plan for any number of them."""
    return Written(f"{column} = ANY(%s)", [Mark(name)], output_field=BooleanField())


def number_marks(statement: str, values: Sequence[Any]) -> tuple[str, tuple[str, ...]]:
    """Django's placeholders as PostgreSQL's own, and the name of the mark that each number stands for.

    What is no mark is a constant of the code and stands in the statement: a plan that does not know it can use no index
    of some of the rows, such as that of open rounds.
    """
    connection.ensure_connection()
    left, numbers = iter(values), dict[str, int]()

    def put(place: re.Match[str]) -> str:
        if place[0] == "%%":
            return "%"
        value = next(left)
        if not isinstance(value, Mark):
            return sql.Literal(value).as_string(connection.connection)
        return f"${numbers.setdefault(value.name, len(numbers) + 1)}"  # sent once, however often it stands there

    return re.sub("%[s%]", put, statement), tuple(numbers)


def unhurried(rows: "QuerySet[M]") -> "QuerySet[M]":
    """The same rows, for an UPDATE whose loss costs nothing: its commit does not wait for the disk.

    Only for a statement that is a transaction of its own; inside of a larger one nothing is changed.
    """
    if connection.in_atomic_block:
        return rows
    return rows.filter(UNHURRIED)


# Asked for each row that is changed, hence before the commit; "local" ends with the transaction.
UNHURRIED = Written("set_config('synchronous_commit', 'off', true) = 'off'", [], BooleanField())
# The same where a call says with `is_alone` whether the statement is a transaction of its own. One value and no OR: a
# condition that some calls make simpler would be planned anew at each of them.
_COMMITS = "CASE WHEN %s THEN 'off' ELSE current_setting('synchronous_commit') END"
UNHURRIED_ALONE = Written(
    f"set_config('synchronous_commit', {_COMMITS}, true) <> ''", [Mark("is_alone")], BooleanField()
)


class PreparedRows:
    """One query of values(), made by `make` at first use: its rows as tuples, in the order of the named columns.

    Only of columns that the database's driver reads as Django does (texts, numbers, moments, UUIDs; no JSON).
    """

    def __init__(self, make: Callable[..., "QuerySet[Any, Any]"]) -> None:
        """Nothing is built yet: models may still be loading."""
        self._make = make

    def rows(self, **values: Any) -> list[tuple[Any, ...]]:
        """A tuple for each row. values: one for each slot and each mark."""
        statement, names = self._plan
        return fetch(statement, _filled(names, values))

    @cached_property
    def _plan(self) -> tuple[str, tuple[str, ...]]:
        statement, values = _call(self._make).query.get_compiler(using=DEFAULT_DB_ALIAS).as_sql()
        return number_marks(statement, values)


class PreparedUpdate:
    """One UPDATE, made by `make` at first use: the rows that it changes, and the new values by column."""

    def __init__(self, make: Callable[..., Changes]) -> None:
        """Nothing is built yet: models may still be loading."""
        self._make = make

    def run(self, **values: Any) -> int:
        """How many rows were changed. values: one for each slot and each mark."""
        statement, names = self._plan
        return change(statement, _filled(names, values))

    @cached_property
    def _plan(self) -> tuple[str, tuple[str, ...]]:
        rows, columns = _call(self._make)
        query = rows.query.chain(UpdateQuery)
        query.add_update_values(columns)
        statement, values = query.get_compiler(using=DEFAULT_DB_ALIAS).as_sql()
        return number_marks(statement, values)


def _filled(names: Sequence[str], values: dict[str, Any]) -> list[Any]:
    return [values[name] for name in names]


class _Kind:
    """How instances of one model are made of a row, each with what was joined to it.

    Django's own way tells listeners of every instance, of which this house has none, and sets attribute by attribute,
    which takes several times as long.
    """

    def __init__(self, joined: dict[str, Any], selected: Sequence[Any]) -> None:
        """joined: a model among the compiler's `klass_info`, with its columns among those `selected`."""
        self.model = joined["model"]
        if self.model.__init__ is not Model.__init__ or joined.get("from_parent"):
            raise TypeError(f"{self.model.__name__} is made in a way of its own, which no prepared query goes.")
        places = joined["select_fields"]
        self.columns = slice(places[0], places[-1] + 1)
        self.names = [expression[0].target.attname for expression in selected[self.columns]]
        self.key = places[0] + self.names.index(self.model._meta.pk.attname)
        self.joined = [
            (kind["local_setter"], kind["remote_setter"], _Kind(kind, selected))
            for kind in joined.get("related_klass_infos", ())
        ]

    def make(self, row: Sequence[Any]) -> Any:
        """An instance as the query itself would give it; None where an outer join found nothing."""
        if row[self.key] is None:
            return None
        instance = self.model.__new__(self.model)
        state = ModelState()
        state.adding, state.db = False, DEFAULT_DB_ALIAS
        instance.__dict__.update(zip(self.names, row[self.columns], strict=True), _state=state)
        for set_here, set_there, kind in self.joined:
            other = kind.make(row)
            set_here(instance, other)
            if other is not None:
                set_there(other, instance)
        return instance


class _Plan(NamedTuple):
    """The finished SQL, and how instances are made of its rows."""

    sql: str
    marks: tuple[str, ...]
    compiler: Any
    converters: Any
    kind: _Kind
    annotations: dict[str, int]


class PreparedQuery(Generic[M]):
    """One query, made by `make` at first use; its instances are those that the query itself would give."""

    def __init__(self, make: Callable[..., "QuerySet[M]"]) -> None:
        """Nothing is built yet: models may still be loading."""
        self._make = make

    def first(self, **values: Any) -> M | None:
        """The first row, or None; the query itself says in which order, and reads no more than it needs."""
        return next(self.rows(**values), None)

    def rows(self, **values: Any) -> Iterator[M]:
        """An instance for each row. values: one for each slot."""
        plan = self._plan
        fetched = fetch(plan.sql, _filled(plan.marks, values))
        # JSON becomes values here, as it does behind every query set.
        for row in plan.compiler.apply_converters(fetched, plan.converters) if plan.converters else fetched:
            instance = plan.kind.make(row)
            for name, column in plan.annotations.items():
                setattr(instance, name, row[column])
            yield instance

    @cached_property
    def _plan(self) -> _Plan:
        """As django.db.models.query.ModelIterable does it before its first row."""
        compiler = _call(self._make).query.get_compiler(using=DEFAULT_DB_ALIAS)
        statement, values = compiler.as_sql()
        text, marks = number_marks(statement, values)
        return _Plan(
            sql=text,
            marks=marks,
            compiler=compiler,
            converters=compiler.get_converters([expression[0] for expression in compiler.select]),
            kind=_Kind(compiler.klass_info, compiler.select),
            annotations=dict(compiler.annotation_col_map),
        )
