"""Every wrong step, repeated wordings, critiques of whole traces: their measures by hand."""

import json

import numpy as np
import pytest

from auditing.core.soundness.entailment import Confirmed, Oracle, Query
from auditing.research.soundness.core.thresholds import five_fold
from auditing.research.studies.instruments.claimtree_chains import follows, make_line, make_whole
from auditing.research.studies.instruments.runner import Run, find_studies
from auditing.research.studies.steps.all_steps import labels_of
from auditing.research.studies.steps.correlated_oracle import CorrelatedOracle
from auditing.research.studies.steps.folded_rates import folded_rates, macro_rates
from auditing.research.studies.steps.measures import mr_score, prm_score
from auditing.research.studies.steps.wordings import Asked, Kind, _annotated, tabulate

STEPS = ["Anna has 4 pens.", "So 4 + 3 = 8.", "So 8 + 1 = 10."]


def test_prm_score_is_the_mean_of_both_f1():
    # Of six steps two are wrong; one of them and one right step are called wrong.
    score = prm_score(wrong=[0, 0, 0, 0, 1, 1], called_wrong=[0, 0, 0, 1, 0, 1])
    assert (score.f1, score.negative_f1, score.score) == (0.75, 0.5, 0.625)
    assert prm_score(wrong=[False], called_wrong=[False]).score == 1


def test_the_bounds_of_mr_score_by_hand():
    """Four wrong (two named exactly, one accused elsewhere, one passed), four right (one accused)."""
    score = mr_score(labels=[1, 2, 3, 0, None, None, None, None], predicted=[1, 2, 0, None, None, None, None, 4])
    # TP 3, TN 3, FP 1, FN 1: (9 - 1) / 16.
    assert (score.mcc, score.named) == (0.5, 0.5)
    assert (score.at_least, score.at_most) == pytest.approx((0.2 * 0.5 + 0.3 * 0.5, 0.25 + 0.5 * 0.5))
    assert mr_score(labels=[None], predicted=[0]).at_least is None


def test_steps_behind_a_first_error_have_a_label_only_where_every_error_is_labelled():
    line = {"problem": "Anna has 4 pens.", "steps": STEPS, "label": 1}
    assert labels_of(line).labelled_steps == [0, 1]
    assert labels_of({**line, "label": -1}).labelled_steps == [0, 1, 2]
    every = labels_of({**line, "error_steps": [2, 3]})
    assert (every.labelled_steps, sorted(every.wrong)) == ([0, 1, 2], [1, 2])


def test_the_study_of_all_steps_finds_wrong_sums_behind_the_first(tmp_path):
    path = tmp_path / "mine.jsonl"
    line = {"problem": "Anna has 4 pens.", "steps": STEPS, "label": 1, "error_steps": [2, 3]}
    path.write_text("\n".join([json.dumps(line)] * 3))
    report = find_studies()["all_steps"].run(Run(file=path, shape="steps"))
    row = dict(zip(report.tables[0].columns, report.tables[0].rows[0], strict=True))
    assert (row["steps"], row["wrong steps"], row["PRMScore"], row["first errors named"]) == (9, 6, 1, 1)
    assert report.items.rows[0][2:] == ["1 2", "1 2"]


def asked(kind, *answers):
    return Asked(Query(("p",), "h"), kind, answers)


def test_errors_of_wordings_are_counted_beside_what_is_true():
    rows = [asked(Kind.COMPLETE, 1, 1, 1), asked(Kind.COMPLETE, 0, 1, 1), asked(Kind.COMPLETE, 0, 0, 0)]
    figures = tabulate(asked=[*rows, asked(Kind.COMPLETE, 0.5, 0.5, 0.5), asked(Kind.COMPLETE)], kind=None, wordings=3)
    # Four were answered, one of them open; the first wording errs twice of three, the majority once of three.
    assert (figures[1], figures[2], figures[3], figures[6]) == (4, 1, pytest.approx(2 / 3), pytest.approx(1 / 3))
    alike = tabulate(asked=[rows[0], rows[2], rows[0], rows[2]], kind=None, wordings=3)
    assert (alike[7], alike[8]) == (1, 1)


def test_a_step_is_asked_with_its_premises_with_one_missing_and_only_up_to_the_first_wrong_one():
    rows = [
        {"step_number": n, "premises": [[p, ""] for p in cited]} for n, cited in enumerate([[], [0], [1], [1, 2], [3]])
    ]
    record = {
        "question": "q",
        "steps": ["one", "two", "three", "four"],
        "premise_annotation": {"steps": rows},
        "error_annotation": {
            "error_annotations": {"step_level": [{"step_number": n, "has_error": n >= 3} for n in (1, 2, 3, 4)]}
        },
    }
    questions = [(entry.query.hypothesis, entry.query.premises, entry.kind) for entry in _annotated(record, "t")]
    assert questions == [
        ("one", ("q",), Kind.COMPLETE),
        ("two", ("q", "one"), Kind.COMPLETE),
        ("two", ("q",), Kind.MISSING),
        ("three", ("q", "one", "two"), Kind.WRONG),
    ]


def test_without_an_endpoint_the_study_of_wordings_finds_the_rates_that_it_planted(tmp_path):
    path = tmp_path / "mine.jsonl"
    line = {"problem": "Anna has 4 pens.", "steps": [f"Step {n}." for n in range(60)], "label": -1}
    path.write_text("\n".join(json.dumps({**line, "problem": f"Problem {n}."}) for n in range(30)))
    report = find_studies()["wordings"].run(Run(file=path, shape="steps"))
    row = report.tables[0].rows[0]
    assert "recorded rates" in report.simulated
    assert (row[1], row[4] <= 0.006 <= row[5]) == (1800, True)
    # Two wordings err together where both took the draw of their question: .5 * .5 = .25.
    assert row[7] == pytest.approx(0.25, abs=0.15)
    # Every question holds, and .6 % of the certain answers say no: the temperature makes certainty cheaper.
    questions, temperature, before, after = report.tables[1].rows[0]
    assert (questions, temperature > 0, after <= before) == (1800, True, True)


def test_wordings_that_err_alike_make_asking_again_worthless():
    queries = [Query((f"p{n}",), "h", withheld=0) for n in range(400)]
    truth = Oracle(lambda query: True)
    wrong = {}
    for correlation in (0.0, 1.0):
        model = CorrelatedOracle(truth, 0.1, correlation)
        wrong[correlation] = sum(answer < 0.5 for answer in Confirmed(model).entail(queries)) / len(queries)
    assert wrong[0.0] < 0.02 < 0.06 < wrong[1.0]


def test_folded_rates_use_the_folds_of_macro_f1_and_tell_recall_from_precision():
    rng = np.random.default_rng(1)
    scores = [rng.random(6) for _ in range(20)]
    sound = [row > 0.4 for row in scores]
    rates = folded_rates(scores=scores, sound=sound, seed=1)
    assert rates.f1 == five_fold(scores=scores, sound=sound, seed=1).mean
    # Everything called sound: right ones all recalled, wrong ones none.
    every, labels = np.ones(4, bool), np.array([True, True, True, False])
    assert macro_rates(predicted=every, sound=labels) == (0.5, 0.375)


def test_nothing_is_left_out_of_a_whole_line():
    whole, broken = make_whole(length=6, seed=3), make_line(length=6, seed=3)
    assert all(whole.corrected)
    assert len(whole.chain.base) == len(broken.chain.base) + 1
    assert all(follows(whole.chain.query(k, [True] * len(parents))) for k, parents in enumerate(whole.chain.parents))


def test_deltabench_is_read_section_by_section_with_both_kinds_of_errors():
    record = {
        "question": "Anna has 4 pens. How many after 3 more?",
        "sections": [{"content": STEPS[0]}, {"section": STEPS[1]}, {"content": STEPS[2]}],
        "error_section_numbers": [3],
        "idea_error_section_numbers": [2],
    }
    read = labels_of(record)
    assert (read.trace.first_error, sorted(read.wrong), read.is_complete) == (1, [1, 2], True)
    assert [step.index for step in read.trace.trace.steps] == [0, 1, 2]
    clean = labels_of({**record, "error_section_numbers": [], "idea_error_section_numbers": []})
    assert (clean.trace.first_error, clean.wrong) == (None, frozenset())
