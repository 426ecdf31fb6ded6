"""Queries as streams of rows by a server-side cursor: memory does not grow with the number of rows.

Text is opened only by hdag/store/content.py, only when the scope carries text; what was erased is None.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.db.models import BigIntegerField, F, Func, QuerySet, TextField
from django.db.models.functions import Cast

from auditing.research.exports.selectors.scope import Scope
from hdag.models import Block
from hdag.store import content

Row = Mapping[str, Any]
# Rows that the cursor brings, and blocks that are opened, at a time.
CHUNK = 2000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
IDS = ("audit", "trace", "campaign")


def as_text(path: str) -> Cast:
    """An id as the text that PostgreSQL makes of it: a million UUID objects would only be turned into text again."""
    return Cast(path, TextField())


def as_microseconds(path: str) -> Func:
    """A moment as microseconds since 1970: reading a million timestamps from text costs more than all else."""
    template = "(EXTRACT(EPOCH FROM %(expressions)s) * 1000000)::bigint"
    return Func(F(path), template=template, output_field=BigIntegerField())


def moment(microseconds: int | None) -> datetime | None:
    """The moment that as_microseconds gave."""
    return None if microseconds is None else EPOCH + timedelta(microseconds=microseconds)


def stream(queryset: QuerySet[Any], **named: Any) -> Iterator[dict[str, Any]]:
    """The named columns of a query, a chunk of the cursor at a time; texts that lie elsewhere come chunk by chunk."""
    column_names = list(named)
    values = queryset.values_list(*named.values()).iterator(chunk_size=CHUNK)
    while rows := [dict(zip(column_names, row_values, strict=True)) for row_values in islice(values, CHUNK)]:
        # The query asked for blocks: fetch those of the chunk together.
        if "cid" in named:
            _fetch(rows)
        yield from rows


def _fetch(rows: list[dict[str, Any]]) -> None:
    """Put the block of each row in the place of its columns."""
    for row in rows:
        columns = {name: row.pop(name) for name in ("cid", "ciphertext", "wrapped_key", "is_manifest")}
        # An outer join gives None where a row has no block; is_manifest may not be None.
        row["block"] = Block(**columns | {"is_manifest": bool(columns["is_manifest"])})
    content.fetch(row["block"] for row in rows)


def audit_columns(prefix: str) -> dict[str, str]:
    """The columns that say which audit a row belongs to; `prefix` leads to the audit."""
    return {
        "audit": f"{prefix}pk",
        "trace": f"{prefix}trace_id",
        "campaign": f"{prefix}campaign_id",
        "domain": f"{prefix}trace__domain",
        "policy": f"{prefix}policy__number",
        "is_simulated": f"{prefix}is_simulated",
    }


def texted(row: dict[str, Any], *columns: str) -> dict[str, Any]:
    """Ids as text, None kept."""
    for column in columns:
        row[column] = None if row[column] is None else str(row[column])
    return row


def block_columns(scope: Scope, path: str) -> dict[str, str]:
    """The block behind `path`, when text goes along."""
    if not scope.with_text:
        return {}
    columns = ("ciphertext", "wrapped_key", "is_manifest")
    return {"cid": f"{path}_id"} | {column: f"{path}__{column}" for column in columns}


def take_text(row: dict[str, Any]) -> str | None:
    """The text of the row's block, which is taken away; None without one, and when it was erased."""
    block: Block | None = row.pop("block", None)
    return None if block is None or block.wrapped_key is None else content.read(block)
