"""The runner of studies: a registry, a seed, progress, and pieces of work that a resumed run finds again.

A study is a function `(run: Run) -> Report` in a module of auditing/research/studies, marked with
@study(name, title). It does its costly work in pieces, `run.piece(key=..., make=...)`,
and draws each piece's chance from a stream of its own.
"""

import hashlib
import importlib
import json
import pkgutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from auditing.research.studies.instruments.coverage import Coverage, Reading, Tally

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a report. `curve` names the columns to draw as lines, the one of the x axis first."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    curve: Sequence[str] = ()
    plot: str = ""  # "reliability", "precision against recall" or "points": how plots.py has it drawn


@dataclass(frozen=True, slots=True)
class Report:
    """What a study found. `passed` is None when the study claims nothing.

    `simulated` says which people, models or traces chance stood in for; wherever the report goes, the word goes too.
    """

    title: str
    tables: Sequence[Table]
    notes: Sequence[str] = ()
    passed: bool | None = None
    simulated: str = ""
    coverage: Coverage | None = None  # of the calls to a model; None where none was asked
    items: Table | None = None  # one row a trace or step: its label and what was predicted
    votes: Sequence[Mapping[str, Any]] = ()  # recorded votes, one line each, which a study reads again by --file


# Implemented by NoNotebook, FileNotebook (the command) and studies.services.Pieces (the pages).
class Notebook(Protocol):
    """Where finished pieces of a run are kept until it is over."""

    def find(self, *, key: str) -> Any:
        """The value kept under `key`, None for nothing. Values are JSON and never None."""
        ...

    def keep(self, *, key: str, value: Any) -> None:
        """Keep a value."""
        ...


class NoNotebook:
    """Keeps nothing."""

    def find(self, *, key: str) -> Any:
        """Nothing."""
        return None

    def keep(self, *, key: str, value: Any) -> None:
        """Nothing."""


class FileNotebook:
    """One JSON line a piece; a line that was cut off by a crash is a piece that was not done."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._found: dict[str, Any] = {}
        if path.exists():
            # Whatever stands after the last line feed was cut off by a crash.
            whole, _, cut = path.read_text(encoding="utf-8").rpartition("\n")
            if cut:
                path.write_text(whole + "\n" if whole else "", encoding="utf-8")
            for row in map(json.loads, whole.splitlines()):
                self._found[row["key"]] = row["value"]

    def find(self, *, key: str) -> Any:
        """The value kept under `key`."""
        return self._found.get(key)

    def keep(self, *, key: str, value: Any) -> None:
        """Append it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "value": value}) + "\n")
            self._found[key] = value

    def forget(self) -> None:
        """The run is over."""
        self._path.unlink(missing_ok=True)


class OptionError(ValueError):
    """An option of a study cannot be read."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a study is given: its seed, whether to run at full size, options, where data lies, whom to tell."""

    seed: int = 1
    full: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    data: Path = Path("study-data")
    say: Callable[[str, float], None] = lambda text, share: None
    notebook: Notebook = field(default_factory=NoNotebook)
    tally: Tally = field(default_factory=Tally)
    file: Path | None = None  # a researcher's own, in place of the public set
    limit: int | None = None  # most records of a file
    shape: str = ""  # of the file's lines (own_file.py)
    reading: Reading = field(default_factory=Reading)
    tell: Callable[[str], None] = lambda sentence: None  # what a person should read before anything is spent
    money: Decimal | None = None  # most that this run may spend

    def number(self, name: str, default: int) -> int:
        """An option that is a whole number. Raises OptionError."""
        return int(self.real(name, default))

    def real(self, name: str, default: float) -> float:
        """An option that is a number. Raises OptionError."""
        text = self.options.get(name, "")
        try:
            return float(text) if text else default
        except ValueError:
            raise OptionError(f"the option {name} is a number, not {text[:40]!r}") from None

    def piece(self, *, key: str, make: Callable[[], Any]) -> Any:
        """A piece of work, done once: what `make` gives as JSON values, found again when the run goes on later.

        Where a model is asked, its answers are kept instead (model_tier.py), and a piece is made of them anew: so what
        was not answered is asked again, and nothing else.
        """
        if self.tally.asks:
            return json.loads(json.dumps(make()))
        value = self.notebook.find(key=key)
        if value is None:
            # Through JSON even when it is fresh: the first run and a resumed one must see the same kinds of values.
            value = json.loads(json.dumps(make()))
            self.notebook.keep(key=key, value=value)
        return value

    @property
    def fingerprint(self) -> str:
        """Tells runs of different size and options apart."""
        own = [] if self.file is None else [hashlib.sha256(self.file.read_bytes()).hexdigest(), self.limit]
        identity = json.dumps([self.seed, self.full, dict(self.options), *own], sort_keys=True)
        return hashlib.sha256(identity.encode()).hexdigest()[:12]

    def rng(self, *, stream: int = 0) -> np.random.Generator:
        """A generator of its own for each stream, all from the one seed."""
        # numpy mixes both numbers into one seed; neighbouring streams are independent.
        return np.random.default_rng([self.seed, stream])


def covered(*, report: Report, run: Run) -> Report:
    """The report with the coverage of its calls; every table of a partial one says so, an empty one has none.

    Votes of a file that chance cast once are called simulated again.
    """
    if run.reading.simulated and not report.simulated and run.file is not None:
        told = f"{run.reading.simulated} of {run.reading.read} lines of {run.file.name}, as they say of themselves."
        report = replace(report, simulated=told)
    coverage = run.tally.coverage()
    if coverage is None or not coverage.is_partial:
        return replace(report, coverage=coverage)
    tables = [replace(table, title=f"Partial: {table.title}") for table in report.tables]
    return replace(report, tables=[] if coverage.is_empty else tables, coverage=coverage)


@dataclass(frozen=True, slots=True)
class Study:
    """A registered study."""

    name: str
    title: str
    run: Callable[[Run], Report]
    reads: str = ""  # the shape of an own file (own_file.py); empty: it reads none
    options: tuple[str, ...] | None = None  # None: whatever it is given

    @property
    def asks(self) -> bool:
        """Whether a model can take part."""
        return "endpoint" in (self.options or ())


STUDIES: dict[str, Study] = {}


def study(
    name: str, title: str, *, reads: str = "", options: tuple[str, ...] = ()
) -> Callable[[Callable[[Run], Report]], Callable[[Run], Report]]:
    """Register a function as the study `name`."""

    def register(function: Callable[[Run], Report]) -> Callable[[Run], Report]:
        # Registering twice from one module is a reload, from two modules a mistake.
        if name in STUDIES and STUDIES[name].run.__module__ != function.__module__:
            raise ValueError(f"two studies are named {name}")
        STUDIES[name] = Study(name, title, function, reads, options)
        return function

    return register


def find_studies() -> dict[str, Study]:
    """All studies, by name; imports every module of auditing.research.studies."""
    import auditing.research.studies as package

    # Importing a module runs its @study decorator. Folders (instruments) are imported, too, and register nothing.
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(STUDIES.items()))


def as_text(*, table: Table) -> str:
    """A table in columns, for a terminal."""
    rows = [[str(column) for column in table.columns], *[[shown(cell) for cell in row] for row in table.rows]]
    widths = [max(len(row[number]) for row in rows) for number in range(len(table.columns))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([table.title, *lines, *([table.note] if table.note else [])])


def shown(cell: Cell) -> str:
    """A cell for people: four digits, n/a for what is missing."""
    if cell is None:
        return "n/a"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
