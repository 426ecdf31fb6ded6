"""Planted errors: each template changes what it says, and the study tells what a tier cannot see."""

import json

import numpy as np
import pytest

from auditing.checker.scratchpad import ScratchState, evaluate
from auditing.research.studies.instruments.runner import Run, find_studies
from auditing.research.studies.planted.study import interval
from auditing.research.studies.planted.templates import TEMPLATES, plant

PROBLEM = "A girl called Ann has 12 hens and Bob has 5 ducks. After 3 hours and 20 minutes they lay 60 eggs."
STEPS = {
    "arithmetic": ("So 12 * 5 = 60 eggs.", {"So 12 * 5 = 90 eggs.", "So 12 * 5 = 63 eggs."}),
    "off by one": ("So 12 * 5 = 60 eggs.", {"So 12 * 5 = 61 eggs.", "So 12 * 5 = 59 eggs."}),
    "unit": ("Then 12 * 5 = 60 minutes pass.", {"Then 12 * 5 = 60 hours pass."}),
    "sign": ("They have 12 + 5 = 17.", {"They have 12 - 5 = 7."}),
    "dropped case": ("In all 12 + 5 + 3 = 20.", {"In all 12 + 5 = 17."}),
    "wrong formula": ("So 60 / 5 = 12.", {"So 60 * 5 = 300."}),
    "wrong premise": ("Ann has 12 hens.", {"Ann has 14 hens."}),
    "unjustified leap": ("So 12 * 5 = 60.", {"From this it follows at once that the value here is 121."}),
    "swapped entity": ("Now Ann sells eggs.", {"Now Bob sells eggs."}),
}


@pytest.mark.parametrize("template", STEPS)
def test_a_template_plants_what_it_says(template):
    step, wrong = STEPS[template]
    assert set(TEMPLATES[template](step, PROBLEM)) == wrong


def test_a_copied_number_stands_in_the_problem_and_its_result_is_right():
    texts = set(TEMPLATES["copied number"]("So 12 * 5 = 60", PROBLEM))
    assert "So 12 * 3 = 36" in texts
    assert all(evaluate(text.removeprefix("So ")).state is ScratchState.TRUE for text in texts)


@pytest.mark.parametrize("template", TEMPLATES)
def test_nothing_is_planted_where_an_error_of_this_kind_cannot_stand(template):
    assert plant(template=template, steps=["so we think."], problem=PROBLEM, rng=np.random.default_rng(1)) is None


@pytest.mark.parametrize("text", ["So 12 * 5 = 61.", "x + 12 + 5 + 3 = 99"])
def test_what_is_wrong_already_is_no_place_for_a_kept_arithmetic(text):
    assert not [*TEMPLATES["wrong formula"](text, PROBLEM), *TEMPLATES["dropped case"](text, PROBLEM)]


def test_an_interval_of_all_or_nothing_still_has_a_doubt():
    low, high = interval(groups=[(0.0, 7.0)] * 20, rng=np.random.default_rng(1))
    assert low == 0.0
    assert high == pytest.approx(0.161, abs=0.001)  # Wilson, 0 of 20


def test_traces_are_drawn_anew_as_wholes():
    # half of the traces hit everything: the width is that of 20 traces, however many errors each carries
    few = interval(groups=[(1.0, 2.0), (3.0, 2.0)] * 10, rng=np.random.default_rng(1))
    many = interval(groups=[(10.0, 20.0), (30.0, 20.0)] * 10, rng=np.random.default_rng(1))
    assert few == many


def own_file(folder):
    rows = [
        {"problem": PROBLEM, "steps": ["Now Ann counts.", f"So {n} * 5 = {n * 5} eggs."], "label": -1}
        for n in range(40)
    ]
    path = folder / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_the_report_says_what_the_computer_finds_and_what_it_cannot_see(tmp_path):
    run = Run(file=own_file(tmp_path), shape="steps")
    report = find_studies()["planted"].run(run)
    recall, alarms = report.tables
    found = {row[0]: row[2] for row in recall.rows}
    assert found["off by one"] == 1.0
    assert found["swapped entity"] == 0.0
    assert "swapped entity" in report.notes[0]
    assert "off by one" not in report.notes[0]
    assert [row[2] for row in alarms.rows] == [0.0, 0.0]
    assert find_studies()["planted"].run(Run(file=run.file, shape="steps")).tables == report.tables
