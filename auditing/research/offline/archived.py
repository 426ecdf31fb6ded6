"""An archive of traces as lines of the command-line auditor: read to its end before one of them is audited.

Reads the archive; writes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hdag.core.errors import ForeignFileError
from hdag.readers.archives.traces import read_archive
from hdag.readers.records import DEFAULT_LIMITS

if TYPE_CHECKING:
    from auditing.research.offline.batches import Line
    from hdag.readers import files
    from hdag.readers.archives.directory import Seekable

_MOST_NAMED = 20


def read_archived(*, source: Seekable) -> list[Line]:
    """("record 3", bytes, bytes so far) of every record. Raises ForeignFileError naming what cannot be read."""
    records = list(read_archive(lines=source, limits=DEFAULT_LIMITS))
    if problems := [record.problem for record in records if record.problem]:
        more = f"; and {len(problems) - _MOST_NAMED} more" if problems[_MOST_NAMED:] else ""
        raise ForeignFileError("; ".join(problems[:_MOST_NAMED]) + more)
    return list(_lines(records))


def _lines(records: list[files.Line]) -> Iterator[Line]:
    read = 0
    for record in records:
        read += len(record.raw)
        yield f"record {record.number}", _with_id(record), read


def _with_id(record: files.Line) -> bytes:
    """The record under the id that its trace has: those of a sample are its number and its epoch."""
    try:
        value = json.loads(record.raw)
    except ValueError:
        # A text, as it stands in the archive, is a line of JSON here.
        return json.dumps(record.raw.decode("utf-8-sig")).encode()
    if not isinstance(value, dict) or "id" in value:
        return record.raw
    name = record.traces[0].id if len(record.traces) == 1 else ""
    return json.dumps({"id": name or str(record.number), **value}).encode()
