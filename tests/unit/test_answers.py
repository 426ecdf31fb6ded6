"""Are two final answers the same? At least 300 pairs labelled by hand, in both directions."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.checker.answers import compare_answers, final_answer, is_value, same_answer, tell_apart

VECTORS = Path(__file__).parents[1] / "vectors" / "answers.jsonl"
PAIRS = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]


def test_there_are_at_least_300_labelled_pairs():
    assert len({(pair["one"], pair["other"]) for pair in PAIRS}) >= 300


@pytest.mark.parametrize("same", [True, False])
def test_every_labelled_pair_is_judged_as_people_judge_it(same):
    wrong = [
        pair
        for pair in PAIRS
        if pair["same"] is same and same_answer(first=pair["one"], second=pair["other"]) is not same
    ]
    assert wrong == []


def test_the_order_of_the_two_answers_does_not_matter():
    wrong = [pair for pair in PAIRS if same_answer(first=pair["other"], second=pair["one"]) is not pair["same"]]
    assert wrong == []


@given(st.fractions(max_denominator=10**6))
def test_a_number_is_the_same_as_itself_in_every_notation(value):
    plain, latex = f"{value.numerator}/{value.denominator}", rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    assert same_answer(first=plain, second=rf"\boxed{{{latex}}}")


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_makes_the_comparison_raise(one, other):
    assert compare_answers(first=one, second=other).rule


def test_the_last_box_is_the_answer():
    assert final_answer(text=r"First \boxed{3}, no: \boxed{\frac{1}{2}}.") == r"\frac{1}{2}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42 km", True),
        (r"\frac{x}{2}", True),
        ("(C) 5 apples", True),
        ("3, 4 and 5", True),
        ("[2, 5)", True),
        ("2:30 pm", True),
        ("yes", True),
        ("Yes, because it is", False),
        ("apples, pears", False),
        ("It was, in the end, the butler, not the maid", False),
        ("", False),
    ],
)
def test_prose_is_no_value_even_with_commas(text, expected):
    assert is_value(text=text) is expected


def test_rules_call_only_values_different():
    assert tell_apart(first="12", second="13") is False
    assert tell_apart(first="It rose, then fell", second="It rose and, then, fell") is None
    assert tell_apart(first="the maid", second="The maid.") is True
    assert tell_apart(first="", second="12") is None
