"""Rows to files, batch by batch: memory is bounded by one batch, and a failed or cancelled export leaves no file."""

import csv
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from auditing.research.exports.formats.card import write_card
from auditing.research.exports.formats.cells import write_cell
from auditing.research.exports.formats.columns import Dataset, Row, Value
from auditing.research.exports.formats.content import ContentHash, plain

# Rows held in memory at once.
BATCH_ROWS = 10_000
# Rows of one Parquet file of a Hugging Face folder.
SHARD_ROWS = 1_000_000

Batches: TypeAlias = Iterator[list[tuple[Value, ...]]]


class Format(StrEnum):
    """The formats; hugging_face is a folder, the others are one file."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    HUGGING_FACE = "hugging_face"


@dataclass(frozen=True, slots=True)
class Written:
    """What an export holds."""

    path: Path
    rows: int
    content_hash: str
    size: int  # bytes


def write_rows(
    *,
    rows: Iterable[Row],
    dataset: Dataset,
    path: Path,
    format: Format,
    about: str = "",
    on_progress: Callable[[int], None] | None = None,
) -> Written:
    """Write rows in one pass and put the result in place at once, when it is whole.

    `on_progress` is called with the number of rows after each batch; whatever it raises cancels the export. `about`
    is a paragraph for the data card (filters, campaign, date). Raises ExportRefusedError naming the first row that does
    not fit.
    """
    content = ContentHash(dataset)
    with _in_place(path) as partial:
        _WRITERS[format](_batches(rows, dataset, content, on_progress), dataset, partial)
        if format is Format.HUGGING_FACE:
            write_card(folder=partial, dataset=dataset, rows=content.rows, digest=content.hexdigest(), about=about)
    return Written(path, content.rows, content.hexdigest(), _size(path))


def _batches(
    rows: Iterable[Row], dataset: Dataset, content: ContentHash, on_progress: Callable[[int], None] | None
) -> Batches:
    source = iter(rows)
    while taken := list(islice(source, BATCH_ROWS)):
        batch = dataset.check_batch(rows=taken, first=content.rows + 1)
        content.add(batch)
        yield batch
        if on_progress:
            on_progress(content.rows)


@contextmanager
def _in_place(path: Path) -> Iterator[Path]:
    # Hidden, and named after the process: two workers of one job never share a partial file.
    partial = path.with_name(f".{path.name}.partial-{os.getpid()}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield partial
        if path.is_dir():
            shutil.rmtree(path)
        # Renaming within one folder is atomic: a reader sees the whole file or none.
        partial.replace(path)
    finally:
        if partial.is_dir():
            shutil.rmtree(partial)
        partial.unlink(missing_ok=True)


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def _write_jsonl(batches: Batches, dataset: Dataset, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for batch in batches:
            for values in batch:
                named = dict(zip(dataset.names, map(plain, values), strict=True))
                file.write(json.dumps(named, ensure_ascii=False, allow_nan=False) + "\n")


def _write_csv(batches: Batches, dataset: Dataset, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(dataset.names)
        for batch in batches:
            writer.writerows(map(write_cell, values, dataset.columns) for values in batch)


def _write_parquet(batches: Batches, dataset: Dataset, path: Path) -> None:
    # Imported here: its forty megabytes are for the worker that writes such a file, not for every program.
    from auditing.research.exports.formats.parquet import write_parquet

    write_parquet(batches, dataset, path)


def _write_hugging_face(batches: Batches, dataset: Dataset, folder: Path) -> None:
    """data/train-00000-of-00002.parquet and so on; the number of shards is known only at the end."""
    data = folder / "data"
    data.mkdir(parents=True)
    shards: list[Path] = []
    first = next(batches, None)
    while first is not None or not shards:
        shards.append(data / f"shard-{len(shards):05}")
        # `first` was taken to see whether there is another shard at all; the rest of the shard follows it.
        taken = islice(batches, SHARD_ROWS // BATCH_ROWS - 1)
        _write_parquet(_with_first(first, taken), dataset, shards[-1])
        first = next(batches, None)
    for number, shard in enumerate(shards):
        shard.rename(data / f"train-{number:05}-of-{len(shards):05}.parquet")


def _with_first(first: list[tuple[Value, ...]] | None, following: Iterator[list[tuple[Value, ...]]]) -> Batches:
    if first is not None:
        yield first
    yield from following


_WRITERS: dict[Format, Callable[[Batches, Dataset, Path], None]] = {
    Format.JSONL: _write_jsonl,
    Format.CSV: _write_csv,
    Format.PARQUET: _write_parquet,
    Format.HUGGING_FACE: _write_hugging_face,
}
