"""A digit too many or too few beside a unit: an error, unless the unit may hide a power of ten."""

import pytest

from tests.unit.checker.readings import is_doubted, is_refuted


@pytest.mark.parametrize(
    "line",
    [
        "So the dog weighs 5*44=22 pounds.",
        "He needs 12 * 20 = 24 eggs.",
        "Maya can lift 240/4 = 6 pounds.",
        "The acceleration is (12 N)/(2 kg) = 5 m/s^2.",
        r"\(\$4.50 \text{ (apples)} + \$4.00 \text{ (oranges)} = \$9.50\)",
    ],
)
def test_a_lost_digit_is_refuted_where_no_unit_hides_it(line: str) -> None:
    assert is_refuted(line)


@pytest.mark.parametrize(
    "line",
    [
        "2 mF * 5 V = 0.01 C",
        "5 * 200 ml = 1 liter",
        "5 * 20 cents = 1 dollar",
        "3 * 400 g = 1.2 kg",
        "2 apples + 3 pears = 45 cents",
        "(12 km)/(2 h) = 6000 m/h",
        "12 N * 50 cm = 6 J",
        "98.6 F - 32 * 5/9 = 37 C",
    ],
)
def test_a_power_of_ten_that_a_unit_may_hide_accuses_nobody(line: str) -> None:
    assert not is_refuted(line)


def test_what_holds_ten_or_a_hundred_may_have_any_name() -> None:
    assert is_doubted("10 * 10 = 1 crate")
    assert not is_refuted("10 * 10 = 1 crate")
