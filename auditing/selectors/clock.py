"""The one clock of the system: PostgreSQL's, so that processes on several machines agree about deadlines.

Views, tasks and commands read it and pass `now` down.
"""

from datetime import datetime

from django.db import connection


def database_now() -> datetime:
    """The time at which this transaction began, or this statement outside of one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        row = cursor.fetchone()
    assert row is not None
    now: datetime = row[0]
    return now
