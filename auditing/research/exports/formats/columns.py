"""What a column and a data set are, and the check that a row fits them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from operator import itemgetter
from typing import Any, TypeAlias

Value: TypeAlias = str | int | float | bool | datetime | None
Row: TypeAlias = Mapping[str, Value]


class ExportRefusedError(ValueError):
    """A row or a file does not fit its data set."""


class Kind(StrEnum):
    """The kinds of value; every format holds each of them without loss."""

    TEXT = "text"
    INTEGER = "integer"  # 64 bits, signed
    NUMBER = "number"  # a finite double
    FLAG = "flag"
    TIME = "time"  # UTC, microseconds


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, kind, meaning, and whether it may be empty."""

    name: str
    kind: Kind
    meaning: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Dataset:
    """A published data set: the same columns in the same order in every format."""

    name: str
    meaning: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(column.name for column in self.columns)

    def check_row(self, *, row: Row, number: int) -> tuple[Value, ...]:
        """The row's values in column order. Raises ExportRefusedError naming the row, the column and what is wrong."""
        if row.keys() != set(self.names):
            odd = sorted(row.keys() ^ set(self.names))
            raise ExportRefusedError(f"{self.name}, row {number}: columns missing or unknown: {', '.join(odd)}")
        return tuple(self._check_value(column, row[column.name], number) for column in self.columns)

    def check_batch(self, *, rows: Sequence[Row], first: int) -> list[tuple[Value, ...]]:
        """check_row for many rows, a column at a time; `first` is the number of the first row."""
        try:
            values = list(map(itemgetter(*self.names), rows))
        except KeyError:
            values = []
        # Fast path: whole columns are checked by C loops, and only a batch with a fault is searched row by row.
        alike = len(values) == len(rows) and set(map(len, rows)) <= {len(self.names)}
        if alike and all(map(_all_fit, self.columns, zip(*values, strict=True))):
            return values
        return [self.check_row(row=row, number=number) for number, row in enumerate(rows, start=first)]

    def _check_value(self, column: Column, value: Value, number: int) -> Value:
        if value is None and column.optional:
            return None
        problem = "may not be empty" if value is None else _PROBLEM[column.kind](value)
        if problem:
            raise ExportRefusedError(f"{self.name}, row {number}, column {column.name}: {problem}")
        # An integer may stand in a column of numbers; 1 and 1.0 must hash alike, so it becomes a float.
        return float(value) if column.kind is Kind.NUMBER else value  # type: ignore[arg-type]

    def json_schema(self) -> dict[str, Any]:
        """JSON Schema (2020-12) of one JSONL line."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.name,
            "description": self.meaning,
            "type": "object",
            "additionalProperties": False,
            "required": list(self.names),
            "properties": {column.name: _property(column) for column in self.columns},
        }


def _text_problem(value: Value) -> str:
    if not isinstance(value, str):
        return f"is {type(value).__name__}, not text"
    if value.isascii():
        return ""
    try:
        value.encode()
    except UnicodeEncodeError:
        return "holds half of a surrogate pair, which no file can store"
    return ""


def _integer_problem(value: Value) -> str:
    # Not isinstance: True is an int in Python.
    if type(value) is not int:
        return f"is {type(value).__name__}, not an integer"
    # The range of Parquet's int64.
    return "" if -(2**63) <= value < 2**63 else "does not fit 64 bits"


def _number_problem(value: Value) -> str:
    if type(value) not in (int, float):
        return f"is {type(value).__name__}, not a number"
    return "" if math.isfinite(value) else "is not finite"  # type: ignore[arg-type]


def _flag_problem(value: Value) -> str:
    return "" if type(value) is bool else f"is {type(value).__name__}, not true or false"


def _time_problem(value: Value) -> str:
    if not isinstance(value, datetime):
        return f"is {type(value).__name__}, not a time"
    return "" if value.tzinfo is not None else "has no time zone"


def _all_fit(column: Column, cells: Sequence[Any]) -> bool:
    """Whether a whole column surely fits; False only sends the rows through the slow check that names the culprit."""
    present: Sequence[Any] = [cell for cell in cells if cell is not None] if column.optional else cells
    if not set(map(type, present)) <= {_TYPE[column.kind]}:
        return False
    return not present or _ALL_FIT[column.kind](present)


def _all_storable(texts: Sequence[str]) -> bool:
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


_TYPE = {Kind.TEXT: str, Kind.INTEGER: int, Kind.NUMBER: float, Kind.FLAG: bool, Kind.TIME: datetime}
_ALL_FIT: dict[Kind, Callable[[Sequence[Any]], bool]] = {
    Kind.TEXT: _all_storable,
    Kind.INTEGER: lambda cells: min(cells) >= -(2**63) and max(cells) < 2**63,
    Kind.NUMBER: lambda cells: all(map(math.isfinite, cells)),
    Kind.FLAG: lambda cells: True,
    Kind.TIME: lambda cells: None not in {cell.tzinfo for cell in cells},
}
_PROBLEM = {
    Kind.TEXT: _text_problem,
    Kind.INTEGER: _integer_problem,
    Kind.NUMBER: _number_problem,
    Kind.FLAG: _flag_problem,
    Kind.TIME: _time_problem,
}
_JSON = {
    Kind.TEXT: {"type": "string"},
    Kind.INTEGER: {"type": "integer"},
    Kind.NUMBER: {"type": "number"},
    Kind.FLAG: {"type": "boolean"},
    Kind.TIME: {"type": "string", "format": "date-time"},
}


def _property(column: Column) -> dict[str, Any]:
    schema: dict[str, Any] = dict(_JSON[column.kind], description=column.meaning)
    if column.optional:
        schema["type"] = [schema["type"], "null"]
    return schema


def format_time(moment: datetime) -> str:
    """A moment as 2026-11-20T10:00:00.000000Z, always with microseconds."""
    # A million rows pass here, and most times are UTC already.
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return utc.isoformat(timespec="microseconds")[:-6] + "Z"  # without +00:00


def parse_time(text: str) -> datetime:
    """The moment that format_time wrote."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
