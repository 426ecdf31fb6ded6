"""The design of a human experiment: its square is balanced, its campaigns hold each pair once, its digest all of it."""

from collections import Counter
from dataclasses import asdict

import pytest

from auditing.research.experiments.core import campaigns_of, contents_of, digest_of, is_right, make_design, read_design

ARMS = ("paper", "default", "whole")
TRACES = {f"t{n}": {"id": f"t{n}", "problem": "1 + 1", "label": -1} for n in range(9)}


def design(**changes):
    fields = {
        "hypothesis": "Passages find more.",
        "arms": ARMS,
        "people": [f"p{n}" for n in range(6)],
        "traces": TRACES,
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


def test_a_trace_is_in_one_campaign_of_each_arm():
    """So that an arm has one audit of each trace, and its votes are those of one group."""
    square = design()
    places = Counter((trace, campaign.arm) for campaign in campaigns_of(design=square) for trace in campaign.traces)
    assert len(places) == 27
    assert set(places.values()) == {1}


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 2},
        {"hypothesis": "Fewer."},
        {"arms": ("default", "paper", "whole")},
        {"traces": TRACES | {"t3": TRACES["t3"] | {"label": 0}}},
        {"traces": TRACES | {"t3": TRACES["t3"] | {"problem": "1 + 2"}}},
    ],
    ids=["seed", "hypothesis", "arms", "a label", "a text"],
)
def test_any_change_of_a_design_is_another_digest(change):
    assert digest_of(design=design()) == digest_of(design=design())
    assert digest_of(design=design(**change)) != digest_of(design=design())


def test_a_design_reads_back_with_its_digest():
    fields = asdict(design())
    assert digest_of(design=read_design(fields=fields)) == digest_of(design=design())
    with pytest.raises(ValueError, match="a design has the fields hypothesis, arms"):
        read_design(fields=fields | {"results": []})


def test_contents_do_not_depend_on_the_order_of_a_file():
    assert contents_of(traces=dict(reversed(TRACES.items()))) == contents_of(traces=TRACES)


def test_a_label_says_which_step_is_wrong_and_right_is_true_or_false():
    assert is_right(trace="t", record={"right": True, "label": 0})
    assert not is_right(trace="t", record={"label": 0})
    with pytest.raises(ValueError, match="says neither right"):
        is_right(trace="t", record={"right": "false"})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"arms": ("a",)}, "at least two arms"),
        ({"people": ["a", "b"]}, "2 people cannot be shared evenly by 3 arms"),
        ({"people": ["a", "b", "a"]}, "people are named twice"),
        ({"traces": TRACES | {"t9": {"id": "t9", "label": 1}}}, "10 traces cannot be shared evenly"),
        ({"traces": TRACES | {"t3": {"id": "t3"}}}, "trace t3 says neither right"),
    ],
)
def test_what_cannot_be_counterbalanced_or_scored_is_refused(change, reason):
    with pytest.raises(ValueError, match=reason):
        design(**change)
