"""What no test noticed when one sign or number of a check of numbers was changed (`make mutants`)."""

import json

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


def test_a_link_of_congruences_is_marked_and_proved_between_its_own_sides() -> None:
    placed = findings("3 + 4 ≡ 12 ≡ 2 (mod 5)")
    links = [item.finding for item in placed if item.finding.evidence.rule == "congruence"]
    assert [link.evidence.read for link in links] == ["3 + 4 ≡ 12", "12 ≡ 2"]
    assert [json.loads(link.proof)["right"] for link in links] == ["12", "2"]


@pytest.mark.parametrize(
    ("step", "readings"),
    [
        ("Half of 50% is 25.", ["25", "25%"]),  # the sign may be left out: 25 is 25 percent
        ("Half of 50 is 26.", ["26"]),
    ],
)
def test_a_proof_reads_a_number_as_a_percentage_where_the_sentence_has_the_sign(step: str, readings: list[str]) -> None:
    (share,) = (item.finding for item in findings(step) if item.finding.evidence.rule == "a share")
    assert json.loads(share.proof)["right"] == readings


def test_a_number_before_a_bracketed_formula_is_no_factor_of_it() -> None:
    assert is_verified(r"Step 5 \( (3 + 4) = 7 \)")
    assert is_refuted(r"Step 5 \( (3 + 4) = 8 \)")


@pytest.mark.parametrize(("power", "is_read"), [("2", True), ("{2}", True), ("{-2}", True), ("n", False)])
def test_the_power_of_a_unit_is_a_number(power: str, is_read: bool) -> None:
    assert is_refuted(f"2 cm^{power} + 3 cm^{power} = 6 cm^{power}") is is_read


@pytest.mark.parametrize(("counted", "is_certain"), [("apples", True), ("dollars", False)])
def test_sums_of_different_things_are_not_certainly_unequal(counted: str, is_certain: bool) -> None:
    step = f"10 apples + 4 apples = 3 {counted} + 4 {counted}"
    assert (is_refuted(step), is_doubted(step)) == (is_certain, not is_certain)
