"""The small runner of studies: a registry, a seed, progress, and a report as HTML and JSON.

A study is a function `(run: Run) -> Report` in a module of auditing/studies, marked with @study(name, title).
"""

import html
import importlib
import json
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a report."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a study found. `passed` is None when the study claims nothing."""

    title: str
    tables: Sequence[Table]
    notes: Sequence[str] = ()
    passed: bool | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """What a study is given: its seed, whether to run at full size, options, where data lies, whom to tell."""

    seed: int = 1
    full: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    data: Path = Path("../shared/data")
    say: Callable[[str, float], None] = lambda text, share: None

    def rng(self, *, stream: int = 0) -> np.random.Generator:
        """A generator of its own for each stream, all from the one seed."""
        return np.random.default_rng([self.seed, stream])


@dataclass(frozen=True, slots=True)
class Study:
    """A registered study."""

    name: str
    title: str
    run: Callable[[Run], Report]


STUDIES: dict[str, Study] = {}


def study(name: str, title: str) -> Callable[[Callable[[Run], Report]], Callable[[Run], Report]]:
    """Register a function as the study `name`."""

    def register(function: Callable[[Run], Report]) -> Callable[[Run], Report]:
        if name in STUDIES and STUDIES[name].run.__module__ != function.__module__:
            raise ValueError(f"two studies are named {name}")
        STUDIES[name] = Study(name, title, function)
        return function

    return register


def find_studies() -> dict[str, Study]:
    """All studies, by name; imports every module of auditing.studies."""
    import auditing.studies as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(STUDIES.items()))


def write_report(*, report: Report, run: Run, name: str, folder: Path) -> tuple[Path, Path]:
    """Write <name>.json and <name>.html into `folder`; returns both paths."""
    folder.mkdir(parents=True, exist_ok=True)
    head = {"study": name, "seed": run.seed, "full": run.full, "options": dict(run.options)}
    as_json, as_html = folder / f"{name}.json", folder / f"{name}.html"
    as_json.write_text(json.dumps({**head, **asdict(report)}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    as_html.write_text(_page(report, head), encoding="utf-8")
    return as_json, as_html


def as_text(*, table: Table) -> str:
    """A table in columns, for a terminal."""
    rows = [[str(column) for column in table.columns], *[[_shown(cell) for cell in row] for row in table.rows]]
    widths = [max(len(row[number]) for row in rows) for number in range(len(table.columns))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([table.title, *lines, *([table.note] if table.note else [])])


def _shown(cell: Cell) -> str:
    if cell is None:
        return "n/a"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _page(report: Report, head: Mapping[str, object]) -> str:
    title = html.escape(report.title)
    facts = html.escape(", ".join(f"{key} {value}" for key, value in head.items()))
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in report.notes)
    tables = "".join(_table(table) for table in report.tables)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body><h1>{title}</h1><p>{facts}</p>{notes}{tables}</body></html>\n"
    )


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{html.escape(str(column))}</th>' for column in table.columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_shown(cell))}</td>" for cell in row) + "</tr>\n" for row in table.rows
    )
    note = f"<p>{html.escape(table.note)}</p>" if table.note else ""
    caption = html.escape(table.title)
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}\n"
