"""The public sets that studies want: fields, licence, where they come from; what of them is here; how they are added.

Reads and writes one folder a set under the data folder, and `checksums.json` beside them.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["SETS", "PublicSet", "SetState", "add_files", "state_of"]

_SUMS = "checksums.json"


@dataclass(frozen=True, slots=True)
class PublicSet:
    """One set: which files belong to it, what each record must hold, its licence and home, and who reads it."""

    name: str
    files: tuple[str, ...]  # patterns; each needs a file
    fields: tuple[str, ...]
    licence: str
    home: str
    studies: tuple[str, ...]


_STEPS = ("benchmark", "segmentation", "soundness")
SETS: Mapping[str, PublicSet] = {
    entry.name: entry
    for entry in (
        PublicSet(
            "processbench",
            ("*.jsonl",),
            ("problem", "steps", "label"),
            "Apache-2.0",
            "huggingface.co/datasets/Qwen/ProcessBench",
            (*_STEPS, "complexity"),
        ),
        PublicSet(
            "mr_ben",
            ("*.jsonl",),
            ("Question", "Options", "Model_Solution_Steps", "Model_Solution_Correctness"),
            "MIT",
            "github.com/dvlab-research/Mr-Ben",
            _STEPS,
        ),
        PublicSet(
            "bigbench_mistake",
            ("*.jsonl",),
            ("input", "steps", "mistake_index"),
            "Apache-2.0",
            "github.com/WHGTyen/BIG-Bench-Mistake",
            _STEPS,
        ),
        PublicSet(
            "stepverify",
            ("dataset.jsonl",),
            ("problem", "student_incorrect_solution", "incorrect_index"),
            "CC BY 4.0",
            "github.com/eth-lre/verify-then-generate",
            _STEPS,
        ),
        PublicSet(
            "prmbench_sample",
            ("*.jsonl",),
            ("question", "modified_process", "error_steps"),
            "Apache-2.0",
            "github.com/ssmisya/PRMBench",
            _STEPS,
        ),
        PublicSet(
            "parc",
            ("*_positives.jsonl", "*_negatives.jsonl"),
            ("question", "steps", "premise_annotation", "error_annotation"),
            "MIT",
            "github.com/SagnikMukherjee/PARC",
            ("dag_math", "soundness"),
        ),
        PublicSet(
            "gsm8k",
            ("test.jsonl", "example_model_solutions.jsonl"),
            ("question",),
            "MIT",
            "github.com/openai/grade-school-math",
            ("consistency", "dag_math", "faithfulness"),
        ),
        PublicSet(
            "usmle_gpt4_errors",
            ("raw_annotator_level.jsonl",),
            ("id", "annotator_id", "span_annotations"),
            "MIT",
            "github.com/roysoumya/usmle-gpt4-error-taxonomy",
            ("agreement", "policy_sweep", "votes"),
        ),
        PublicSet(
            "who_and_when",
            ("algorithm_generated.jsonl",),
            ("question", "history", "mistake_agent", "mistake_step"),
            "MIT",
            "github.com/ag2ai/Agents_Failure_Attribution",
            ("attribution",),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class SetState:
    """What of a set is here: files with their records, and everything that is wrong with it."""

    files: Mapping[str, int]
    faults: tuple[str, ...]

    @property
    def is_here(self) -> bool:
        """Whether any file is."""
        return bool(self.files)


def state_of(*, entry: PublicSet, data: Path) -> SetState:
    """The files of a set, each read to its end: its records, their fields, its checksum where one was kept."""
    paths = _paths(entry, data)
    faults = [f"{pattern} is missing" for pattern in entry.files if not any(path.match(pattern) for path in paths)]
    sums = _sums(data)
    files: dict[str, int] = {}
    for path in paths:
        files[path.name], bad = _read(path, entry)
        faults += bad
        wanted = sums.get(f"{entry.name}/{path.name}")
        if wanted is not None and wanted != _sum(path):
            faults.append(f"{path.name} is not the file that was added: its checksum differs")
    return SetState(files, tuple(faults))


def add_files(*, entry: PublicSet, paths: Iterable[Path], data: Path) -> dict[str, int]:
    """Copy files into the set's folder, a JSON list as lines; their names and records. Raises ValueError, OSError.

    Nothing is copied unless every file has the fields of the set.
    """
    texts = {path.with_suffix(".jsonl").name: _as_lines(path) for path in paths}
    for name, lines in texts.items():
        if not any(Path(name).match(pattern) for pattern in entry.files):
            raise ValueError(f"{name} is no file of {entry.name}; there are {', '.join(entry.files)}")
        for number, line in enumerate(lines, 1):
            if fault := _fault(line, entry):
                raise ValueError(f"{name} line {number}: {fault}")
    folder, sums = data / entry.name, _sums(data)
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in texts.items():
        path = folder / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        sums[f"{entry.name}/{name}"] = _sum(path)
    (data / _SUMS).write_text(json.dumps(sums, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return {name: len(lines) for name, lines in texts.items()}


def _paths(entry: PublicSet, data: Path) -> list[Path]:
    return sorted({path for pattern in entry.files for path in (data / entry.name).glob(pattern)})


def _read(path: Path, entry: PublicSet) -> tuple[int, list[str]]:
    """(records, the first fault of the file)"""
    records = 0
    try:
        for number, line in enumerate(_lines(path.read_text(encoding="utf-8")), 1):
            if fault := _fault(line, entry):
                return records, [f"{path.name} line {number}: {fault}"]
            records += 1
    except UnicodeDecodeError:
        return records, [f"{path.name} is not UTF-8"]
    return records, [] if records else [f"{path.name} is empty"]


def _as_lines(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("["):
        return [json.dumps(record, ensure_ascii=False) for record in json.loads(text)]
    return list(_lines(text))


def _lines(text: str) -> Iterator[str]:
    # Not splitlines: it also cuts at U+2028, which may stand inside a JSON string.
    return (line for line in text.split("\n") if line.strip())


def _fault(line: str, entry: PublicSet) -> str:
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError):
        return "is no JSON"
    if not isinstance(record, dict):
        return "is no object"
    missing = [name for name in entry.fields if name not in record]
    return f"{missing[0]} is missing" if missing else ""


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _sums(data: Path) -> dict[str, str]:
    try:
        values = json.loads((data / _SUMS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in values.items()} if isinstance(values, dict) else {}
