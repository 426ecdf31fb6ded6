"""The one clock of the system: PostgreSQL's, so that processes on several machines agree about deadlines.

Views, tasks and commands read it and pass `now` down.
"""

from datetime import datetime
from typing import cast

from accounts.prepared.cursors import fetch


def database_now() -> datetime:
    """The time at which this transaction began, or this statement outside of one."""
    ((now,),) = fetch("SELECT now()", [])
    return cast("datetime", now)
