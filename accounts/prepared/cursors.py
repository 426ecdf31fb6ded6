"""Statements whose text never changes: PostgreSQL plans each of them once a connection, and psycopg looks at it once.

Django's own cursors send the values inside of the text, which makes a new statement of every call; to plan a join of
ten tables takes longer than to run it. And a cursor that is made for each call learns each time anew how the values of
its statement are written and read, which takes as long as PostgreSQL takes for a row.
"""

from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.postgresql.base import ServerBindingCursor
from psycopg.raw_cursor import RawCursorMixin

_KEPT = "cursors_by_statement"  # beside the connection, and gone with it


class NumberedCursor(RawCursorMixin[Any, Any], ServerBindingCursor):
    """Takes $1, $2, ... as PostgreSQL does, so that nobody looks through the text at each call."""


# A cursor that stays keeps neither what it sent nor what it read: both may be texts of a trace.
def fetch(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of a statement with $1, $2, ...; its text must be a constant of the code."""
    cursor = _cursor_of(statement)
    cursor.execute(statement, values)
    rows: list[tuple[Any, ...]] = cursor.fetchall()
    cursor.pgresult.clear()
    cursor._reset()
    return rows


def change(statement: str, values: Sequence[Any]) -> int:
    """How many rows a statement with $1, $2, ... changed; its text must be a constant of the code."""
    cursor = _cursor_of(statement)
    cursor.execute(statement, values)
    count = int(cursor.rowcount)
    cursor._reset()
    return count


def _cursor_of(statement: str) -> Any:
    """The statement's own cursor of this thread's connection, which knows its values and rows since its first call."""
    # The connection itself, which is looked up once; the stubs do not know what it has.
    wrapper: Any = connections[DEFAULT_DB_ALIAS]
    wrapper.ensure_connection()
    # The cursor of psycopg alone is kept: from a pool, a connection goes to another thread and its Django wrapper.
    kept = {} if wrapper.allow_thread_sharing else wrapper.connection.__dict__.setdefault(_KEPT, {})
    if statement not in kept:
        kept[statement] = NumberedCursor(wrapper.connection)
    return wrapper._prepare_cursor(kept[statement])
