"""Estimates with their intervals, bars, matrices and calibrations: the charts whose marks are not lines."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hdag.rendering.charts.chart import Cell, Chart, finite, number_text, scale_of, ticks
from hdag.rendering.charts.theme import SERIES, SHADE, token

WIDTH, HEIGHT, ROW, SIDE = 360, 220, 24, 260
SMALL_CELL, LARGE_CELL, NARROWEST_WITH_WORDS = 22, 46, 12
Y_WORDS = {"labelLimit": 160, "ticks": False}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval; low and high are None where none is stated."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None

    @property
    def words(self) -> str:
        """As one reads it aloud."""
        ends = "" if self.low is None or self.high is None else f" ({self.low:.3f} to {self.high:.3f})"
        return f"{self.name}: {self.value:.3f}{ends}"


@dataclass(frozen=True, slots=True)
class Bar:
    """A length under a label; bars of several groups stand on one another."""

    label: str
    value: float
    group: str = ""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One field of a matrix; value sets the shade (-1 to 1), words stand in it, None leaves it empty."""

    row: str
    column: str
    value: float | None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """One bin of a calibration: what was stated, what share was right, of how many."""

    stated: float
    right: float
    count: int


def interval_chart(
    *, name: str, title: str, estimates: Sequence[Estimate], span: tuple[float, float] = (0.0, 1.0), note: str = ""
) -> Chart:
    """Estimates as dots with their intervals on a common scale, one under the other in their order."""
    # What reaches beyond the scale ends at its edge; the table keeps the true ends.
    names = _apart([estimate.name[:60] for estimate in estimates])
    values = [
        {
            "name": names[position],
            "position": position,
            "value": _within(estimate.value, span),
            "low": _within(estimate.low, span),
            "high": _within(estimate.high, span),
            "words": estimate.words,
        }
        for position, estimate in enumerate(estimates)
    ]
    y = {"field": "name", "type": "nominal", "sort": {"field": "position"}, "title": None, "axis": Y_WORDS}
    x = {
        "type": "quantitative",
        "scale": {"domain": list(span), "nice": False},
        "title": None,
        "axis": {"tickCount": 4},
    }
    rule = {"x": {"field": "low", **x}, "x2": {"field": "high"}, "y": y}
    words = {"description": {"field": "words"}}
    return Chart(
        name=name,
        title=title,
        words=f"{len(estimates)} values with their intervals, from {span[0]:g} to {span[1]:g}.",
        shape={
            "width": WIDTH - 140,
            "height": {"step": ROW},
            "data": {"values": values},
            "layer": [
                {"mark": {"type": "rule", "aria": False, "color": token("accent"), "strokeWidth": 2}, "encoding": rule},
                {
                    "mark": {"type": "circle", "size": 80, "opacity": 1, "color": token("accent")},
                    "encoding": {"x": {"field": "value", **x}, "y": y, **words},
                },
            ],
        },
        columns=("", "value", "low", "high"),
        rows=tuple((one.name, finite(one.value), finite(one.low), finite(one.high)) for one in estimates),
        note=note,
    )


def bar_chart(
    *,
    name: str,
    title: str,
    axes: tuple[str, str],
    bars: Sequence[Bar],
    colors: Sequence[tuple[str, str]] = (),
    lying: bool = False,
    note: str = "",
) -> Chart:
    """Bars by label; axes: (what the labels are, what is counted). colors: (group, token) in the order of the legend.

    lying: bars go to the right and labels stand beside them, for long labels.
    """
    labels = list(dict.fromkeys(bar.label for bar in bars))
    groups = [group for group, _ in colors] or list(dict.fromkeys(bar.group for bar in bars))
    looks = [look for _, look in colors] or list(SERIES)
    values = [
        {
            "label": bar.label,
            "value": finite(bar.value),
            "group": bar.group,
            "position": groups.index(bar.group),
            "words": f"{bar.label}{', ' if bar.group else ''}{bar.group}: {number_text(bar.value)}",
        }
        for bar in bars
    ]
    label: dict[str, Any] = {"field": "label", "type": "nominal", "sort": labels, "title": axes[0]}
    length: dict[str, Any] = {"field": "value", "type": "quantitative", "title": axes[1]}
    length |= {"axis": {"grid": True, **ticks(count=5, values=[finite(bar.value) for bar in bars])}}
    # Words stand upright at the foot of a bar, or beside it: turned words are hard to read.
    label |= {"title": None, "axis": Y_WORDS} if lying else {"axis": {"labelAngle": 0, "labelOverlap": True}}
    color: dict[str, Any] = {"field": "group", "type": "nominal", "sort": groups}
    color |= {"scale": scale_of(names=groups, looks=[token(look) for look in looks])}
    # A legend of one group says what the title has said.
    color |= {"legend": None if len(groups) < 2 else {"symbolType": "square", "symbolSize": 120}}
    size = {"width": WIDTH - 120, "height": {"step": ROW}} if lying else {"width": WIDTH, "height": HEIGHT}
    return Chart(
        name=name,
        title=title,
        words=f"{axes[1]} by {axes[0]}.",
        shape={
            **size,
            "data": {"values": values},
            "mark": {"type": "bar", "opacity": 0.85},
            "encoding": {
                "y" if lying else "x": label,
                "x" if lying else "y": length,
                "color": color,
                "order": {"field": "position"},
                "description": {"field": "words"},
            },
        },
        columns=(axes[0], *(group or axes[1] for group in groups)),
        rows=tuple(_bar_rows(bars, labels, groups)),
        note=note,
    )


def matrix_chart(*, name: str, title: str, axes: tuple[str, str], cells: Sequence[MatrixCell], note: str = "") -> Chart:
    """A matrix by its cells, shaded by value; axes: (what a row is, what a column is).

    Words stand inside while there is room; a value below zero has the other colour.
    """
    rows = list(dict.fromkeys(cell.row for cell in cells))
    # Where rows and columns are the same things, they stand in the same order.
    columns = sorted(
        dict.fromkeys(cell.column for cell in cells), key=lambda one: rows.index(one) if one in rows else 0
    )
    values = [
        {
            "row": cell.row,
            "column": cell.column,
            "shade": SHADE * min(1.0, abs(finite(cell.value) or 0.0)),
            "sign": "less" if (cell.value or 0.0) < 0 else "more",
            "text": cell.words,
            "words": f"{cell.row}, {cell.column}: {cell.words or 'not stated'}",
        }
        for cell in cells
    ]
    has_room = len(columns) <= NARROWEST_WITH_WORDS
    side = LARGE_CELL if has_room else SMALL_CELL
    x: dict[str, Any] = {"field": "column", "type": "nominal", "sort": columns, "title": axes[1]}
    x |= {
        "axis": {
            "orient": "top",
            "labelAngle": 0 if len(columns) < 4 else -60,
            "labelLimit": 90,
            "grid": False,
            "titlePadding": 30,
        }
    }
    y = {"field": "row", "type": "nominal", "sort": rows, "title": axes[0], "axis": {"labelLimit": 160}}
    sign = {"domain": ["more", "less"], "range": [token("accent"), token("fail")]}
    field = {
        "mark": {"type": "rect", "stroke": token("line"), "strokeWidth": 1},
        "encoding": {
            "color": {"field": "sign", "type": "nominal", "scale": sign, "legend": None},
            "fillOpacity": {"field": "shade", "type": "quantitative", "scale": None, "legend": None},
            "description": {"field": "words"},
        },
    }
    inscription = {
        "mark": {"type": "text", "aria": False, "color": token("ink")},
        "encoding": {"text": {"field": "text"}},
    }
    by_place = {(cell.row, cell.column): cell for cell in cells}
    return Chart(
        name=name,
        title=title,
        words=f"A matrix: {axes[0]} by {axes[1]}.",
        shape={
            "width": {"step": side if len(columns) > 3 else 2 * side},
            "height": {"step": 30 if has_room else SMALL_CELL},
            "data": {"values": values},
            "encoding": {"x": x, "y": y},
            "layer": [field, inscription] if has_room else [field],
        },
        columns=(axes[0], *columns),
        rows=tuple(
            (row, *(by_place[row, column].words if (row, column) in by_place else None for column in columns))
            for row in rows
        ),
        note=note,
    )


def calibration_chart(*, name: str, title: str, axes: tuple[str, str], dots: Sequence[Dot], note: str = "") -> Chart:
    """Stated probability against the share that was right; equal on the diagonal; a dot's area is its count."""
    values = [
        {
            "x": dot.stated,
            "y": dot.right,
            "count": dot.count,
            "words": f"stated {dot.stated:.2f}, right {dot.right:.2f}, {dot.count} in all",
        }
        for dot in dots
    ]
    unit = {"type": "quantitative", "scale": {"domain": [0, 1], "nice": False}, "axis": {"tickCount": 5, "grid": True}}
    diagonal = {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]}
    x, y = ({"field": field, "title": title, **unit} for field, title in zip("xy", axes, strict=True))
    size = {"field": "count", "type": "quantitative", "legend": None, "scale": {"range": [30, 300], "zero": True}}
    return Chart(
        name=name,
        title=title,
        words=f"{axes[1]} against {axes[0]}; on the diagonal they are equal.",
        shape={
            "width": SIDE,
            "height": SIDE,
            "layer": [
                {
                    "data": diagonal,
                    "mark": {"type": "line", "aria": False, "strokeDash": [4, 3], "color": token("line-strong")},
                    "encoding": {"x": x, "y": y},
                },
                {
                    "data": {"values": values},
                    "mark": {"type": "circle", "opacity": 1, "color": token("accent")},
                    "encoding": {"x": x, "y": y, "size": size, "description": {"field": "words"}},
                },
            ],
        },
        columns=(*axes, "count"),
        rows=tuple((dot.stated, dot.right, dot.count) for dot in dots),
        note=note,
    )


def _apart(names: Sequence[str]) -> list[str]:
    """Names that are all different: two estimates of one name would stand on one row.

    >>> _apart(["a", "a", "b"])
    ['a', 'a (2)', 'b']
    """
    counts: Counter[str] = Counter()
    apart = []
    for name in names:
        counts[name] += 1
        apart.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return apart


def _within(value: float | None, span: tuple[float, float]) -> float | None:
    value = finite(value)
    return None if value is None else min(max(value, span[0]), span[1])


def _bar_rows(bars: Sequence[Bar], labels: Sequence[str], groups: Sequence[str]) -> list[tuple[Cell, ...]]:
    totals: dict[tuple[str, str], float] = {}
    for bar in bars:
        totals[bar.label, bar.group] = totals.get((bar.label, bar.group), 0) + bar.value
    return [(label, *(totals.get((label, group), 0) for group in groups)) for label in labels]
