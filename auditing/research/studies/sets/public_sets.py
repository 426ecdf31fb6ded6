"""What of the public sets is here and whole, and how files of them are added.

Reads and writes one folder a set under the data folder, and `checksums.json` beside them.
"""

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auditing.research.studies.sets.catalogue import PublicSet

__all__ = ["SetState", "add_files", "state_of"]

_SUMS = "checksums.json"


@dataclass(frozen=True, slots=True)
class SetState:
    """What of a set is here: files with their records, and everything that is wrong with it."""

    files: Mapping[str, int]
    faults: tuple[str, ...]
    sums: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of each file

    @property
    def is_here(self) -> bool:
        """Whether any file is."""
        return bool(self.files)


def state_of(*, entry: PublicSet, data: Path) -> SetState:
    """The files of a set, each read to its end: its records, their fields, its checksum where one was kept."""
    paths = _paths(entry, data)
    faults = [f"{pattern} is missing" for pattern in entry.files if not any(path.match(pattern) for path in paths)]
    recorded = _sums(data)
    files, sums = dict[str, int](), dict[str, str]()
    for path in paths:
        files[path.name], bad = _read(path, entry)
        faults += bad
        sums[path.name] = _sum(path)
        wanted = recorded.get(f"{entry.name}/{path.name}")
        if wanted is not None and wanted != sums[path.name]:
            faults.append(f"{path.name} is not the file that was added: its checksum differs")
    return SetState(files, tuple(faults), sums)


def add_files(*, entry: PublicSet, paths: Iterable[Path], data: Path) -> dict[str, int]:
    """Copy files into the set's folder as JSON lines; their names and records. Raises ValueError, OSError.

    A file may hold JSON lines, a JSON list, one JSON object, CSV or TSV with a header, or Parquet.
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
    if path.suffix == ".parquet":
        return [_line(record) for record in _parquet(path)]
    # Spreadsheets write a mark of order before the first column's name.
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix in (".csv", ".tsv"):
        rows = csv.DictReader(text.splitlines(keepends=True), delimiter="\t" if path.suffix == ".tsv" else ",")
        return [_line(row) for row in rows]
    if text.lstrip().startswith("["):
        return [_line(record) for record in json.loads(text)]
    whole = _one_object(text)
    if whole is None:
        return list(_lines(text))
    # PubMedQA is published as one object, id -> record.
    if isinstance(whole, dict) and whole and all(isinstance(record, dict) for record in whole.values()):
        return [_line({"id": key, **record}) for key, record in whole.items()]
    return [_line(whole)]


def _one_object(text: str) -> Any:
    """A single object that is printed over several lines, None for anything else."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _parquet(path: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq  # here: it takes long to import, and few files need it

    try:
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    except OSError as error:
        raise ValueError(f"{path.name} is no Parquet: {error}") from None
    return rows


def _line(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, default=str)


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
