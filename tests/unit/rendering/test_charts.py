"""Charts: specifications that Vega-Lite takes, tables with the same numbers, drawings that hold nothing but shapes."""

import csv
import io
import json
import os
import signal
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hdag.rendering.charts.chart import MOST_ROWS, Chart, TooLargeError
from hdag.rendering.charts.drawing import file_of, rows_of
from hdag.rendering.charts.engine import Engine, EngineError
from hdag.rendering.charts.lines import Axes, Band, Mark, Series, line_chart
from hdag.rendering.charts.marks import (
    Bar,
    Dot,
    Estimate,
    MatrixCell,
    bar_chart,
    calibration_chart,
    interval_chart,
    matrix_chart,
)
from hdag.rendering.charts.scatter import Point, scatter_chart
from hdag.rendering.charts.svg import NotASvgError, clean
from hdag.rendering.charts.theme import palette, variables

HOSTILE = "<script>alert(1)</script>\"'&\u202e"
LINES = line_chart(
    name="lines",
    title="Lines",
    axes=Axes(x="x", y="y", y_range=(0, 1)),
    series=[Series("a", [(0, 0.0), (1, 1.0)]), Series("b", [(0, 0.5), (2, 0.25)])],
    marks=[Mark(0.5, "here"), Mark(9, "far away")],
    bands=[Band([(0, 0.1, 0.2), (1, 0.3, 0.4)])],
)
TIMES = line_chart(
    name="times",
    title="Times",
    axes=Axes(x="day", y="n", is_time=True, steps=True),
    series=[Series("n", [(1_790_000_000.0, 1), (1_790_086_400.0, 2)])],
)
CHARTS = [
    LINES,
    TIMES,
    line_chart(name="log", title="L", axes=Axes(x="x", y="y", log=True), series=[Series("a", [(0, 0.0), (1, 1.0)])]),
    interval_chart(name="i", title="I", estimates=[Estimate("a", 0.5, 0.4, 0.6), Estimate("a", -0.2)], span=(-1, 1)),
    bar_chart(name="b", title="B", axes=("day", "n"), bars=[Bar("1", 2, "pass"), Bar("1", 3, "fail"), Bar("2", 1)]),
    bar_chart(name="q", title="Q", axes=("tier", "n"), bars=[Bar("people", 2)], lying=True),
    matrix_chart(name="m", title="M", axes=("a", "b"), cells=[MatrixCell("x", "y", -0.5), MatrixCell("y", "x", None)]),
    calibration_chart(name="c", title="C", axes=("stated", "right"), dots=[Dot(0.7, 0.6, 12)]),
    scatter_chart(name="s", title="S", axes=("cost", "accuracy"), points=[Point("a", 1.0, 0.5), Point("b", 7.0, 0.9)]),
]  # fmt: skip
finite = st.floats(-1e9, 1e9, allow_nan=False)


@pytest.fixture(scope="module")
def engine():
    made = Engine()
    yield made
    made.close()


def drawn(engine: Engine, chart: Chart) -> str:
    return clean(source=engine.draw(specification=chart.specification(in_page=True), kind="svg").decode())


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_every_kind_of_chart_is_drawn_in_variables_of_the_look(engine: Engine, chart: Chart) -> None:
    svg = drawn(engine, chart)
    assert svg.startswith("<svg")
    assert "var(--" in svg
    # No colour of one look is left: it would not follow the reader's choice.
    assert not [light for light, dark in palette().values() if light in svg or dark in svg]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_a_specification_is_json_and_names_no_other_source(chart: Chart) -> None:
    text = json.dumps(chart.specification(), allow_nan=False)
    assert '"url"' not in text
    assert "$accent" not in text


def test_texts_of_strangers_stay_texts(engine: Engine) -> None:
    chart = bar_chart(
        name="h", title=HOSTILE, axes=(HOSTILE, HOSTILE), bars=[Bar(HOSTILE, 1, HOSTILE), Bar("b", 2, "c")]
    )
    svg = drawn(engine, chart)
    assert "<script" not in svg
    assert "&lt;script&gt;" in svg


def test_nothing_but_shapes_and_texts_passes() -> None:
    source = (
        '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>x()</script><style>a{}</style>'
        '<a href="javascript:x()"><text>in a link</text></a><image href="http://example.org/x.png"/>'
        '<path d="M0,0" fill="url(http://example.org/#a)" style="fill:red" stroke="#14603a"/>'
        '<text x="1.23456" onclick="x()">kept</text></svg>'
    )
    assert clean(source=source) == (
        '<svg aria-hidden="true" focusable="false"><path d="M0,0" stroke="var(--pass)" />'
        '<text x="1.2">kept</text></svg>'
    )


def test_what_is_no_svg_is_refused() -> None:
    with pytest.raises(NotASvgError):
        clean(source="<html/>")


def test_words_of_a_mark_are_shown_under_the_pointer(engine: Engine) -> None:
    assert "<title>a: 0.500 (0.400 to 0.600)</title>" in drawn(engine, CHARTS[3])


def test_series_share_the_table_by_x_and_a_far_mark_is_left_out() -> None:
    assert LINES.rows == ((0, 0.0, 0.5), (1, 1.0, None), (2, None, 0.25))
    assert "far away" not in json.dumps(LINES.shape)
    assert TIMES.rows[0] == ("2026-09-21T14:13:20Z", 1)


@given(points=st.lists(st.tuples(finite, finite), min_size=1, max_size=20, unique_by=lambda point: point[0]))
def test_the_csv_holds_every_digit(points: list[tuple[float, float]]) -> None:
    chart = line_chart(name="p", title="P", axes=Axes(x="x", y="y"), series=[Series("a", sorted(points))])
    rows = list(csv.reader(io.StringIO(chart.csv_text())))[1:]
    assert [(float(x), float(y)) for x, y in rows] == sorted(points)


def test_no_cell_of_the_csv_is_a_formula() -> None:
    chart = bar_chart(name="b", title="B", axes=("day", "n"), bars=[Bar("=1+1", 2)])
    assert chart.csv_text().splitlines()[1].startswith("'=1+1")


def test_a_value_that_is_not_finite_breaks_its_line_and_leaves_its_cell_empty() -> None:
    series = [Series("a", [(0, 1.0), (1, float("inf")), (2, 2.0)])]
    chart = line_chart(name="p", title="P", axes=Axes(x="x", y="y"), series=series)
    assert chart.rows[1] == (1, None)
    assert chart.shape["layer"][0]["data"]["values"][1]["y"] is None


def test_zero_on_a_logarithmic_axis_lies_on_its_floor_and_stays_zero_in_the_table() -> None:
    axes = Axes(x="x", y="y", log=True, lowest=1e-6)
    chart = line_chart(name="p", title="P", axes=axes, series=[Series("a", [(0, 0.0), (1, 1.0)])])
    assert chart.shape["layer"][0]["data"]["values"][0]["y"] == 1e-6
    assert chart.rows[0] == (0, 0.0)


def test_equal_charts_have_equal_digests_and_others_do_not() -> None:
    again = line_chart(name="times", title="Times", axes=Axes(x="day", y="n"), series=[])
    assert TIMES.digest == replace(TIMES).digest != again.digest


def test_a_chart_is_no_place_for_a_data_set() -> None:
    with pytest.raises(TooLargeError):
        bar_chart(name="b", title="B", axes=("day", "n"), bars=[Bar(str(n), 1) for n in range(MOST_ROWS + 1)])


def test_each_colour_of_the_light_look_stands_for_one_variable() -> None:
    assert len(variables()) == len(palette())


def test_files_carry_title_and_colours_of_one_look() -> None:
    light, dark = (file_of(chart=LINES, kind=kind).decode() for kind in ("svg", "dark.svg"))
    assert "Lines" in light
    assert palette()["accent"][0] in light
    assert palette()["accent"][1] in dark
    assert file_of(chart=LINES, kind="dark.png").startswith(b"\x89PNG")
    assert json.loads(file_of(chart=LINES, kind="vl.json"))["title"] == "Lines"


def test_a_specification_that_asks_for_a_file_is_refused(engine: Engine) -> None:
    shape = {"data": {"url": "file:///etc/hostname", "format": {"type": "csv"}}, "mark": "bar"}
    with pytest.raises(EngineError):
        engine.draw(specification={**shape, "encoding": {"x": {"field": "a"}}}, kind="svg")


def test_a_killed_program_is_replaced(engine: Engine) -> None:
    drawn(engine, TIMES)
    process = engine._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert drawn(engine, TIMES).startswith("<svg")


@pytest.mark.parametrize(("value", "step"), [(2, 1), (2.5, None)])
def test_no_tick_stands_between_two_whole_counts(value, step):
    chart = bar_chart(name="b", title="B", axes=("day", "audits"), bars=[Bar("1", value)])
    assert chart.shape["encoding"]["y"]["axis"].get("tickMinStep") == step


def test_the_rows_of_a_table_are_numbers_nothing_and_text_that_is_only_text() -> None:
    rows = rows_of(chart=replace(TIMES, rows=(("<b>", 0.123456, None), ("b", 2, "x"))))
    assert str(rows) == (
        '<tr><th scope="row">&lt;b&gt;</th><td class="num">0.1235</td><td class="num"></td></tr>\n'
        '<tr><th scope="row">b</th><td class="num">2</td><td class="num">x</td></tr>'
    )
