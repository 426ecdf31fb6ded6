"""Real `datasets` and `pandas` load every export as the guide for researchers says, in an environment of their own.

TRUST_LOADING_PYTHON names a Python that has them already. Otherwise about 300 MB are installed.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from auditing.core.values import Outcome
from auditing.research.exports.formats import DATASETS, Format, Kind, Shape, write_rows
from auditing.research.exports.formats.step_labels import LabelledTrace, prm800k_record, processbench_record

GIVEN = "TRUST_LOADING_PYTHON"
WANTED = ("datasets==5.2.0", "pandas==3.1.1")
PROGRAM = Path(__file__).with_name("load_all.py")
ROOT = Path(__file__).parents[2]
# More than ten megabytes, which is what `datasets` looks at before it names the kinds, and a few of the others.
ROWS = {"votes": 20_000, "steps": 20_000}
FEW = 200
LONG = "é" * 300
# What readers take for something else: times, numbers, nothing, formulas, ends of lines. Each stands among other texts.
TEXTS = [
    "2026-11-02T00:00:00Z",
    "007",
    "NA",
    "None",
    "null",
    "",
    "'a",
    "=1+1",
    "a\nb",
    "1e5",
    "true",
    "x\u2028y",
    "-",
    "\r",
]
ENDINGS = {"jsonl": Format.JSONL, "csv": Format.CSV, "parquet": Format.PARQUET}


def rows_of(name: str) -> Iterator[dict]:
    """Whatever may be empty is so in all rows but the last; numbers are whole in all but the last."""
    columns, count = DATASETS[name].columns, ROWS.get(name, FEW)
    for number in range(count):
        is_last = number >= count - len(TEXTS)
        text = TEXTS[number - count] if is_last else f"{LONG[: 600 // len(columns)]} {number}"
        plain = {
            Kind.TEXT: text,
            Kind.INTEGER: number,
            Kind.NUMBER: number / 8 if is_last else 1,
            Kind.FLAG: bool(number % 2),
            Kind.TIME: datetime(2026, 1, 1, 0, 0, number % 60, number % 2 * 250, tzinfo=UTC),
        }
        yield {c.name: None if c.optional and not is_last else plain[c.kind] for c in columns}


def labelled(number: int) -> LabelledTrace:
    """Of nothing but first errors without posteriors, until the last."""
    is_last = number > 15_000
    return LabelledTrace(
        trace=f"t{number}",
        generator="",
        problem=f"{LONG} {number}",
        steps=("a" * 200, "b"),
        outcomes=(Outcome.PASS if is_last else Outcome.FAIL, Outcome.PASS),
        posteriors=(0.5, 1.0) if is_last else (None, None),
        final_answer_correct=True if is_last else None,
    )


def write_all(folder: Path) -> None:
    for name, dataset in DATASETS.items():
        for ending, format in ENDINGS.items():
            write_rows(rows=rows_of(name), dataset=dataset, path=folder / f"{name}.{ending}", format=format)
        write_rows(rows=rows_of(name), dataset=dataset, path=folder / f"{name}_folder", format=Format.HUGGING_FACE)
    with (
        (folder / f"{Shape.PROCESSBENCH}.jsonl").open("w") as bench,
        (folder / f"{Shape.PRM800K}.jsonl").open("w") as prm,
    ):
        for number in range(15_030):
            trace = labelled(number)
            bench.write(json.dumps(processbench_record(labelled=trace), ensure_ascii=False) + "\n")
            record = prm800k_record(labelled=trace, labeler="consensus", timestamp="2026-11-30")
            prm.write(json.dumps(record, ensure_ascii=False) + "\n")


def test_datasets_and_pandas_load_every_export_as_the_guide_says(python: str, tmp_path: Path) -> None:
    write_all(tmp_path)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "HF_HOME": str(tmp_path / "cache")}
    ran = subprocess.run(
        [python, str(PROGRAM), str(tmp_path)], capture_output=True, text=True, timeout=1800, env=environment
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    result = json.loads(next(line for line in ran.stdout.splitlines() if line.startswith("RESULT "))[7:])
    # As the guide says of columns that hold nothing but times.
    respelt = {"prm800k": "timestamp: '2026-11-30' is '2026-11-30 00:00:00'"}
    assert {name: said for name, said in result["differences"].items() if said} == respelt
    assert len(result["differences"]) == 5 * len(DATASETS) + len(Shape)
    # Why the guide says so: without the names of the kinds the same file is refused.
    assert "to null" in result["guessed"]
