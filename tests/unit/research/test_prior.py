"""The prior over steps: learnt from labelled traces, the same bytes for the same data and seed, never a vote."""

import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from auditing.research.prior.boosting import train
from auditing.research.prior.features import NAMES, features_of
from auditing.research.prior.training import BadPriorError, area, as_bytes, read_labelled, read_prior, trained
from hdag.readers.records import read_record


def line(number: int, name: str = "") -> bytes:
    """A trace of three steps whose second one is wrong where the number is even: it alone draws no conclusion."""
    second = "Let there be 7 * 3 of these." if number % 2 == 0 else "So there are 7 * 3 of these."
    case = {
        "set": name or ("first", "second")[number % 4 // 2],
        "problem": f"Problem {number}: there are {number + 3} boxes and 7 shelves.",
        "steps": [f"We have {number + 3} boxes.", second, "That is the answer."],
        "error": 1 if number % 2 == 0 else None,
    }
    return (json.dumps(case) + "\n").encode()


@pytest.fixture(scope="module")
def prior() -> dict:
    return trained(data=read_labelled(lines=[line(number) for number in range(240)]), seed=3)


def test_steps_behind_the_first_error_carry_no_label():
    data = read_labelled(lines=[line(number) for number in range(240)])
    assert (len(data.labels), int(data.labels.sum()), data.traces) == (120 * 2 + 120 * 3, 120, 240)


def test_what_marks_an_error_is_learnt_also_for_problems_and_sets_never_seen(prior):
    assert prior["in_domain"]["all"]["auroc"] > 0.95
    assert prior["in_domain"]["all"]["auroc_of_length"] < 0.9
    assert {name: figures["auroc"] > 0.95 for name, figures in prior["left_out"].items()} == {
        "first": True,
        "second": True,
    }


def test_the_same_data_and_seed_give_the_same_bytes(prior):
    lines = [line(number) for number in range(240)]
    again = trained(data=read_labelled(lines=lines), seed=3)
    assert as_bytes(again) == as_bytes(prior)
    other = trained(data=read_labelled(lines=lines), seed=4)
    assert as_bytes(other) != as_bytes(prior)
    assert prior["data"]["sha256"] != read_labelled(lines=[*lines, line(240)]).digest


def test_a_prior_read_from_its_file_says_the_same(prior):
    model = read_prior(text=as_bytes(prior).decode())
    rows = features_of(read_record({"id": "t", **json.loads(line(2))}, where="test"))
    chances = model.probabilities(rows)
    assert chances.argmax() == 1
    assert np.array_equal(chances, read_prior(text=json.dumps(prior)).probabilities(rows))


@pytest.mark.parametrize(
    "change",
    [
        {"format": "another"},
        {"version": 2},
        {"features": [*NAMES[:-1], "another"]},
        {"model": {"edges": [], "base": 0, "trees": [{"features": [0], "bins": [0], "leaves": [0]}]}},
        {"model": 7},
    ],
    ids=["format", "version", "features", "tree", "number"],
)
def test_another_file_is_refused(prior, change):
    with pytest.raises(BadPriorError):
        read_prior(text=json.dumps({**prior, **change}))


def test_few_errors_teach_nothing():
    with pytest.raises(BadPriorError, match="20 labelled errors"):
        read_labelled(lines=[line(number) for number in range(40)])


def test_a_line_that_cannot_be_read_is_named():
    with pytest.raises(BadPriorError, match="line 2"):
        read_labelled(lines=[line(1), b'{"problem": "p"}\n'])


def test_the_command_trains_and_orders(tmp_path: Path, capsys):
    labels, traces = tmp_path / "labels.jsonl", tmp_path / "traces.jsonl"
    labels.write_bytes(b"".join(line(number) for number in range(240)))
    traces.write_text(json.dumps({"id": "a", **json.loads(line(2))}) + "\n", encoding="utf-8")
    call_command("train_prior", str(labels), output=str(tmp_path / "prior.json"), seed=3)
    assert "left out: second: steps" in capsys.readouterr().out
    call_command("train_prior", str(traces), prior=str(tmp_path / "prior.json"), output=str(tmp_path / "order.jsonl"))
    record = json.loads((tmp_path / "order.jsonl").read_text(encoding="utf-8"))
    assert record["id"] == "a"
    assert record["order"][0] == 1
    assert record["prior"][1] == max(record["prior"])


def test_the_command_refuses_a_file_that_is_no_prior(tmp_path: Path):
    (tmp_path / "traces.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command(
            "train_prior",
            str(tmp_path / "traces.jsonl"),
            prior=str(tmp_path / "traces.jsonl"),
            output=str(tmp_path / "o"),
        )


def test_rows_without_a_sign_get_the_base_rate():
    rows, labels = np.zeros((400, 3)), (np.arange(400) % 4 == 0).astype(float)
    chances = train(rows=rows, labels=labels, seed=1).probabilities(rows)
    assert np.allclose(chances, 0.25, atol=0.02)


def test_the_area_counts_ties_half():
    assert area(np.array([1.0, 1.0]), np.array([0.0, 1.0])) == 0.5
