"""What a trace takes back: whoever computes with it afterwards is doubted, whoever did so before is noted."""

import pytest

from auditing.checker.findings import Grade, Verdict
from auditing.checker.reading.passages import Placed
from tests.unit.checker.readings import findings, is_refuted

FIRST = "There are 3 * 4 = 12 tables."
BETWEEN = "So 12 * 8 = 96 chairs are needed."
BACK = "Wait, I made a mistake: there should be 15 tables, not 12."


def retracted(*steps: str, problem: str = "A problem.") -> list[Placed]:
    placed = findings(*steps, problem=problem)
    return [item for item in placed if item.finding.evidence.checker == "retractions"]


def test_a_computation_with_a_result_that_was_taken_back_is_a_doubt() -> None:
    steps = (FIRST, BACK, "The chairs are 12 * 8 = 96.")
    (item,) = retracted(*steps)
    assert item.finding.verdict is Verdict.REFUTED
    assert item.finding.grade is Grade.LIKELY
    assert item.finding.evidence.read == "12 * 8"
    assert not is_refuted(*steps)


def test_what_followed_before_it_was_taken_back_is_noted() -> None:
    (item,) = retracted(FIRST, BETWEEN, BACK)
    assert item.finding.grade is Grade.NOTE
    assert item.finding.verdict is Verdict.NOT_APPLICABLE


def test_the_other_way_round_it_is_taken_back_as_well() -> None:
    assert retracted(FIRST, "Oops, it is not 12, but 15.", "The chairs are 12 * 8 = 96.")


def test_with_the_new_result_nothing_is_said() -> None:
    assert not retracted(FIRST, BACK, "The chairs are 15 * 8 = 120.")


def test_a_number_that_is_found_again_may_be_used() -> None:
    assert not retracted(FIRST, BACK, "The guests are 6 + 6 = 12.", "They need 12 * 8 = 96 plates.")


def test_a_number_of_the_problem_is_not_taken_back() -> None:
    assert not retracted(FIRST, BACK, "The chairs are 12 * 8 = 96.", problem="There are 12 rooms.")


def test_without_a_word_of_taking_back_nothing_is_retracted() -> None:
    steps = (FIRST, "We need 15 tables, not 12 benches.", "The chairs are 12 * 8 = 96.")
    assert not retracted(*steps, "Wait, that is all.")


def test_a_number_that_was_no_result_is_nothing_to_lean_on() -> None:
    assert not retracted("We begin.", BACK, "The chairs are 12 * 8 = 96.")


@pytest.mark.parametrize(
    ("denied", "claimed"),
    [
        ("15 is divisible by 4 is false.", "15 is divisible by 4."),
        ("91 is prime, some say, but it is 7 * 13.", "91 is prime, so we go on."),
        ("Many people think 91 is prime.", "We see that 91 is prime."),
        ('The statement "17 is a multiple of 3" is not correct.', "17 is a multiple of 3 is correct."),
        ("20% of 50 is 12 is what he wrote, but it is 10.", "20% of 50 is 12, which is what we need."),
        ("15 is a multiple of 4 only if 15/4 is whole.", "15 is a multiple of 4, only now we see it."),
        ("Total = 5 + 3. Total = 9 once the bonus is in.", "Total = 5 + 3. Total = 9 apples. Once more."),
        ("x = 5 + 3. x = 9 after one more.", "x = 5 + 3. x = 9."),
    ],
)
def test_what_is_denied_left_to_others_or_of_another_time_is_a_doubt_at_most(denied: str, claimed: str) -> None:
    assert not is_refuted(denied)
    assert is_refuted(claimed)
