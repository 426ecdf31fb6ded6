"""Parquet by pyarrow: the schema of a data set, and files written and read batch by batch."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from auditing.research.exports.formats.columns import Dataset, Kind, Value

BATCH_ROWS = 20_000  # rows that are read at once
_ARROW = {
    Kind.TEXT: pa.string(),
    Kind.INTEGER: pa.int64(),
    Kind.NUMBER: pa.float64(),
    Kind.FLAG: pa.bool_(),
    Kind.TIME: pa.timestamp("us", tz="UTC"),
}


def arrow_schema(dataset: Dataset) -> pa.Schema:
    """The Parquet schema of a data set; the meaning of each column travels as field metadata."""
    return pa.schema(
        [pa.field(c.name, _ARROW[c.kind], c.optional, {"description": c.meaning}) for c in dataset.columns]
    )


def write_parquet(batches: Iterable[list[tuple[Value, ...]]], dataset: Dataset, path: Path) -> None:
    """One file; memory is bounded by one batch."""
    schema = arrow_schema(dataset)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_table(_table(batch, schema))


def read_parquet(path: Path) -> Iterator[tuple[tuple[str, ...], list[dict[str, Any]]]]:
    """(names of the columns, rows) batch by batch; a file without rows gives its names once."""
    with pq.ParquetFile(path) as file:
        names = tuple(file.schema_arrow.names)
        yield names, []
        for batch in file.iter_batches(batch_size=BATCH_ROWS):
            yield names, batch.to_pylist()


def _table(batch: list[tuple[Value, ...]], schema: pa.Schema) -> pa.Table:
    columns: list[Any] = [list(column) for column in zip(*batch, strict=True)]
    return pa.Table.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema=schema
    )
