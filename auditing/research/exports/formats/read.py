"""Files back to rows, one at a time, in every format that write.py writes."""

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from auditing.research.exports.formats.cells import read_cell
from auditing.research.exports.formats.columns import Dataset, ExportRefusedError, Kind, Row, parse_time
from auditing.research.exports.formats.write import Format


def read_rows(*, path: Path, dataset: Dataset, format: Format) -> Iterator[Row]:
    """The rows of an export in order.

    Raises ExportRefusedError when columns or values are not those of the data set.
    """
    return _READERS[format](path, dataset)


def _check_names(names: tuple[str, ...], dataset: Dataset) -> None:
    if names != dataset.names:
        raise ExportRefusedError(f"these are not the columns of {dataset.name}: {', '.join(names)[:200]}")


def _read_jsonl(path: Path, dataset: Dataset) -> Iterator[Row]:
    # JSON has no type for times: they are the only values to turn back.
    times = [column.name for column in dataset.columns if column.kind is Kind.TIME]
    with path.open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, start=1):
            row = _read_object(line, number)
            _check_names(tuple(row), dataset)
            for name in times:
                row[name] = row[name] if row[name] is None else parse_time(row[name])
            yield row


def _read_object(line: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        raise ExportRefusedError(f"line {number} is not JSON") from None
    if not isinstance(row, dict):
        raise ExportRefusedError(f"line {number} is not an object")
    return row


def _read_csv(path: Path, dataset: Dataset) -> Iterator[Row]:
    # The limit belongs to the module, not to a reader.
    csv.field_size_limit(2**31 - 1)  # a rationale may be longer than the module's 128 kB
    with path.open(encoding="utf-8", newline="") as file:
        lines = csv.reader(file)
        _check_names(tuple(next(lines, ())), dataset)
        for cells in lines:
            if len(cells) != len(dataset.columns):
                raise ExportRefusedError(f"line {lines.line_num} has {len(cells)} cells, not {len(dataset.columns)}")
            yield {column.name: read_cell(cell, column) for cell, column in zip(cells, dataset.columns, strict=True)}


def _read_parquet(path: Path, dataset: Dataset) -> Iterator[Row]:
    # Imported here, as in write.py.
    from auditing.research.exports.formats.parquet import read_parquet

    for names, rows in read_parquet(path):
        _check_names(names, dataset)
        for row in rows:
            yield {name: _moment(value) for name, value in row.items()}


def _moment(value: Any) -> Any:
    return value.to_pydatetime() if hasattr(value, "to_pydatetime") else value


def _read_hugging_face(path: Path, dataset: Dataset) -> Iterator[Row]:
    # Shards are numbered with leading zeros, so that sorting by name is the order of writing.
    for shard in sorted((path / "data").glob("train-*.parquet")):
        yield from _read_parquet(shard, dataset)


_READERS: dict[Format, Callable[[Path, Dataset], Iterator[Row]]] = {
    Format.JSONL: _read_jsonl,
    Format.CSV: _read_csv,
    Format.PARQUET: _read_parquet,
    Format.HUGGING_FACE: _read_hugging_face,
}
