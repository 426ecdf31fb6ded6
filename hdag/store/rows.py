"""Many new rows of one table in one statement, whose text is the same for any number of them: a column is one array.

Django makes a parameter of every value of every row, which takes longer than PostgreSQL takes to store it. What an
INSERT promises stays: constraints, triggers, defaults of the database, numbers in the order of the rows.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models import NOT_PROVIDED
from django.db.models.base import ModelState
from django.db.models.expressions import DatabaseDefault

from accounts.prepared.cursors import change, fetch
from hdag.store.arrays import PackedArray, can_pack, pack

M = TypeVar("M", bound=models.Model)


class _Form(NamedTuple):
    """What a new instance of a model has before anything is given."""

    names: frozenset[str]  # all that may be given
    constants: Mapping[str, Any]  # attribute: its default, the same for every row
    made: tuple[tuple[str, Callable[[], Any]], ...]  # attribute, and what makes a default of its own for each row
    relations: Mapping[str, "models.ForeignKey[Any, Any]"]


class _Insert(NamedTuple):
    statement: str
    columns: tuple[tuple[str, str], ...]  # attribute and type of each given column
    returned: tuple[str, ...]  # attributes that the database fills in


def fresh(model: type[M], /, **given: Any) -> M:
    """A new row as `model(**given)` makes it, in a third of the time: of one trace there are hundreds.

    Raises TypeError for a name that the model does not have.
    """
    form = _form(model)
    if not form.names >= given.keys():
        raise TypeError(f"{model.__name__} has no {', '.join(sorted(given.keys() - form.names))}")
    row = model.__new__(model)
    state = ModelState()
    row.__dict__.update(form.constants, _state=state)
    for name, make in form.made:
        if name not in given:
            row.__dict__[name] = make()
    for name, value in given.items():
        field = form.relations.get(name)
        if field is None:
            row.__dict__[name] = value
            continue
        row.__dict__[field.attname] = None if value is None else getattr(value, field.target_field.attname)
        state.fields_cache[name] = value
        if field.unique and value is not None:
            field.remote_field.set_cached_value(value, row)
    return row


def insert(rows: Iterable[M]) -> list[M]:
    """Insert new rows of one model, in order, as bulk_create does; what the database fills in is set on them.

    Raises ValueError where some of them give a moment or a number that the others leave to the database.
    """
    made = list(rows)
    if not made:
        return made
    plan = _plan(type(made[0]), frozenset(_left_out(made)))
    columns: list[Any] = [_packed(list(map(attrgetter(name), made)), kind) for name, kind in plan.columns]
    if not plan.returned:
        change(plan.statement, columns)
    filled_in = fetch(plan.statement, columns) if plan.returned else []
    for row, values in zip(made, filled_in, strict=bool(plan.returned)):
        for name, value in zip(plan.returned, values, strict=True):
            setattr(row, name, value)
    for row in made:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return made


def insert_columns(model: type[models.Model], columns: Mapping[str, Sequence[Any]]) -> None:
    """Insert rows of which nobody needs an instance: a list a column, by attribute, all equally long.

    What no list is given for is left to the database.
    """
    names = {field.attname for field in model._meta.concrete_fields}
    plan = _plan(model, frozenset(names - columns.keys()))
    if any(columns.values()):
        packed: list[Any] = [_packed(columns[name], kind) for name, kind in plan.columns]
        change(plan.statement, packed)


def _left_out(made: Sequence[models.Model]) -> Iterable[str]:
    """The columns that these rows leave to the database; a plain default is set on the rows here."""
    for name, default in _defaults(type(made[0])):
        left_out = [row for row in made if _is_left_out(getattr(row, name))]
        if not _is_computed(default):
            for row in left_out:
                setattr(row, name, default)
        elif left_out:
            if len(left_out) < len(made):
                raise ValueError(f"some of these rows give {name}, and some do not")
            yield name


def _is_left_out(value: Any) -> bool:
    return value is None or isinstance(value, DatabaseDefault)


def _is_computed(default: Any) -> bool:
    """Whether the database computes a default itself, such as now() or the next number."""
    return default is NOT_PROVIDED or hasattr(default, "resolve_expression")


def _packed(values: Sequence[Any], kind: str) -> PackedArray | Sequence[Any]:
    return pack(values, kind) if can_pack(kind) else values


@cache
def _form(model: type[models.Model]) -> _Form:
    fields: list[Any] = list(model._meta.concrete_fields)
    if model.__init__ is not models.Model.__init__:
        raise TypeError(f"{model.__name__} is made in a way of its own")
    own = {field for field in fields if field.has_default() and callable(field.default)}
    relations = {field.name: field for field in fields if field.is_relation}
    return _Form(
        names=frozenset({field.attname for field in fields} | relations.keys()),
        constants={field.attname: field.get_default() for field in fields if field not in own},
        made=tuple((field.attname, field.default) for field in fields if field in own),
        relations=relations,
    )


@cache
def _defaults(model: type[models.Model]) -> tuple[tuple[str, Any], ...]:
    """The columns that the database fills in where a row does not, none of which may be NULL, with their defaults."""
    filled_in = (field for field in model._meta.concrete_fields if field.db_returning and not field.null)
    return tuple((field.attname, field.db_default) for field in filled_in)


@cache
def _plan(model: type[models.Model], left_out: frozenset[str]) -> _Insert:
    fields = [field for field in model._meta.concrete_fields if field.attname not in left_out]
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    arrays = ", ".join(f"${number}::{_type_of(field)}[]" for number, field in enumerate(fields, 1))
    into = quote(model._meta.db_table)
    statement = f"INSERT INTO {into} ({names}) SELECT * FROM unnest({arrays})"  # noqa: S608  names of our own models
    filled_in = [field for field in model._meta.concrete_fields if field.attname in left_out]
    if filled_in:
        statement += " RETURNING " + ", ".join(quote(str(field.column)) for field in filled_in)
    columns = tuple((field.attname, _type_of(field)) for field in fields)
    return _Insert(statement, columns, tuple(field.attname for field in filled_in))


def _type_of(field: "models.Field[Any, Any]") -> str:
    """The type without its length: a cast to it would cut what is too long, where the column refuses it."""
    return str(field.db_type(connection)).partition("(")[0]
