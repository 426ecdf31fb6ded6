"""Plots: pixels inside the frame, one table for all series."""

from hypothesis import given
from hypothesis import strategies as st

from hdag.rendering.plot import HEIGHT, WIDTH, Axes, Mark, Series, draw_plot

finite = st.floats(-1e9, 1e9, allow_nan=False)


@given(points=st.lists(st.tuples(finite, finite), min_size=1, max_size=20, unique_by=lambda point: point[0]))
def test_every_point_lies_inside_the_frame(points: list[tuple[float, float]]) -> None:
    plot = draw_plot(name="p", title="P", axes=Axes(x="x", y="y"), series=[Series("a", sorted(points))])
    pixels = [tuple(map(float, pair.split())) for pair in plot.lines[0].path.replace("M", "L").split("L") if pair]
    assert len(pixels) == len(points)
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in pixels)


def test_a_value_that_is_not_finite_breaks_its_line_and_leaves_its_cell_empty() -> None:
    series = [Series("a", [(0, 1.0), (1, float("inf")), (2, 2.0)])]
    plot = draw_plot(name="p", title="P", axes=Axes(x="x", y="y"), series=series)
    assert plot.lines[0].path.count("M") == 2
    assert plot.rows[1] == ("1", "")


def test_zero_on_a_logarithmic_axis_lies_on_its_floor() -> None:
    axes = Axes(x="x", y="y", log=True, lowest=1e-6)
    plot = draw_plot(name="p", title="P", axes=axes, series=[Series("a", [(0, 0.0), (1, 1.0)])], marks=[Mark(5, "far")])
    assert plot.marks == ()
    assert next(tick.label for tick in plot.y_ticks) == "1"
