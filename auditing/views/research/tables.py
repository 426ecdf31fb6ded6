"""Tables of figures as pages and as CSV, and plots as SVG that the server draws; every plot stands beside its table."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from auditing.core.consensus.calibration import Bin
from auditing.services.export.cells import write_cell
from auditing.services.export.columns import Column, Kind
from auditing.studies.runner import Cell, Table

WIDTH, ROW, NAME, PAD = 640, 26, 220, 14
SIDE = 300
_TEXT = Column("cell", Kind.TEXT, "")


@dataclass(frozen=True, slots=True)
class Mark:
    """One row of an interval plot, in pixels."""

    name: str
    words: str
    y: float
    x: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class IntervalPlot:
    """Estimates as dots with their intervals on a common scale."""

    title: str
    marks: Sequence[Mark]
    ticks: Sequence[tuple[float, str]]
    zero: float
    height: int
    width: int = WIDTH


@dataclass(frozen=True, slots=True)
class CalibrationPlot:
    """Stated probability against share that was right; a dot's size is its number of votes."""

    title: str
    dots: Sequence[tuple[float, float, float, str]]  # x, y, radius, words
    side: int = SIDE


def interval_plot(
    *, title: str, rows: Iterable[tuple[str, float | None, float | None, float | None]], least: float = 0.0
) -> IntervalPlot | None:
    """A plot of (name, value, low, high); undefined values are in the table only. None when nothing is defined."""
    shown = [(name, value, low, high) for name, value, low, high in rows if value is not None]
    if not shown:
        return None
    bottom = min([least, *(v for _, value, low, _ in shown for v in (value, low) if v is not None)])
    bottom = -1.0 if bottom < -0.5 else -0.5 if bottom < 0 else 0.0

    def place(value: float) -> float:
        return round(NAME + PAD + (min(max(value, bottom), 1.0) - bottom) / (1 - bottom) * (WIDTH - NAME - 2 * PAD), 1)

    marks = [
        Mark(
            name=name[:34],
            words=_in_words(name, value, low, high),
            y=PAD + ROW * (number + 0.5),
            x=place(value),
            low=None if low is None else place(low),
            high=None if high is None else place(high),
        )
        for number, (name, value, low, high) in enumerate(shown)
    ]
    steps = [bottom + (1 - bottom) * part / 4 for part in range(5)]
    ticks = [(place(step), f"{step:g}") for step in steps]
    return IntervalPlot(title, marks, ticks, place(0.0), 2 * PAD + ROW * len(shown) + 20)


def _in_words(name: str, value: float, low: float | None, high: float | None) -> str:
    interval = "" if low is None or high is None else f" ({low:.3f} to {high:.3f})"
    return f"{name}: {value:.3f}{interval}"


def calibration_plot(*, title: str, bins: Sequence[Bin]) -> CalibrationPlot | None:
    """The bins of a calibration as dots; None without bins."""
    if not bins:
        return None
    most, inner = max(one.count for one in bins), SIDE - 60
    dots = [
        (
            round(40 + inner * one.mean_posterior, 1), round(SIDE - 40 - inner * one.share_valid, 1),
            round(3 + 7 * (one.count / most) ** 0.5, 1),
            f"stated {one.mean_posterior:.2f}, right {one.share_valid:.2f}, {one.count} votes",
        )
        for one in bins
    ]  # fmt: skip
    return CalibrationPlot(title, dots)


def csv_answer(*, table: Table, name: str) -> HttpResponse:
    """A table as a CSV file that no spreadsheet runs; figures keep all their digits."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([write_cell(str(column), _TEXT) for column in table.columns])
    writer.writerows([_cell(cell) for cell in row] for row in table.rows)
    answer = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, f"{name}.csv") or "attachment"
    return answer


def chosen_table(*, tables: Sequence[Table], asked: str, name: str) -> HttpResponse | None:
    """The CSV of the table that ?csv=<place from 1> asks for; None when it asks for none of them."""
    if asked.isascii() and asked.isdigit() and 1 <= int(asked) <= len(tables):
        return csv_answer(table=tables[int(asked) - 1], name=f"{name}-{asked}")
    return None


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    return write_cell(cell, _TEXT) if isinstance(cell, str) else repr(cell)
