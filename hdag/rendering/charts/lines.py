"""Lines against a number or a time, with bands and marks: `line_chart`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from hdag.rendering.charts.chart import Cell, Chart, finite, scale_of
from hdag.rendering.charts.theme import DASHES, SERIES, token

WIDTH, HEIGHT = 360, 220
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """One line by its points, in order of x. color: a token, None takes the next of the theme."""

    name: str
    points: Sequence[Point]
    color: str | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A vertical line with its words, e.g. the policy's own beta."""

    x: float
    label: str


@dataclass(frozen=True, slots=True)
class Band:
    """What lies between two lines, e.g. an interval: (x, low, high)."""

    points: Sequence[tuple[float, float, float]]
    color: str = "accent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """What the axes mean. log: the y axis is logarithmic, from `lowest` up. y_range: None takes the data's.

    is_time: x is seconds since 1970, shown in UTC. steps: a value holds until the next point.
    """

    x: str
    y: str
    log: bool = False
    lowest: float = 1e-12
    y_range: tuple[float, float] | None = None
    is_time: bool = False
    steps: bool = False


def line_chart(
    *,
    name: str,
    title: str,
    axes: Axes,
    series: Sequence[Series],
    marks: Sequence[Mark] = (),
    bands: Sequence[Band] = (),
    note: str = "",
) -> Chart:
    """Lines over one pair of axes. Series share the table by x; a y that is not finite breaks its line.

    >>> axes = Axes(x="beta", y="share")
    >>> line_chart(name="p", title="P", axes=axes, series=[Series("a", [(0, 0), (1, 1)])]).rows
    ((0, 0), (1, 1))
    """
    layers = [_band(band, axes) for band in bands] + [_lines(series, axes)]
    inside = _marks_inside(marks, series)
    layers += [_mark_rules(inside, axes), _mark_words(inside, axes)] if inside else []
    return Chart(
        name=name,
        title=title,
        words=f"{axes.y} against {axes.x}: {', '.join(line.name for line in series)}.",
        shape={"width": WIDTH, "height": HEIGHT, "layer": layers},
        columns=(axes.x, *(line.name for line in series)),
        rows=tuple(_rows(series, axes)),
        note=note,
    )


def _lines(series: Sequence[Series], axes: Axes) -> dict[str, Any]:
    names = [line.name for line in series]
    looks = [line.color or SERIES[position % len(SERIES)] for position, line in enumerate(series)]
    # Long form: one row a point. Fixed names of fields: Vega-Lite reads dots and brackets in a name as a path.
    values = [
        {"x": _x_value(x, axes), "y": _y_value(y, axes), "series": line.name} for line in series for x, y in line.points
    ]
    legend: dict[str, Any] | None = None if len(series) < 2 else {}
    return {
        "data": {"values": values},
        "mark": {"type": "line", "aria": False, "interpolate": "step-after" if axes.steps else "linear"},
        "encoding": {
            "x": _x_channel(axes),
            "y": _y_channel(axes),
            "color": _channel(names, [token(look) for look in looks], legend),
            "strokeDash": _channel(names, DASHES, legend),
        },
    }


def _channel(names: Sequence[str], looks: Sequence[Any], legend: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "field": "series",
        "type": "nominal",
        "sort": None,
        "scale": scale_of(names=names, looks=looks),
        "legend": legend,
    }


def _x_channel(axes: Axes) -> dict[str, Any]:
    if axes.is_time:
        return {"field": "x", "type": "temporal", "title": axes.x, "scale": {"type": "utc"}, "axis": {"tickCount": 5}}
    scale = {"zero": False, "nice": False}
    return {"field": "x", "type": "quantitative", "title": axes.x, "scale": scale, "axis": {"tickCount": 6}}


def _y_channel(axes: Axes) -> dict[str, Any]:
    channel = {"field": "y", "type": "quantitative", "title": axes.y, "axis": {"tickCount": 5}}
    if axes.log:
        # Powers of ten as people write them; 1 rather than 1e+0.
        words = "datum.value == 1 ? '1' : format(datum.value, '.0e')"
        return channel | {"scale": {"type": "log"}, "axis": {"tickCount": 6, "labelExpr": words, "labelOverlap": True}}
    scale = {"zero": False} if axes.y_range is None else {"domain": list(axes.y_range), "nice": False}
    return channel | {"scale": scale}


def _band(band: Band, axes: Axes) -> dict[str, Any]:
    values = [{"x": _x_value(x, axes), "y": finite(low), "high": finite(high)} for x, low, high in band.points]
    return {
        "data": {"values": values},
        "mark": {"type": "area", "aria": False, "opacity": 0.2, "color": token(band.color)},
        "encoding": {"x": _x_channel(axes), "y": _y_channel(axes), "y2": {"field": "high"}},
    }


def _marks_inside(marks: Sequence[Mark], series: Sequence[Series]) -> list[Mark]:
    """The marks between the first and the last x: one far away would squeeze the lines into a corner."""
    xs = [x for line in series for x, _ in line.points]
    return [mark for mark in marks if xs and min(xs) <= mark.x <= max(xs)]


def _mark_rules(marks: Sequence[Mark], axes: Axes) -> dict[str, Any]:
    return {
        "data": {"values": [{"x": _x_value(mark.x, axes)} for mark in marks]},
        "mark": {"type": "rule", "aria": False, "color": token("ink-soft"), "strokeDash": [2, 3]},
        "encoding": {"x": _x_channel(axes)},
    }


def _mark_words(marks: Sequence[Mark], axes: Axes) -> dict[str, Any]:
    values = [{"x": _x_value(mark.x, axes), "label": mark.label} for mark in marks]
    return {
        "data": {"values": values},
        "mark": {"type": "text", "aria": False, "align": "left", "dx": 4, "y": 6, "color": token("ink")},
        "encoding": {"x": _x_channel(axes), "text": {"field": "label"}},
    }


def _x_value(x: float, axes: Axes) -> Cell:
    return _moment(x) if axes.is_time else finite(x)


def _y_value(y: float, axes: Axes) -> float | None:
    # A logarithm has no zero: what is less than the floor lies on it; the table keeps the true value.
    return max(y, axes.lowest) if axes.log and finite(y) is not None else finite(y)


def _rows(series: Sequence[Series], axes: Axes) -> list[tuple[Cell, ...]]:
    columns: list[Mapping[float, float]] = [dict(line.points) for line in series]
    places = sorted({x for column in columns for x in column})
    return [(_x_value(x, axes), *(finite(column.get(x)) for column in columns)) for x in places]


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
