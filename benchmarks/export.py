"""Export of 1,000,000 votes to Parquet within 60 s and 300 MB of memory, beside a bare json.dumps of the same rows."""

import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from auditing.research.exports.formats import DATASETS, Format, Row, hash_rows, read_rows, write_rows

START = datetime(2026, 1, 1, tzinfo=UTC)


def votes(count: int) -> Iterator[Row]:
    """Rows like those of a server-side cursor."""
    for n in range(count):
        yield {
            "audit": f"00000000-0000-4000-8000-{n // 50:012d}",
            "trace": f"10000000-0000-4000-8000-{n // 50:012d}",
            "campaign": "20000000-0000-4000-8000-000000000001",
            "domain": "finance",
            "policy": 3,
            "is_simulated": False,
            "segment": f"30000000-0000-4000-8000-{n // 5:012d}",
            "label": f"ST{n % 40}",
            "round": 1,
            "tier": "human",
            "auditor": f"auditor-{n % 300}",
            "is_imported": False,
            "choice": "fail" if n % 7 == 0 else "pass",
            "confidence": 0.5 + (n % 50) / 100,
            "error_type": "calculation" if n % 7 == 0 else None,
            "is_propagated": False,
            "reason": f"The quotient of line {n % 97} does not follow.",
            "rubric_version": 2,
            "raw_seconds": 61.5,
            "active_seconds": 44.25,
            "committed_at": START + timedelta(seconds=n),
            "revealed_at": START + timedelta(seconds=n + 900),
            "is_gold": n % 10 == 0,
        }


def main() -> None:
    """Print time, peak memory and hashes."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    dataset = DATASETS["votes"]
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        written = write_rows(rows=votes(count), dataset=dataset, path=Path(folder, "v.parquet"), format=Format.PARQUET)
        took = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{count:,} votes to Parquet {took:.1f} s (limit 60 s), peak {peak:.0f} MB (limit 300 MB)")
        started = time.perf_counter()
        for row in votes(count):
            json.dumps(row, default=str)
        floor = time.perf_counter() - started
        print(f"floor, json.dumps of the same rows: {floor:.1f} s, ratio {took / floor:.2f}")
        rows = read_rows(path=written.path, dataset=dataset, format=Format.PARQUET)
        print("same hash when read back:", hash_rows(rows=rows, dataset=dataset) == written.content_hash)


if __name__ == "__main__":
    main()
