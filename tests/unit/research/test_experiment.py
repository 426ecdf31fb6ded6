"""A human experiment: its square is balanced, its campaigns hold each pair once, its votes are those of the design."""

import io
import json
from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from auditing.research.studies.arms.experiment import campaigns_of, digest_of, make_design
from auditing.research.studies.instruments.runner import Run, find_studies

ARMS = ("paper", "default", "whole")


def design(**changes):
    fields = {
        "hypothesis": "Passages find more.",
        "arms": ARMS,
        "people": [f"p{n}" for n in range(6)],
        "traces": [f"t{n}" for n in range(9)],
        "seed": 1,
    }
    return make_design(**{**fields, **changes})


def test_every_person_and_every_trace_meets_each_arm_equally_often():
    square = design()
    pairs = [(p, t, square.arm_of(person=p, trace=t)) for p in square.people for t in square.traces]
    assert set(Counter((p, arm) for p, _, arm in pairs).values()) == {3}
    assert set(Counter((t, arm) for _, t, arm in pairs).values()) == {2}


def test_campaigns_hold_every_pair_once_and_in_its_arm():
    square = design()
    pairs = [(p, t, c.arm) for c in campaigns_of(design=square) for p in c.people for t in c.traces]
    assert len(pairs) == len({(p, t) for p, t, _ in pairs}) == 54
    assert all(square.arm_of(person=p, trace=t) == arm for p, t, arm in pairs)


def test_each_person_has_an_order_of_their_own():
    square = design()
    orders = {square.order_of(person=person) for person in square.people}
    assert len(orders) == 6
    assert all(sorted(order) == sorted(square.traces) for order in orders)


def test_a_design_has_one_digest_and_any_change_another():
    digests = {digest_of(design=design(**change)) for change in ({}, {"seed": 2}, {"hypothesis": "Fewer."})}
    assert len(digests) == 3
    assert digest_of(design=design()) in digests


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"arms": ("a",)}, "at least two arms"),
        ({"people": ["a", "b"]}, "2 people cannot be shared evenly by 3 arms"),
        ({"traces": ["a", "a", "b"]}, "traces are named twice"),
    ],
)
def test_what_cannot_be_counterbalanced_is_refused(change, reason):
    with pytest.raises(ValueError, match=reason):
        design(**change)


def test_votes_cast_as_designed_are_read_by_the_tables(tmp_path):
    """Two arms, two people, two traces; one vote was cast in the other arm, one by a stranger."""
    (tmp_path / "traces.jsonl").write_text('{"id": "t1", "problem": "1"}\n{"id": "t2", "problem": "2"}\n')
    folder, out = tmp_path / "plan", io.StringIO()
    words = ["--arm", "paper", "--arm", "default", "--person", "ann", "--person", "bob", "--hypothesis", "h"]
    call_command("experiment", "design", str(tmp_path / "traces.jsonl"), str(folder), *words, stdout=out)
    assert len(list(folder.glob("campaign-*.jsonl"))) == 4
    assert "to be published before the first vote: " in out.getvalue()
    votes = [
        {"person": person, "trace": trace, "choice": "pass", "right": trace == "t1", "seconds": 9}
        for person in ("ann", "bob")
        for trace in ("t1", "t2")
    ]
    fields = json.loads((folder / "design.json").read_text())
    arms = (fields["arms"][1], fields["arms"][0])
    ann = fields["people"].index("ann") + fields["traces"].index("t1")
    votes[0]["arm"] = arms[ann % 2]
    votes.append({**votes[1], "person": "eve"})
    (tmp_path / "votes.jsonl").write_text("".join(json.dumps(vote) + "\n" for vote in votes))
    out = io.StringIO()
    paths = [str(folder / "design.json"), str(tmp_path / "votes.jsonl"), str(tmp_path / "arms.jsonl")]
    with pytest.raises(CommandError) as raised:
        call_command("experiment", "votes", *paths, stdout=out)
    assert raised.value.returncode == 3
    assert out.getvalue().startswith("3 of 5 votes as designed; ")
    assert "vote 1: was cast in" in out.getvalue()
    report = find_studies()["table3"].run(Run(file=tmp_path / "arms.jsonl", shape="arms"))
    assert {row[0].split(":")[0] for row in report.tables[0].rows} >= {"paper", "default"}
