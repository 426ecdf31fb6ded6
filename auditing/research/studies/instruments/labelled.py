"""Public sets with step labels, each read into one shape. Reads files under a data folder; writes nothing."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.records import read_record

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A trace and the 0-based index of its first wrong step, None for no error."""

    trace: Trace
    first_error: int | None


@dataclass(frozen=True, slots=True)
class Source:
    """A public set: its folder, which of its files, how a record becomes fields and a label, and published figures."""

    folder: str
    files: str
    read: Callable[[Record], tuple[dict[str, Any], int | None]]


def _processbench(record: Record) -> tuple[dict[str, Any], int | None]:
    label = int(record["label"])
    return {"problem": record["problem"], "steps": record["steps"]}, label if label >= 0 else None


def _mr_ben(record: Record) -> tuple[dict[str, Any], int | None]:
    """Labels count from 1 by the "Step N:" in the text; the list may hold empty strings."""
    steps = list(record["Model_Solution_Steps"])
    problem = f"{record['Question']}\n{record['Options']}"
    if record["Model_Solution_Correctness"] == "correct":
        return {"problem": problem, "steps": steps}, None
    number = int(record["Model_Solution_First_Error_Step"])
    # "Step 3:" is looked up in the text, because empty strings shift the positions.
    indexes = [index for index, step in enumerate(steps) if step.strip().startswith(f"Step {number}:")]
    return {"problem": problem, "steps": steps}, indexes[0] if indexes else number - 1


def _bigbench(record: Record) -> tuple[dict[str, Any], int | None]:
    return {"problem": record["input"], "steps": record["steps"]}, record["mistake_index"]


def _stepverify(record: Record) -> tuple[dict[str, Any], int | None]:
    fields = {"problem": record["problem"], "steps": record["student_incorrect_solution"]}
    return fields, int(record["incorrect_index"])


def _prmbench(record: Record) -> tuple[dict[str, Any], int | None]:
    errors = record["error_steps"]
    # Labels count from 1.
    return {"problem": record["question"], "steps": record["modified_process"]}, min(errors) - 1 if errors else None


def _deltabench(record: Record) -> tuple[dict[str, Any], int | None]:
    """Sections of a long thinking; a step is a section. Numbers count from 1, errors of idea and of execution apart."""
    steps = [section.get("content", section.get("section", "")) for section in record["sections"]]
    errors = [*record["error_section_numbers"], *(record.get("idea_error_section_numbers") or ())]
    return {"problem": record["question"], "steps": steps}, min(map(int, errors)) - 1 if errors else None


def _mr_gsm8k(record: Record) -> tuple[dict[str, Any], int | None]:
    """Labels of people, counted from 1; "N/A" where the solution is right."""
    fields = {"problem": record["question"], "steps": record["model_output_steps"]}
    if str(record["model_output_solution_correctness"]).lower() == "correct":
        return fields, None
    return fields, int(record["model_output_solution_first_error_step"]) - 1


SOURCES = {
    "processbench": Source("processbench", "*.jsonl", _processbench),
    "mr_ben": Source("mr_ben", "*.jsonl", _mr_ben),
    "bigbench_mistake": Source("bigbench_mistake", "*.jsonl", _bigbench),
    "stepverify": Source("stepverify", "dataset.jsonl", _stepverify),
    "prmbench": Source("prmbench_sample", "*.jsonl", _prmbench),
    "mr_gsm8k": Source("mr_gsm8k", "*.jsonl", _mr_gsm8k),
    "deltabench": Source("deltabench", "*.jsonl", _deltabench),
}


class DataMissingError(ValueError):
    """A study needs something that is not here: a public set, a file of it, or an endpoint."""


def missing_set(*, name: str, folder: Path, files: str) -> DataMissingError:
    """The error that says which public set is missing, and where its files belong."""
    return DataMissingError(
        f"{name} is not in {folder}: put {files} of the public set {name} there, "
        "or name another data folder by the setting STUDY_DATA_DIR (the command study takes --data)"
    )


def get_public_file(*, name: str, file: str, data: Path) -> Path:
    """One file of the public set `name`, which lies in a folder of that name. Raises DataMissingError."""
    path = data / name / file
    if not path.exists():
        raise missing_set(name=name, folder=path.parent, files=file)
    return path


def read_lines(path: Path) -> Iterator[Record]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def files_of(*, name: str, data: Path) -> list[Path]:
    """The files of a set. Raises DataMissingError naming the set and the folder."""
    if name not in SOURCES:
        raise DataMissingError(f"there is no data set {name!r}; there are {', '.join(SOURCES)}")
    source = SOURCES[name]
    paths = sorted((data / source.folder).glob(source.files))
    if not paths:
        raise missing_set(name=name, folder=data / source.folder, files=source.files)
    return paths


def evenly(records: Sequence[Record], most: int) -> list[tuple[int, Record]]:
    """At most `most` records at equal distances, each with its line number from 1."""
    count = min(most, len(records))
    indexes = [index * len(records) // count for index in range(count)]
    return [(index + 1, records[index]) for index in indexes]


def read_labelled(*, name: str, path: Path, most: int) -> list[Labelled]:
    """At most `most` traces of one file, evenly spaced, because some files hold the wrong ones first.

    Records that cannot be read as a trace are left out.
    """
    traces: list[Labelled] = []
    for number, record in evenly(list(read_lines(path)), most):
        fields, first_error = SOURCES[name].read(record)
        try:
            trace = read_record(fields, where=f"{path.name} line {number}")
        # For example a record without steps.
        except BadRecordError:
            continue
        traces.append(Labelled(trace, first_error))
    return traces
