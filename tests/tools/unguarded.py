"""What only the owner of the tables could do: a statement with the database's guards switched off."""

from django.db import connection

TABLES = (
    "leaf",
    "commitment",
    "vote",
    "posting",
    "checkpoint",
    "segmentoutcome",
    "traceoutcome",
    "reputationstep",
    "transfer",
    "weightsource",
    "followmeasure",
)


def unguarded(*statements: str) -> int:
    """Run them in this transaction; returns the rows of the last one."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in TABLES:
            cursor.execute(f"ALTER TABLE auditing_{table} DISABLE TRIGGER USER")
        for statement in statements:
            cursor.execute(statement)
        return int(cursor.rowcount)


def guarded() -> None:
    """The guards are on again."""
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"ALTER TABLE auditing_{table} ENABLE TRIGGER USER")
