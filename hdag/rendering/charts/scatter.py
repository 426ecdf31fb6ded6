"""Named points over two axes: what something costs beside what it buys."""

from collections.abc import Sequence
from dataclasses import dataclass

from hdag.rendering.charts.chart import Chart, number_text
from hdag.rendering.charts.theme import token

__all__ = ["Point", "scatter_chart"]

WIDTH, HEIGHT = 360, 260


@dataclass(frozen=True, slots=True)
class Point:
    """Something with its cost and its worth."""

    name: str
    x: float
    y: float


def scatter_chart(*, name: str, title: str, axes: tuple[str, str], points: Sequence[Point], note: str = "") -> Chart:
    """One dot a point with its number beside it; the table says which number is what.

    >>> scatter_chart(name="c", title="C", axes=("cost", "accuracy"), points=[Point("a", 1, 0.5)]).rows
    (('a', 1, 0.5),)
    """
    values = [
        {
            "x": point.x,
            "y": point.y,
            "mark": str(number),
            "words": f"{point.name}: {axes[0]} {number_text(point.x)}, {axes[1]} {number_text(point.y)}",
        }
        for number, point in enumerate(points, 1)
    ]
    x, y = (
        {"field": field, "title": axis, "type": "quantitative", "scale": {"zero": False, "nice": True}}
        for field, axis in zip("xy", axes, strict=True)
    )
    return Chart(
        name=name,
        title=title,
        words=f"{axes[1]} against {axes[0]}: " + ", ".join(f"{n} {point.name}" for n, point in enumerate(points, 1)),
        shape={
            "width": WIDTH,
            "height": HEIGHT,
            "data": {"values": values},
            "encoding": {"x": x, "y": y, "description": {"field": "words"}},
            "layer": [
                {"mark": {"type": "circle", "opacity": 1, "size": 60, "color": token("accent")}},
                # Numbers and not names: names would lie over each other, and the sentence above holds them.
                {
                    "mark": {"type": "text", "dx": 8, "dy": -6, "align": "left", "aria": False, "color": token("ink")},
                    "encoding": {"text": {"field": "mark"}},
                },
            ],
        },
        columns=("what", *axes),
        rows=tuple((point.name, point.x, point.y) for point in points),
        note=note,
    )
