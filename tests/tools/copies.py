"""Many open segments fast: whole audits copied inside PostgreSQL, row by row after one real one.

For figures and query plans only: the copies share the ciphertext of the segment they were made after.
"""

from collections.abc import Mapping
from typing import Any

from django.db import connection

from auditing.models import Round

AN_AUDIT = 20  # segments of one copied audit
EVERY = 20  # one copied open segment in so many is offered to the measured reviewer


def copy_open_segments(
    *, after: Round, auditor: Any, count: int, votes: int, tag: str, an_audit: int = AN_AUDIT
) -> None:
    """`count` open segments in audits of their own, some offered to `auditor`; and `votes` that `auditor` gave before.

    `an_audit` segments are of one audit. `tag` keeps the names of several calls apart. Foreign
    keys are not checked while copying: every name is derived.
    """
    seat = after.seats.order_by("place").first()
    assert seat is not None
    segment, audit = after.segment, after.audit
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        for kind, many in (("open", count), ("done", votes)):
            audits = -(-many // an_audit)
            name = _Names(f"{tag}-{kind}")
            _copy(cursor, "hdag_block", "cid", audit.trace.payload_id, audits, {"cid": name.text("payload")})
            _copy(
                cursor,
                "hdag_trace",
                "id",
                audit.trace_id,
                audits,
                {
                    "id": name.key("trace"),
                    "payload_id": name.text("payload"),
                    "digest": name.digest("trace"),
                },
            )
            _copy(
                cursor,
                "hdag_decomposition",
                "id",
                audit.job.pk,
                audits,
                {
                    "id": name.key("graph"),
                    "trace_id": name.key("trace"),
                    "notes_id": "NULL",
                },
            )
            _copy(
                cursor,
                "auditing_audit",
                "id",
                audit.pk,
                audits,
                {
                    "id": name.key("audit"),
                    "trace_id": name.key("trace"),
                    "decomposition_id": name.key("graph"),
                },
            )
            of = f"((n - 1) / {an_audit} + 1)"
            _copy(cursor, "hdag_block", "cid", segment.block_id, many, {"cid": name.text("block")})
            _copy(
                cursor,
                "hdag_segment",
                "id",
                segment.pk,
                many,
                {
                    "id": name.key("segment"),
                    "decomposition_id": name.key("graph", of),
                    "block_id": name.text("block"),
                    "position": "n",
                    "label": "'x' || n",
                },
            )
            stage, outcome = ("'committing'", "''") if kind == "open" else ("'tallied'", "'pass'")
            _copy(
                cursor,
                "auditing_round",
                "id",
                after.pk,
                many,
                {
                    "id": name.key("round"),
                    "audit_id": name.key("audit", of),
                    "segment_id": name.key("segment"),
                    "stage": stage,
                    "outcome": outcome,
                },
            )
            _copy(cursor, "auditing_seat", "id", seat.pk, many, _seats(name, kind, auditor))
            if kind == "done":
                _commitments(cursor, name, many)
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE" if not connection.in_atomic_block else "ANALYZE")


def copy_counted_rounds(*, after: Round, votes: int, tag: str) -> None:
    """`votes` opened votes in counted rounds of as many seats as `after` has, each round on a segment of its own."""
    seats = list(after.seats.filter(vote__isnull=False).select_related("vote").order_by("place"))
    segment, audit, many = after.segment, after.audit, -(-votes // len(seats))
    audits, of, name = -(-many // AN_AUDIT), f"((n - 1) / {AN_AUDIT} + 1)", _Names(tag)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        _copy(cursor, "hdag_block", "cid", audit.trace.payload_id, audits, {"cid": name.text("payload")})
        _copy(
            cursor,
            "hdag_trace",
            "id",
            audit.trace_id,
            audits,
            {
                "id": name.key("trace"),
                "payload_id": name.text("payload"),
                "digest": name.digest("trace"),
            },
        )
        _copy(
            cursor,
            "hdag_decomposition",
            "id",
            audit.job.pk,
            audits,
            {
                "id": name.key("graph"),
                "trace_id": name.key("trace"),
                "notes_id": "NULL",
            },
        )
        _copy(
            cursor,
            "auditing_audit",
            "id",
            audit.pk,
            audits,
            {
                "id": name.key("audit"),
                "trace_id": name.key("trace"),
                "decomposition_id": name.key("graph"),
            },
        )
        _copy(cursor, "hdag_block", "cid", segment.block_id, many, {"cid": name.text("block")})
        _copy(
            cursor,
            "hdag_segment",
            "id",
            segment.pk,
            many,
            {
                "id": name.key("segment"),
                "decomposition_id": name.key("graph", of),
                "block_id": name.text("block"),
                "position": "n",
                "label": "'x' || n",
            },
        )
        _copy(
            cursor,
            "auditing_round",
            "id",
            after.pk,
            many,
            {
                "id": name.key("round"),
                "audit_id": name.key("audit", of),
                "segment_id": name.key("segment"),
            },
        )
        for seat in seats:
            own = f"seat{seat.place}"
            _copy(
                cursor,
                "auditing_seat",
                "id",
                seat.pk,
                many,
                {
                    "id": name.key(own),
                    "round_id": name.key("round"),
                    "pseudonym": name.digest(own),
                },
            )
            _copy(
                cursor,
                "auditing_commitment",
                "seat_id",
                seat.pk,
                many,
                {
                    "seat_id": name.key(own),
                    "digest": name.digest(own),
                },
            )
            _copy(cursor, "hdag_block", "cid", seat.vote.rationale_id, many, {"cid": name.text(own)})
            _copy(
                cursor,
                "auditing_vote",
                "seat_id",
                seat.pk,
                many,
                {
                    "seat_id": name.key(own),
                    "rationale_id": name.text(own),
                    "revealed_at": "old.revealed_at + n * interval '1 second'",
                },
            )
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE" if not connection.in_atomic_block else "ANALYZE")


def _seats(name: "_Names", kind: str, auditor: Any) -> dict[str, str]:
    """Every copied segment has a seat: most belong to somebody else, some of them held, one in `EVERY` is offered."""
    mine = f"'{auditor.pk}'::uuid"
    somebody = name.key("somebody", "mod(n, 500)")
    if kind == "done":
        what = {
            "auditor_id": mine,
            "stage": "'revealed'",
            "wanted_by": "now()",
            "taken_at": "now() - n * interval '1 minute'",
        }
    else:
        what = {
            "auditor_id": f"CASE WHEN mod(n, {EVERY}) = 0 THEN {mine} ELSE {somebody} END",
            "stage": f"CASE WHEN mod(n, {EVERY}) = 7 THEN 'held' ELSE 'offered' END",
            "lease_until": f"CASE WHEN mod(n, {EVERY}) = 7 THEN now() + interval '20 minutes' END",
            "wanted_by": "now() + interval '30 days' + n * interval '1 millisecond'",
        }
    return {"id": name.key("seat"), "round_id": name.key("round"), **what}


def _commitments(cursor: Any, name: "_Names", many: int) -> None:
    cursor.execute(
        f"INSERT INTO auditing_commitment (seat_id, digest, rationale_digest, sealed, raw_ms, active_ms, shown, "
        f"receipt, committed_at) SELECT {name.key('seat')}, {name.digest('vote')}, '\\x00', '\\x01', 0, 0, '', '', "
        f"now() - n * interval '1 minute' FROM generate_series(1, %s) AS n",
        [many],
    )


class _Names:
    """Derived primary keys: the same name and number give the same key in every table."""

    def __init__(self, tag: str) -> None:
        self.tag = tag

    def key(self, what: str, number: str = "n") -> str:
        """A UUID as SQL."""
        return f"md5('{self.tag}-{what}-' || {number})::uuid"

    def text(self, what: str, number: str = "n") -> str:
        """A text key as SQL."""
        return f"'{self.tag}-{what}-' || {number}"

    def digest(self, what: str, number: str = "n") -> str:
        """A digest as SQL."""
        return f"decode(md5('{self.tag}-{what}-' || {number}), 'hex')"


def _copy(cursor: Any, table: str, key: str, row: Any, many: int, other: Mapping[str, str]) -> None:
    """`many` copies of one row; `other` gives SQL for the columns that differ, with n from 1."""
    cursor.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND table_schema = 'public'", [table]
    )
    columns = [name for (name,) in cursor.fetchall()]
    values = ", ".join(other.get(name, f'old."{name}"') for name in columns)
    named = ", ".join(f'"{name}"' for name in columns)
    cursor.execute(
        f'INSERT INTO "{table}" ({named}) SELECT {values} FROM "{table}" AS old, generate_series(1, %s) AS n '
        f'WHERE old."{key}" = %s',
        [many, row],
    )
