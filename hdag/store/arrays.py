"""Columns of values as PostgreSQL's binary arrays, written in one pass.

psycopg asks of every list what its values are, and each value for its writer, which takes longer than PostgreSQL takes
to store the rows. Here the column says what they are. Source: array_recv in PostgreSQL's arrayfuncs.c, and the binary
forms of its types (network byte order; a moment is microseconds since 2000, UTC).
"""

import json
import struct
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any
from uuid import UUID

from psycopg.adapt import Dumper
from psycopg.pq import Format

EPOCH, MICROSECOND = datetime(2000, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
NULL = struct.pack(">i", -1)
_HEAD, _LENGTH = struct.Struct(">iiIii"), struct.Struct(">i")
_WHOLE, _DOUBLE = struct.Struct(">q"), struct.Struct(">d")


class PackedArray:
    """A finished array: its bytes, and the object identifier of its type."""

    __slots__ = ("data", "oid")

    def __init__(self, data: bytes, oid: int) -> None:
        """As `pack` makes it."""
        self.data, self.oid = data, oid


class ArrayDumper(Dumper):
    """Hands a finished array to psycopg; the connection's adapters know it (trustweb/postgresql)."""

    format = Format.BINARY

    def get_key(self, obj: PackedArray, format: Any) -> Any:
        """One dumper for each type of array."""
        return (self.cls, obj.oid)

    def upgrade(self, obj: PackedArray, format: Any) -> "ArrayDumper":
        """The dumper of this type of array."""
        dumper = type(self)(self.cls)
        dumper.oid = obj.oid
        return dumper

    def dump(self, obj: PackedArray) -> bytes:
        """The bytes as they are."""
        return obj.data


def _uuid(value: UUID | str) -> bytes:
    return value.bytes if isinstance(value, UUID) else UUID(value).bytes


def _moment(value: datetime) -> bytes:
    return _WHOLE.pack((value - EPOCH) // MICROSECOND)


def _text(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else str(value).encode()  # a member of an enum as its value


_AS_JSON = json.JSONEncoder().encode  # without a look at how it should be written, at each value
_EMPTY: dict[type, bytes] = {dict: b"\x01{}", list: b"\x01[]"}  # \x01: version of the format


def _json(value: Any) -> bytes:
    # Most JSON columns of a new row are empty.
    return (None if value else _EMPTY.get(type(value))) or b"\x01" + _AS_JSON(value).encode()


Writer = Callable[[Any], bytes]
_BIGINT: tuple[Writer, int, int] = (_WHOLE.pack, 20, 1016)
# By the type of a column: what writes one value, the type of the values, and that of their array (pg_type.dat). Whole
# numbers travel as the largest type: PostgreSQL says which of them does not fit its column.
_TYPES: dict[str, tuple[Writer, int, int]] = {
    "uuid": (_uuid, 2950, 2951),
    "varchar": (_text, 25, 1009),
    "text": (_text, 25, 1009),
    "jsonb": (_json, 3802, 3807),
    "bytea": (bytes, 17, 1001),
    "boolean": (lambda value: b"\x01" if value else b"\x00", 16, 1000),
    "smallint": _BIGINT,
    "integer": _BIGINT,
    "bigint": _BIGINT,
    "double precision": (_DOUBLE.pack, 701, 1022),
    "timestamp with time zone": (_moment, 1184, 1185),
}


def can_pack(kind: str) -> bool:
    """Whether `pack` writes values of this type; psycopg writes the rest."""
    return kind in _TYPES


def pack(values: Sequence[Any], kind: str) -> PackedArray:
    """The values of one column of this type, which must not be empty; None is NULL.

    >>> pack([True, None], "boolean").data.hex()
    '00000001000000010000001000000002000000010000000101ffffffff'
    """
    write, element, array = _TYPES[kind]
    has_null = None in values
    head = _HEAD.pack(1, int(has_null), element, len(values), 1)
    if has_null:
        return PackedArray(head + b"".join(NULL if value is None else _sized(write(value)) for value in values), array)
    written = list(map(write, values))
    sizes = map(_LENGTH.pack, map(len, written))
    return PackedArray(head + b"".join(chain.from_iterable(zip(sizes, written, strict=True))), array)


def _sized(data: bytes) -> bytes:
    return _LENGTH.pack(len(data)) + data
