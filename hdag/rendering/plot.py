"""Line plots as coordinates for one SVG component, with the table of their numbers: `{% plot %}` draws them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, isfinite, log10

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 14, 46
MOST_TICKS = 6
LOOKS = 6  # stroke and dash pattern by class, so that lines differ without colour
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """One line by its points, in order of x."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True, slots=True)
class Mark:
    """A vertical line with its words, e.g. the policy's own beta."""

    x: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """What the axes mean. log: the y axis is logarithmic, from `lowest` up. y_range: None takes the data's."""

    x: str
    y: str
    log: bool = False
    lowest: float = 1e-12
    y_range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis, in pixels, with its word."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A drawn series: its SVG path, its look (1 to 6), its name and where the legend shows it."""

    path: str
    look: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A drawn plot: pixels for the component, numbers for table and CSV."""

    name: str
    title: str
    axes: Axes
    lines: tuple[Curve, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    marks: tuple[Tick, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    top: int = TOP
    right_end: int = field(default=WIDTH - RIGHT)
    bottom_end: int = field(default=HEIGHT - BOTTOM)

    def csv_rows(self) -> list[list[str]]:
        """Heading and numbers, for a CSV writer."""
        return [list(self.head), *(list(row) for row in self.rows)]


def draw_plot(
    *, name: str, title: str, axes: Axes, series: Sequence[Series], marks: Sequence[Mark] = (), note: str = ""
) -> Plot:
    """Lay a plot out. Series share the table by x; a y that is not finite breaks its line.

    >>> axes = Axes(x="beta", y="share")
    >>> draw_plot(name="p", title="P", axes=axes, series=[Series("a", [(0, 0), (1, 1)])]).rows
    (('0', '0'), ('1', '1'))
    """
    xs = [x for curve in series for x, _ in curve.points] or [0.0, 1.0]
    x_span = _wide(min(xs), max(xs))
    y_span = _y_span(series, axes)
    return Plot(
        name=name,
        title=title,
        axes=axes,
        lines=tuple(
            Curve(_path(curve.points, x_span, y_span, axes), number % LOOKS + 1, curve.name)
            for number, curve in enumerate(series)
        ),
        x_ticks=tuple(Tick(_x(value, x_span), number_text(value)) for value in _steps(*x_span)),
        y_ticks=_y_ticks(y_span, axes),
        marks=tuple(Tick(_x(mark.x, x_span), mark.label) for mark in marks if x_span[0] <= mark.x <= x_span[1]),
        head=(axes.x, *(curve.name for curve in series)),
        rows=tuple(_rows(series)),
        note=note,
    )


def number_text(value: float) -> str:
    """A number as people read it: four digits, powers of ten where they help.

    >>> number_text(0.7), number_text(1e-9), number_text(5017.0), number_text(-3.0)
    ('0.7', '1e-09', '5017', '-3')
    """
    if not isfinite(value):
        return ""
    return f"{value:.4g}" if abs(value) < 100_000 else f"{value:.3g}"


def _rows(series: Sequence[Series]) -> Iterable[tuple[str, ...]]:
    columns = [dict(curve.points) for curve in series]
    for x in sorted({x for column in columns for x in column}):
        yield (number_text(x), *(number_text(column[x]) if x in column else "" for column in columns))


def _y_span(series: Sequence[Series], axes: Axes) -> tuple[float, float]:
    if axes.y_range is not None:
        return axes.y_range
    ys = [y for curve in series for _, y in curve.points if isfinite(y)] or [0.0, 1.0]
    if axes.log:
        # whole powers of ten around the data, at least one decade high
        exponents = [log10(max(y, axes.lowest)) for y in ys]
        return float(floor(min(exponents))), float(max(ceil(max(exponents)), floor(min(exponents)) + 1))
    return _wide(min(ys), max(ys))


def _wide(low: float, high: float) -> tuple[float, float]:
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _path(points: Sequence[Point], x_span: Point, y_span: Point, axes: Axes) -> str:
    commands: list[str] = []
    pen = "M"
    for x, y in points:
        if not isfinite(y):
            pen = "M"
            continue
        commands.append(f"{pen}{_x(x, x_span):.1f} {_y(_scaled(y, axes), y_span):.1f}")
        pen = "L"
    return "".join(commands)


def _scaled(y: float, axes: Axes) -> float:
    return log10(max(y, axes.lowest)) if axes.log else y


def _x(value: float, span: Point) -> float:
    return LEFT + (value - span[0]) / (span[1] - span[0]) * (WIDTH - LEFT - RIGHT)


def _y(value: float, span: Point) -> float:
    share = min(max((value - span[0]) / (span[1] - span[0]), 0.0), 1.0)
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _y_ticks(span: Point, axes: Axes) -> tuple[Tick, ...]:
    if not axes.log:
        return tuple(Tick(_y(value, span), number_text(value)) for value in _steps(*span))
    low, high = int(span[0]), int(span[1])
    stride = max(1, ceil((high - low) / MOST_TICKS))
    return tuple(Tick(_y(value, span), "1" if value == 0 else f"1e{value}") for value in range(high, low - 1, -stride))


def _steps(low: float, high: float) -> list[float]:
    """Round values between low and high, at most six or so."""
    # The least of 1, 2, 5, 10 times a power of ten that gives at most MOST_TICKS steps.
    rough = (high - low) / MOST_TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough - 1e-12)
    # 1e-9 forgives rounding: 0.3 / 0.1 is 2.999..., and 0.3 is a tick.
    first = ceil(low / step - 1e-9)
    return [round(number * step, 10) for number in range(first, floor(high / step + 1e-9) + 1)]
