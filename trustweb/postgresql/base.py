"""Django's backend for PostgreSQL with one change: a connection that rested is looked at without asking the server."""

import select

from django.db.backends.postgresql import base
from psycopg import pq


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL."""

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
