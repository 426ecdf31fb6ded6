"""What changed between two snapshots of one data set: rows that came and rows that are gone.

Both are files of one bundle, so that equal rows bear equal pseudonyms. Of the earlier file only digests are held.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from auditing.research.exports.formats import DATASETS, Format, Row, read_rows
from auditing.research.exports.formats.content import plain

MOST_SHOWN = 20  # rows of each kind on a page


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A finished file of a data set."""

    path: Path
    dataset: str
    format: str


@dataclass(frozen=True, slots=True)
class Difference:
    """How many rows came, are gone, and stayed; the first of those that came and are gone, as JSON."""

    came: int
    gone: int
    stayed: int
    first_came: tuple[str, ...]
    first_gone: tuple[str, ...]


def difference_between(*, earlier: Snapshot, later: Snapshot) -> Difference:
    """A row is the same when all its values are; order does not matter, and equal rows count as often as they occur."""
    before = Counter(map(_digest, _lines(earlier)))
    total, came = 0, []
    for line in _lines(later):
        total += 1
        if before[_digest(line)] > 0:
            before[_digest(line)] -= 1
        else:
            came.append(line)
    gone = +before
    lost = sum(gone.values())
    first_gone = (line for line in _lines(earlier) if gone[_digest(line)]) if lost else iter(())
    return Difference(
        came=len(came),
        gone=lost,
        stayed=total - len(came),
        first_came=tuple(came[:MOST_SHOWN]),
        first_gone=tuple(line for line, _ in zip(first_gone, range(MOST_SHOWN), strict=False)),
    )


def _lines(snapshot: Snapshot) -> Iterator[str]:
    dataset = DATASETS[snapshot.dataset]
    for row in read_rows(path=snapshot.path, dataset=dataset, format=Format(snapshot.format)):
        yield _line(row, dataset.names)


def _line(row: Row, names: tuple[str, ...]) -> str:
    return json.dumps({name: plain(row[name]) for name in names}, ensure_ascii=False)


def _digest(line: str) -> bytes:
    return hashlib.sha256(line.encode("utf-8", "surrogatepass")).digest()
