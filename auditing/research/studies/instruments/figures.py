"""Figures of a report as plots: intervals of shares, and lines where a table names a curve."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from auditing.research.studies.instruments.runner import Table
from hdag.rendering.plot import Axes, Plot, Series, draw_plot

WIDTH, ROW, NAME, PAD = 680, 26, 264, 14


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


def interval_plot(
    *, title: str, rows: Iterable[tuple[str, float | None, float | None, float | None]], least: float = 0.0
) -> IntervalPlot | None:
    """A plot of (name, value, low, high); undefined values are in the table only. None when nothing is defined."""
    defined = [(name, value, low, high) for name, value, low, high in rows if value is not None]
    if not defined:
        return None
    bottom = min([least, *(v for _, value, low, _ in defined for v in (value, low) if v is not None)])
    # Shares begin at 0; coefficients such as kappa may be negative, down to -1.
    bottom = -1.0 if bottom < -0.5 else -0.5 if bottom < 0 else 0.0

    def x_of(value: float) -> float:
        return round(NAME + PAD + (min(max(value, bottom), 1.0) - bottom) / (1 - bottom) * (WIDTH - NAME - 2 * PAD), 1)

    marks = [
        Mark(
            name=name[:42],
            words=_in_words(name, value, low, high),
            y=PAD + ROW * (number + 0.5),
            x=x_of(value),
            low=None if low is None else x_of(low),
            high=None if high is None else x_of(high),
        )
        for number, (name, value, low, high) in enumerate(defined)
    ]
    steps = [bottom + (1 - bottom) * quarter / 4 for quarter in range(5)]
    ticks = [(x_of(step), f"{step:g}") for step in steps]
    return IntervalPlot(title, marks, ticks, x_of(0.0), 2 * PAD + ROW * len(defined) + 20)


def intervals_of(tables: Sequence[Table]) -> list[IntervalPlot]:
    """A plot for each table that has a share or a value with its interval: the column before "low"."""
    plots = []
    for table in tables:
        columns = [str(column).lower() for column in table.columns]
        # The convention of all studies: the estimate stands right before its "low" and "high".
        if "low" not in columns or "high" not in columns or columns.index("low") == 0:
            continue
        low, high = columns.index("low"), columns.index("high")
        rows = [(str(row[0]), _share(row[low - 1]), _share(row[low]), _share(row[high])) for row in table.rows[:40]]
        plot = interval_plot(title=f"{table.title}: {table.columns[low - 1]}", rows=rows)
        plots += [plot] if plot else []
    return plots


def curves_of(tables: Sequence[Table]) -> list[Plot]:
    """A line plot for each table that names its curve; rows without numbers are in the table only."""
    plots = []
    for number, table in enumerate(tables):
        if len(table.curve) < 2:
            continue
        places = [list(table.columns).index(name) for name in table.curve]
        series = [Series(str(table.columns[y]), _points(table, places[0], y)) for y in places[1:]]
        axes = Axes(x=table.curve[0], y=table.curve[1] if len(places) == 2 else "")
        plots.append(draw_plot(name=f"curve-{number}", title=table.title, axes=axes, series=series))
    return plots


def _points(table: Table, x: int, y: int) -> list[tuple[float, float]]:
    cells = [(row[x], row[y]) for row in table.rows]
    return [(float(a), float(b)) for a, b in cells if isinstance(a, int | float) and isinstance(b, int | float)]


def _share(cell: Any) -> float | None:
    return float(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) and -1 <= cell <= 1 else None


def _in_words(name: str, value: float, low: float | None, high: float | None) -> str:
    interval = "" if low is None or high is None else f" ({low:.3f} to {high:.3f})"
    return f"{name}: {value:.3f}{interval}"
