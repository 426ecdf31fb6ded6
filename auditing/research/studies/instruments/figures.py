"""Figures of a report as charts: named plots, intervals of shares, and lines where a table names a curve."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from auditing.research.studies.instruments.runner import Table
from hdag.rendering.charts.chart import Chart
from hdag.rendering.charts.lines import Axes, Series, line_chart
from hdag.rendering.charts.marks import Dot, Estimate, calibration_chart, interval_chart
from hdag.rendering.charts.scatter import Point, scatter_chart

MOST_ESTIMATES = 40  # rows of one chart that are still read; the table has all


def charts_of(tables: Sequence[Table]) -> list[Chart]:
    """Every chart of a report: its plots, its curves, then its intervals."""
    return [*plots_of(tables), *curves_of(tables), *intervals_of(tables)]


def plots_of(tables: Sequence[Table]) -> list[Chart]:
    """The drawing that each table names; one without a drawable row is in the table only."""
    charts = []
    for number, table in enumerate(tables):
        draw = _PLOTS.get(table.plot)
        # Tables without a plot may have any number of columns.
        rows = [row for row in table.rows if _is_number(row[1]) and _is_number(row[2])] if draw is not None else []
        if draw is not None and rows:
            charts.append(draw(f"plot-{number}", table, rows))
    return charts


def _reliability(name: str, table: Table, rows: Sequence[Sequence[Any]]) -> Chart:
    dots = [Dot(float(stated), float(right), int(count)) for stated, right, count in rows]
    return calibration_chart(name=name, title=table.title, axes=("stated", "came true"), dots=dots, note=table.note)


def _precision_recall(name: str, table: Table, rows: Sequence[Sequence[Any]]) -> Chart:
    points = [(float(recall), float(precision)) for _, recall, precision in rows]
    axes = Axes(x="recall", y="precision", y_range=(0.0, 1.0))
    return line_chart(name=name, title=table.title, axes=axes, series=[Series("precision", points)], note=table.note)


def _points_of(name: str, table: Table, rows: Sequence[Sequence[Any]]) -> Chart:
    points = [Point(str(what), float(x), float(y)) for what, x, y, *_ in rows]
    axes = (str(table.columns[1]), str(table.columns[2]))
    return scatter_chart(name=name, title=table.title, axes=axes, points=points[:MOST_ESTIMATES], note=table.note)


_PLOTS: Mapping[str, Callable[[str, Table, Sequence[Sequence[Any]]], Chart]] = {
    "reliability": _reliability,
    "precision against recall": _precision_recall,
    "points": _points_of,
}


def interval_figure(
    *, name: str, title: str, rows: Iterable[tuple[str, float | None, float | None, float | None]]
) -> Chart | None:
    """(name, value, low, high) as a chart; undefined values are in the table only. None when nothing is defined."""
    estimates = [Estimate(label, value, low, high) for label, value, low, high in rows if value is not None]
    if not estimates:
        return None
    bottom = min(end for estimate in estimates for end in (estimate.value, estimate.low, 0.0) if end is not None)
    # Shares begin at 0; coefficients such as kappa may be negative, down to -1.
    bottom = -1.0 if bottom < -0.5 else -0.5 if bottom < 0 else 0.0
    return interval_chart(name=name, title=title, estimates=estimates[:MOST_ESTIMATES], span=(bottom, 1.0))


def intervals_of(tables: Sequence[Table]) -> list[Chart]:
    """A chart for each table that has a share or a value with its interval: the column before "low"."""
    charts = []
    for number, table in enumerate(tables):
        columns = [str(column).lower() for column in table.columns]
        # The convention of all studies: the estimate stands right before its "low" and "high".
        if "low" not in columns or "high" not in columns or columns.index("low") == 0:
            continue
        low, high = columns.index("low"), columns.index("high")
        rows = [(str(row[0]), _share(row[low - 1]), _share(row[low]), _share(row[high])) for row in table.rows]
        title = f"{table.title}: {table.columns[low - 1]}"
        chart = interval_figure(name=f"interval-{number}", title=title, rows=rows)
        charts += [chart] if chart else []
    return charts


def curves_of(tables: Sequence[Table]) -> list[Chart]:
    """Lines for each table that names its curve; rows without numbers are in the table only."""
    charts = []
    for number, table in enumerate(tables):
        if len(table.curve) < 2:
            continue
        places = [list(table.columns).index(name) for name in table.curve]
        series = [Series(str(table.columns[y]), _points(table, places[0], y)) for y in places[1:]]
        axes = Axes(x=table.curve[0], y=table.curve[1] if len(places) == 2 else "")
        charts.append(line_chart(name=f"curve-{number}", title=table.title, axes=axes, series=series))
    return charts


def _points(table: Table, x: int, y: int) -> list[tuple[float, float]]:
    cells = [(row[x], row[y]) for row in table.rows]
    return [(float(a), float(b)) for a, b in cells if isinstance(a, int | float) and isinstance(b, int | float)]


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _share(cell: Any) -> float | None:
    return float(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) and -1 <= cell <= 1 else None
