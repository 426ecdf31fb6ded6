"""Consistency of a whole trace: the unit that was asked for, and one quantity that is told twice."""

import pytest

from tests.unit.checker.readings import is_doubted, is_refuted

READS = "Ann reads for 2 hours a day. How many minutes does she read in 3 days?"


@pytest.mark.parametrize(
    ("answer", "is_told"),
    [
        ("The answer is 6 hours.", True),
        ("The answer is 360 minutes.", False),
        ("The answer is 360.", False),
        ("The answer is 360 pages.", False),  # measures something else
        ("6 hours are spent reading.", False),  # no answer yet
    ],
)
def test_an_answer_in_another_unit_than_the_question_names_is_told(answer: str, is_told: bool) -> None:
    assert is_doubted(answer, problem=READS) is is_told
    assert not is_refuted(answer, problem=READS)


def test_a_question_in_two_units_asks_for_neither() -> None:
    problem = "How many hours and how many minutes does she read?"
    assert not is_doubted("The answer is 6 hours.", problem=problem)


@pytest.mark.parametrize(
    ("later", "is_told"),
    [
        ("The total cost of the apples = 45.", True),
        ("The total cost of the apples = 42.", False),
        ("The new total cost of the apples = 45.", False),  # a story that goes on
        ("Wait, that is wrong. The total cost of the apples = 45.", False),  # taken back
        ("The total cost = 45.", False),  # may be the cost of something else
        ("If he pays more, the total cost of the apples = 45.", False),
    ],
)
def test_a_quantity_with_another_value_in_a_later_step_is_told(later: str, is_told: bool) -> None:
    steps = ("The total cost of the apples = 42.", later)
    assert is_doubted(*steps) is is_told
    assert not is_refuted(*steps)
