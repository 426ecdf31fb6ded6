"""The content hash: one number for the same rows in any format.

SHA-256 over one line per row: the JSON array of its values in column order, no spaces, UTF-8, times as
2026-11-20T10:00:00.000000Z, numbers as Python's shortest repr, ended by a line feed; before them one line with the JSON
array of the column names.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from auditing.research.exports.formats.columns import Dataset, Row, Value, format_time

# One encoder for all rows: every option is part of the published hash and must never change.
_encode = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=lambda v: plain(v)
).encode


def plain(value: Value) -> str | int | float | bool | None:
    """A value as JSON can hold it."""
    return format_time(value) if isinstance(value, datetime) else value


class ContentHash:
    """Accumulates the content hash row by row."""

    def __init__(self, dataset: Dataset) -> None:
        """Starts with the line of column names."""
        # Column names first: equal values under other names are another data set.
        self._digest = hashlib.sha256(_encode(list(dataset.names)).encode() + b"\n")
        self.rows = 0

    def add(self, batch: Sequence[tuple[Value, ...]]) -> None:
        """Take in checked rows, values in column order."""
        self._digest.update("".join([_encode(values) + "\n" for values in batch]).encode())
        self.rows += len(batch)

    def hexdigest(self) -> str:
        """The hash of the rows so far, in hexadecimal."""
        return self._digest.hexdigest()


def hash_rows(*, rows: Iterable[Row], dataset: Dataset) -> str:
    """The content hash of rows from any reader."""
    content = ContentHash(dataset)
    for number, row in enumerate(rows, start=1):
        content.add([dataset.check_row(row=row, number=number)])
    return content.hexdigest()
