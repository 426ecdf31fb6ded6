"""The one clock: PostgreSQL's, read by the outside floor and passed down."""

from datetime import datetime

from django.db import connection


def database_now() -> datetime:
    """The time of this transaction, or of this statement outside one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        row = cursor.fetchone()
    assert row is not None
    now: datetime = row[0]
    return now
