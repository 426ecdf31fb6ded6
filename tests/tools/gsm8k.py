"""Traces of the public half of ProcessBench (gsm8k), where the data lie beside the repository."""

from pathlib import Path

import pytest

from auditing.research.studies.instruments.labelled import read_lines
from hdag.core.values import Trace
from hdag.readers.records import read_record

FILE = Path("../shared/data/processbench/gsm8k.jsonl")


def public_records(count: int | None = None) -> list[dict[str, object]]:
    """The first `count` records as {"id", "problem", "steps"}; the test is skipped without the data."""
    if not FILE.exists():
        pytest.skip("the public data are not beside the repository")
    kept = ("id", "problem", "steps")
    return [{name: record[name] for name in kept} for record in list(read_lines(FILE))[:count]]


def public_traces(count: int | None = None) -> list[Trace]:
    """The same as traces."""
    return [read_record(record, where=str(record["id"])) for record in public_records(count)]
