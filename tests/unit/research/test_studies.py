"""The studies that run on public data without a server: their measures by hand, and each of them once, small."""

import html
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from auditing.research.causal.core import Reaction
from auditing.research.studies.attribution import GUESSES
from auditing.research.studies.benchmark import score_of
from auditing.research.studies.complexity import area_under_roc
from auditing.research.studies.consistency import Sampled, results_in, support, without_calculator
from auditing.research.studies.dag_math import graph_of
from auditing.research.studies.faithfulness import audit_record, audit_segment, same_number
from auditing.research.studies.instruments.figures import curves_of
from auditing.research.studies.instruments.labelled import (
    SOURCES,
    DataMissingError,
    Labelled,
    evenly,
    files_of,
    read_labelled,
)
from auditing.research.studies.instruments.reports import as_html
from auditing.research.studies.instruments.runner import FileNotebook, Report, Run, Table, find_studies
from auditing.research.studies.segmentation import SCHEMES, Judged, brier_of, f1_of, label_spans
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

DATA = Path(__file__).parents[4] / "shared/data"
HERE = ("attribution", "benchmark", "complexity", "consistency", "dag_math", "faithfulness", "planted", "segmentation")
public = pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not here")


def trace(*steps: str, answer: str = ""):
    return read_record({"problem": "A tray holds 24 muffins.", "steps": list(steps), "answer": answer}, where="test")


def test_all_studies_of_this_room_are_registered():
    assert set(HERE) <= set(find_studies())


@pytest.mark.parametrize("name", ["bias", "table1", "trace_rules"])
def test_a_study_whose_votes_come_from_chance_says_simulated(name):
    report = find_studies()[name].run(Run())
    assert report.simulated
    assert f"Simulated: {report.simulated}" in html.unescape(as_html(report=report, head={"study": name}))


def test_the_harmonic_mean_needs_the_first_error_exactly_and_no_flag_on_right_traces():
    score = score_of(labels=[1, 1, 2, None, None], predicted=[1, 0, None, None, 3])
    assert (score.on_wrong.count, score.flagged.count, score.on_right.count) == (1, 2, 1)
    assert score.f1 == pytest.approx(2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2))


def test_a_first_error_score_without_right_traces_is_undefined():
    assert score_of(labels=[0], predicted=[0]).f1 is None


def test_segments_after_the_first_error_have_no_label():
    item = Labelled(trace("One.", "Two.", "Three."), 1)
    spans = [(step.start, step.end, step.index == 1) for step in item.trace.steps]
    assert label_spans(labelled=item, spans=spans) == [Judged(False, False), Judged(True, True)]


def test_f1_and_brier_by_hand():
    judged = [Judged(True, True), Judged(True, False), Judged(False, True), Judged(False, False)]
    assert f1_of(judged) == 0.5
    assert brier_of(learn=judged, score=judged) == pytest.approx(0.25)


@pytest.mark.parametrize("name", SCHEMES)
def test_every_segmentation_covers_the_thinking_without_overlap(name):
    given = trace("There are 7 + 5 = 12 trays of muffins here.", "They hold 12 * 24 = 288 muffins in total.")
    spans = SCHEMES[name](given, np.random.default_rng(1))
    covered = [n for start, end, _ in spans for n in range(start, end)]
    assert len(covered) == len(set(covered))
    assert {n for n, character in enumerate(given.thinking) if not character.isspace()} <= set(covered)


def test_the_area_under_the_curve_counts_ties_half():
    assert area_under_roc(scores=[1, 1, 2], wrong=[False, True, True]) == 0.75
    assert area_under_roc(scores=[1.0], wrong=[True]) is None


def test_values_are_aligned_by_what_the_equations_state():
    assert without_calculator("3*3=<<3*3=9>>9 times") == "3*3=9 times"
    assert results_in("So 3*3=9 times and 9*60=540 meters") == {Fraction(9), Fraction(540)}
    traces = [Sampled(frozenset({Fraction(9), Fraction(5)}), "", True), Sampled(frozenset({Fraction(9)}), "", True)]
    assert support(traces=traces, index=0) == 0.5
    assert support(traces=[Sampled(frozenset(), "", True)], index=0) is None


def test_premises_that_do_not_come_before_their_step_are_refused():
    def record(premise: int):
        steps = [{"step_number": 1, "premises": []}, {"step_number": 2, "premises": [[premise, ""]]}]
        return {"premise_annotation": {"steps": steps}}

    assert graph_of(record(2)) is None
    assert graph_of(record(1)).parents == {"1": (), "2": ("1",)}


def test_a_changed_number_that_the_answer_rests_on_is_followed():
    given = trace("It bakes 7 + 5 = 12 trays.", "So it bakes 12 * 24 = 288 muffins.", answer="288 muffins.")
    graph = RulesDecomposer().decompose(given)
    first = next(s for s in graph.segments if s.step == 0)
    made, causal = audit_segment(graph=graph, segment=first, answer=given.answer)
    assert (made.old_number, causal.reaction) == (Fraction(12), Reaction.FOLLOWED)


def test_answers_without_numbers_cannot_be_compared():
    assert same_number("yes", "no") is None
    assert same_number("It is 1,200.", "1200 seats") is True


def test_small_runs_take_records_at_equal_distances():
    assert [number for number, _ in evenly(list("abcdefghij"), 3)] == [1, 4, 7]
    assert evenly([], 3) == []


def test_a_missing_data_set_is_named(tmp_path):
    with pytest.raises(DataMissingError, match="processbench is not in"):
        files_of(name="processbench", data=tmp_path)
    with pytest.raises(DataMissingError, match="no data set 'x'"):
        files_of(name="x", data=tmp_path)


@public
# Of these no file with steps lies here: one has no licence, of the other only votes of judges were kept.
@pytest.mark.parametrize("name", sorted(set(SOURCES) - {"deltabench", "mr_gsm8k"}))
def test_labels_of_every_public_set_point_at_a_step(name):
    items = [item for path in files_of(name=name, data=DATA) for item in read_labelled(name=name, path=path, most=10)]
    assert len(items) >= 10
    wrong = [item for item in items if item.first_error is not None]
    last = [max(step.index for step in item.trace.steps) for item in wrong]
    assert sum(item.first_error <= n for item, n in zip(wrong, last, strict=True)) >= 0.9 * len(wrong)


@public
@pytest.mark.parametrize("name", ["benchmark", "consistency", "dag_math", "faithfulness"])
def test_a_study_runs_small_and_the_same_seed_gives_the_same_report(name):
    found = find_studies()[name]
    report = found.run(Run(data=DATA, options={"dataset": "stepverify"}))
    assert all(table.rows for table in report.tables)
    if name in ("faithfulness", "dag_math"):
        assert report == found.run(Run(data=DATA))


@public
def test_guesses_of_attribution_name_a_turn():
    history = [
        {"content": "Plan", "name": "A"},
        {"content": "2 + 2 = 5", "name": "B"},
        {"content": "So 5.", "name": "A"},
    ]
    places = {name: guess({"question": "Sum?", "history": history}) for name, guess in GUESSES.items()}
    assert all(0 <= place < 3 for place in places.values())
    assert places["the first turn refuted by the computer tier, otherwise the second"] == 1


def test_a_trace_without_numbers_gives_no_trials():
    record = {"question": "Why?", "175b_verification": {"solution": "Because.\nA: so"}}
    assert audit_record(record) == []


def test_a_run_that_is_stopped_finds_its_pieces_and_gives_the_same_report(tmp_path):
    """The second run may not make a piece again; a line cut off by a crash counts as not done."""
    made = []
    path = tmp_path / "pieces.jsonl"

    def figures(run: Run) -> list[int]:
        def make(n: int) -> int:
            made.append(n)
            return int(run.rng(stream=n).integers(99))

        return [run.piece(key=str(n), make=lambda n=n: make(n)) for n in range(4)]

    whole = figures(Run(seed=5))
    made.clear()
    first = Run(seed=5, notebook=FileNotebook(path))
    [first.piece(key=str(n), make=lambda n=n: whole[n]) for n in range(2)]
    path.write_text(path.read_text() + '{"key": "2", "val')
    assert figures(Run(seed=5, notebook=FileNotebook(path))) == whole
    assert made == [2, 3]
    assert figures(Run(seed=5, notebook=FileNotebook(path))) == whole
    assert made == [2, 3]


def test_a_report_is_one_page_with_plots_that_needs_nothing_beside_it():
    tables = [
        Table("Shares <b>", ("who", "share", "low", "high"), [["a", 0.5, 0.4, 0.6]]),
        Table("A line", ("t", "A(t)"), [[0.0, 1.0], [1.0, 0.5], ["area", 0.7]], curve=("t", "A(t)")),
    ]
    page = as_html(report=Report("Plots", tables), head={"study": "x", "seed": 1, "full": False, "options": {}})
    assert "Shares &lt;b&gt;" in page
    assert page.count("<svg") >= 2
    assert "0.500 (0.400 to 0.600)" in page
    assert not [word for word in ("<link", "<script", "src=") if word in page]
    assert [len(one.rows) for one in curves_of(tables)] == [2]
