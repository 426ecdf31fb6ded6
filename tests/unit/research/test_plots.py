"""The three plots of reports: their numbers by hand, each drawn, each beside its table."""

import pytest

from auditing.research.studies.instruments.figures import plots_of
from auditing.research.studies.instruments.plots import cost_table, detection_table, precision_recall, reliability
from auditing.research.studies.instruments.reports import as_html, head_of, report_from
from auditing.research.studies.instruments.runner import Report, Run, find_studies
from hdag.rendering.charts.drawing import draw
from tests.tools.sweeping import sampled


def test_reliability_is_the_share_that_came_true_in_each_bin():
    table = reliability(pairs=[(0.05, False), (0.15, True), (0.92, True), (0.98, False), (1.0, True)], of="x")
    assert [list(row) for row in table.rows] == [[0.05, 0.0, 1], [0.15, 1.0, 1], [0.9667, 2 / 3, 3]]


def test_precision_and_recall_at_every_score():
    """Three wrong of five; ties are called together."""
    scored = [(0.9, True), (0.7, False), (0.7, True), (0.2, False), (0.1, True)]
    rows = [list(row) for row in precision_recall(scored=scored, of="x").rows]
    assert rows[0] == [0.9, 1 / 3, 1.0]
    assert rows[1] == [0.7, 2 / 3, 2 / 3]
    assert rows[-1] == [0.1, 1.0, 3 / 5]
    assert precision_recall(scored=[(0.9, False)], of="x").rows == []


def test_verdicts_without_a_score_are_one_point_a_name():
    table = detection_table(called={"a": [(True, True), (False, True)], "silent": [(False, True)]}, of="x")
    assert [list(row) for row in table.rows] == [["a", 0.5, 1.0, 2], ["silent", 0.0, None, 1]]


TABLES = (
    reliability(pairs=[(0.9, True), (0.4, False)], of="x"),
    precision_recall(scored=[(0.9, True), (0.4, False), (0.3, True)], of="x"),
    cost_table(rows=[("one", 1.0, 0.5), ("other", 7.0, 0.9), ("unknown", None, 0.3)], cost="calls", accuracy="F1"),
)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.plot)
def test_each_plot_is_drawn_with_its_numbers_beside_it(table):
    (chart,) = plots_of([table])
    assert "<svg" in draw(chart=chart).html
    # Points of one recall share a row of the table.
    assert 2 <= len(chart.rows) <= sum(None not in row for row in table.rows)
    page = as_html(report=Report("R", [table]), head=head_of(name="r", run=Run()))
    assert page.count("<svg") >= 1
    assert table.title in page


def test_a_report_keeps_its_plots_through_json():
    values = {"title": "R", "notes": [], "passed": None}
    tables = [{name: getattr(table, name) for name in ("title", "columns", "rows", "note", "plot")} for table in TABLES]
    kept = report_from({**values, "tables": tables})
    assert [table.plot for table in kept.tables] == [table.plot for table in TABLES]
    # A report from before there were plots has none.
    assert report_from({**values, "tables": [{**tables[0], "plot": ""}]}).tables[0].plot == ""


@pytest.mark.parametrize("name", sampled(["policy_sweep", "claimtrees"], one_in=2))
def test_a_study_without_a_file_shows_what_its_rows_cost(name, tmp_path):
    report = find_studies()[name].run(Run(data=tmp_path, options={"chains": "6"} if name == "claimtrees" else {}))
    (table,) = [table for table in report.tables if table.title == "Cost against accuracy"]
    assert plots_of([table])
