"""Django's backend for PostgreSQL with five changes.

A connection that rested is looked at without asking the server, moments are read by Python's own reader, columns of
many rows travel as finished arrays, what is prepared is planned once, and no text has a second index.
"""

import select
from datetime import UTC, datetime
from typing import Any

from django.db.backends.postgresql import base, schema
from django.db.backends.postgresql.psycopg_any import BaseTzLoader
from psycopg import pq

from hdag.store.arrays import ArrayDumper, PackedArray


class UtcLoader(BaseTzLoader):  # type: ignore[misc]
    """Reads a moment of a connection whose time zone is UTC, as ours are.

    psycopg's reader in C cannot be told a zone, and Django's takes a pattern for each: ten times as long, for the
    thousands of moments of a page.
    """

    timezone = UTC

    def load(self, data: Any) -> datetime:
        """The moment with its zone; what Python cannot hold (infinity, years before Christ) raises as before."""
        try:
            return datetime.fromisoformat(str(data, "ascii"))
        except ValueError:
            moment: datetime = super().load(data)
            return moment


class SchemaEditor(schema.DatabaseSchemaEditor):
    """Makes tables without the second index that Django gives each text with one, for searches by how it begins.

    Where texts are compared byte by byte, as in the databases that we make, the first index serves such searches too;
    and every row of a table pays for each of its indexes.
    """

    def _create_like_index_sql(self, model: Any, field: Any) -> None:
        return None


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL."""

    SchemaEditorClass = SchemaEditor

    def get_connection_params(self) -> dict[str, Any]:
        """As Django has them, with our reader of moments and our way to plan."""
        params: dict[str, Any] = super().get_connection_params()
        # Else the first five calls on each connection are planned with their values, and a join of fifteen tables at
        # every call where its values look cheap. (A claim and a seal took PostgreSQL 15 ms so, and 4 to 5 otherwise;
        # that the planning is the difference was not looked at in a plan.)
        params["options"] = f"{params.get('options', '')} -c plan_cache_mode=force_generic_plan".strip()
        # Django keeps one context for all connections of a zone; to register the same again changes nothing.
        params["context"].register_dumper(PackedArray, ArrayDumper)
        if self.timezone == UTC:
            params["context"].register_loader("timestamptz", UtcLoader)
        return params

    def is_usable(self) -> bool:
        """Whether the server is still at the other end.

        A server that ended has closed the socket, and one that is ending has written its goodbye: either makes the
        socket readable, and then the server is asked as Django does. A statement that goes nowhere all the same (a
        machine that vanished without a word) fails as it would after a question, and the next request connects anew.
        """
        if self.connection is None or self.errors_occurred:
            return bool(super().is_usable())
        wire = self.connection.pgconn
        if wire.status != pq.ConnStatus.OK:
            return False
        watch = select.poll()  # not select.select, which takes no descriptor above 1,023
        watch.register(wire.socket, select.POLLIN)
        return not watch.poll(0) or bool(super().is_usable())
