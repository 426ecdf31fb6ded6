"""What a policy and a reward model are trained on: groups with both advantages, evaluations, settings of the paper."""

import json

import pytest
import yaml

from auditing.research.rado.core import (
    Evaluation,
    Provenance,
    Response,
    Task,
    check_row,
    policy_rows,
    rates_of,
    reward_row,
    trl_advantages,
)
from auditing.research.rado.core.evaluations import Correction
from auditing.research.rado.core.settings_files import settings_files
from auditing.research.rado.policy_sampling import Problem, read_problems
from tests.unit.research.test_rado import LONG, sample

RIGHT, WRONG = Evaluation(1, 1, "It holds."), Evaluation(0, 1, "It does not.")
TAGGED = "<think>3 + 5 = 8</think><answer>8</answer>"
SOURCE = {0: Provenance("rm", "am", "v")}


def test_a_group_of_policy_responses_has_the_advantages_of_the_paper_and_of_trl():
    responses = [
        Response(TAGGED, (RIGHT,)),
        Response(TAGGED, (RIGHT, RIGHT, WRONG)),
        Response(TAGGED, (RIGHT, WRONG)),
        Response("8", (RIGHT,)),
    ]
    rows = policy_rows(prompt="p", responses=responses)
    # Most evaluations decide, a tie is no success; a response without tags has the wrong format.
    assert [row["reward"] for row in rows] == [1, 1, 0, 0]
    assert [row["advantage"] for row in rows] == [1.0, 1.0, -1.0, -1.0]
    # Spread with divisor G - 1: sqrt(1 / 3); .5 / (.57735 + .0001) = .8659.
    assert [round(row["advantage_trl"], 4) for row in rows] == [0.8659, 0.8659, -0.8659, -0.8659]
    assert policy_rows(prompt="p", responses=responses, needs_tags=False)[3]["reward"] == 1
    for row in rows:
        check_row(row=row, task=Task.GRPO)


@pytest.mark.parametrize(
    ("counts", "rates"),
    [((0, 0, 0, 0, 0), (0, 0, 0, 0)), ((4, 8, 2, 3, 1), (2.0, 0.25, 0.25, 0.25)), ((1, 0, 0, 2, 0), (0, 0, 2, 0))],
)
def test_rates_are_shares_of_audits_calls_and_turns(counts, rates):
    names = ("audits", "calls", "refused", "corrections", "conflicts")
    measured = rates_of(**dict(zip(names, counts, strict=True)))
    assert (measured.calls_each, measured.refused, measured.parse_errors, measured.conflicts) == rates


def test_a_group_that_agrees_teaches_nothing():
    assert trl_advantages([1, 1, 1]) == (0.0, 0.0, 0.0)
    assert trl_advantages([1]) == (0.0,)


def test_the_reward_model_learns_right_evaluations_and_corrected_ones_only():
    assert reward_row(audited=sample(score=0), sources=SOURCE) is None
    given = reward_row(audited=sample(score=1), sources=SOURCE, system="You judge.")
    assert [turn["role"] for turn in given["messages"]] == ["system", "user", "assistant"]
    assert given["messages"][-1]["content"] == f"[0, 0]\n{LONG}"
    better = Correction(0, "p1", evaluation=Evaluation(1, 0, "The sum is right, the unit is not."))
    corrected = reward_row(audited=sample(score=1, correction=better), sources=SOURCE)
    assert corrected["messages"][-1]["content"].startswith("[1, 0]")
    check_row(row=corrected, task=Task.REWARD)


def test_the_settings_are_those_of_the_appendix_and_plain_yaml():
    files = settings_files()
    read = {name: yaml.safe_load(text) for name, text in files.items() if name.endswith(".yaml")}
    assert read["trl/sft.yaml"]["learning_rate"] == 1e-5
    assert read["trl/dpo.yaml"]["learning_rate"] == 5e-6
    assert read["trl/grpo.yaml"]["learning_rate"] == 2e-5
    assert read["trl/grpo.yaml"]["num_generations"] == 4
    assert read["trl/dpo.yaml"]["beta"] == read["llamafactory/dpo.yaml"]["pref_beta"] == 0.1
    assert {entry["num_train_epochs"] for name, entry in read.items() if "grpo" not in name} == {7}
    named = json.loads(files["llamafactory/dataset_info.json"])
    assert {entry["dataset"] for name, entry in read.items() if name.startswith("llama")} == set(named)


def test_lines_of_one_problem_are_one_group():
    records = [{"problem": "p", "response": "a"}, {"problem": "q"}, {"problem": "p", "responses": ["b"], "gold": "8"}]
    assert read_problems(records=records) == [Problem("p", "8", ("a", "b")), Problem("q")]
    for bad in ({"problem": ""}, {"problem": "p", "response": 3}, {"problem": "p", "responses": "ab"}):
        with pytest.raises(ValueError, match="record 1"):
            read_problems(records=[bad])
