"""Bytes in PostgreSQL a segment, a vote and a leaf, with their indexes, and what 10^8 segments would take.

python -m benchmarks.storage [traces] [reviewers]   (40 and 3; a trace has 24 steps)

Traces are audited to the end by people who give a reason of a sentence. Each table is counted whole, with what lies
outside of its rows, and divided by what it belongs to; it has been vacuumed, and never rewritten.
"""

import os
import sys
from collections.abc import Mapping
from typing import Any

from tests.tools.services import own_services

SIZES = (40, 3)
MANY = 10**8  # segments
# What grows with each, by the tables that hold it.
HOLDS: Mapping[str, tuple[str, ...]] = {
    "segment": (
        "hdag_segment",
        "hdag_edge",
        "auditing_route",
        "auditing_round",
        "auditing_segmentoutcome",
    ),
    "vote": ("auditing_seat", "auditing_commitment", "auditing_vote", "auditing_weightsource"),
    "leaf": ("auditing_leaf",),
    "event": ("auditing_auditevent",),
    "text": ("hdag_block",),
}
COUNTED = {
    "segment": "hdag_segment",
    "vote": "auditing_vote",
    "leaf": "auditing_leaf",
    "event": "auditing_auditevent",
    "text": "hdag_block",
}
_SIZE = "SELECT pg_table_size(%s::regclass), pg_indexes_size(%s::regclass)"


def main() -> None:
    """Start PostgreSQL and Redis, audit, measure, stop."""
    sizes = [int(word) for word in sys.argv[1:]]
    with own_services():
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        _audit(*[*sizes, *SIZES[len(sizes) :]])
        _say()


def _audit(traces: int, reviewers: int) -> None:
    from auditing.core.values import Choice
    from hdag.core.values import Trace
    from tests.factories.worlds import make_world

    world = make_world(reviewers=reviewers)
    for number in range(traces):
        steps = "\n\n".join(f"Then we look at flock {number} of barn {step} and count it." for step in range(24))
        audit = world.submit(
            trace=Trace(problem="How many?", thinking=steps, answer="all", domain="other", title=str(number))
        )
        world.everybody_votes(audit, Choice.PASS)


def _say() -> None:
    from django.db import connection

    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        counts = {unit: _count(cursor, table) for unit, table in COUNTED.items()}
        each: dict[str, float] = {}
        for unit, tables in HOLDS.items():
            rows, indexes = (sum(sizes) for sizes in zip(*(_size(cursor, table) for table in tables), strict=True))
            each[unit] = (rows + indexes) / counts[unit]
            print(f"a {unit}: {rows / counts[unit]:.0f} bytes, {indexes / counts[unit]:.0f} more of indexes")
        cursor.execute("SELECT pg_database_size(current_database())")
        whole = cursor.fetchone()[0]
    shares = {unit: count / counts["segment"] for unit, count in counts.items()}
    print(
        "for each segment " + ", ".join(f"{share:.2f} of {unit}" for unit, share in shares.items() if unit != "segment")
    )
    total = sum(each[unit] * share for unit, share in shares.items())
    print(
        f"{counts['segment']} segments; everything above is {total / 1000:.1f} kB a segment, the database "
        f"{whole / counts['segment'] / 1000:.1f} kB; {MANY:.0e} segments: {total * MANY / 10**12:.2f} TB"
    )


def _size(cursor: Any, table: str) -> tuple[int, int]:
    cursor.execute(_SIZE, [table, table])
    rows, indexes = cursor.fetchone()
    return int(rows), int(indexes)


def _count(cursor: Any, table: str) -> int:
    cursor.execute(f"SELECT count(*) FROM {table}")
    return int(cursor.fetchone()[0])


if __name__ == "__main__":
    main()
