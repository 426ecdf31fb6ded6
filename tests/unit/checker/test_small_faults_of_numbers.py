"""What no test noticed when one sign or number of a check of numbers was changed (`make mutants`)."""

import pytest

from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified


def sentences(step: str, rule: str) -> list[str]:
    return [item.finding.evidence.sentence for item in findings(step) if item.finding.evidence.rule == rule]


@pytest.mark.parametrize(("residue", "is_so"), [("2", True), ("3", False)])
def test_a_congruence_is_judged_by_the_modulus_inside_its_formula(residue: str, is_so: bool) -> None:
    step = rf"\(17 ≡ {residue} \mod 5\)"
    assert (is_verified(step), is_refuted(step)) == (is_so, not is_so)


@pytest.mark.parametrize(
    ("head", "is_so"),
    [
        ("The first primes", True),  # some are left out on purpose
        ("The primes", False),
    ],
)
def test_a_list_of_the_first_members_of_a_range_need_not_be_complete(head: str, is_so: bool) -> None:
    step = f"{head} up to 10 are 2, 3."
    assert (is_verified(step), is_refuted(step)) == (is_so, not is_so)


@pytest.mark.parametrize(("reached", "sentence"), [("10:00", "8:00 + 2 hours is 10:00"), ("11:00", "says 11:00")])
def test_the_time_behind_a_sum_of_a_time_and_hours_is_judged(reached: str, sentence: str) -> None:
    (told,) = sentences(f"8:00 + 2 hours = {reached}", "clock")
    assert sentence in told


@pytest.mark.parametrize(
    ("step", "is_told"),
    [
        ("(3 + 4 = 8)", True),
        ("3 + 4 = 8, and so on", True),
        ("3 + 4 = 8, 9", False),  # a list of values
        ("3 + 4 = 8 → x = 4", True),
        ("3 + 4 = 8 → x > 4", False),  # 8 may become something else
        ("3 + 4 = 8 ! 5", False),
    ],
)
def test_what_may_stand_behind_a_whole_equation(step: str, is_told: bool) -> None:
    assert is_refuted(step) is is_told


@pytest.mark.parametrize(("result", "is_told"), [("$68", False), ("$69", True)])
def test_a_percentage_taken_off_a_price_is_a_percentage_of_the_price(result: str, is_told: bool) -> None:
    assert is_doubted(f"$85 - 20% = {result}") is is_told
