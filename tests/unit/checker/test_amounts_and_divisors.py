"""Amounts between others and what divides what, in words: claims of numbers, and names and deeds beside them."""

import pytest

from tests.unit.checker.readings import is_refuted, is_verified


@pytest.mark.parametrize(
    "line",
    [
        "We see that 7 divides 100.",
        "The number 7 divides 100 evenly.",
        "7 does not divide 91.",
        "- \\( p^2 = 4 \\) does not divide -12,\n- \\( p \\) does not divide 1.",
        "so 4,524,491 is between 4,525,000 and 4,534,999.",
        "- **Option (B): 4,524,491**\n  - 4,524,491 is between 4,525,000 and 4,534,999.",
        "We see that 150 is between 200 and 300, so it fits.",
    ],
)
def test_what_is_false_is_refuted(line: str) -> None:
    assert is_refuted(line)


@pytest.mark.parametrize(
    "line",
    [
        "So 7 divides 91.",
        r"Since \(9\) does not divide \(91\), we stop.",
        "13 divides 26 and so on.",
    ],
)
def test_what_holds_is_verified(line: str) -> None:
    assert is_verified(line)


@pytest.mark.parametrize(
    "line",
    [
        "Step 7 divides 100.",
        "Player 7 divides 100 coins.",
        "7 divides 100 into parts.",
        "7 divides 100 by 4.",
        "If 7 divides 100, it works.",
        "Assume 7 divides 100.",
        "2^3 divides 100.",
        "3 · 7 divides 100.",
        "But 7 divides 100, a contradiction.",
        "2 divides 3 in the field of rational numbers.",
        "Does 7 divide 100?",
        "She divides 100 by 7.",
        # names of what stands in a row
        "Room 101 is between 102 and 103.",
        "The house 150 is between 200 and 300.",
        "5 is between 7 and 9.",
        "If 150 is between 200 and 300, it fits.",
        "Is 150 between 200 and 300?",
        "150 is not between 200 and 300.",
        "2 * 150 is between 200 and 400.",
        "1500 is between 2,000 and 1,000.",
        "200 is between 200 and 300.",
    ],
)
def test_names_deeds_and_suppositions_accuse_nobody(line: str) -> None:
    assert not is_refuted(line)


def test_a_long_text_of_divisors_is_read_in_the_end() -> None:
    assert not is_refuted("7 divides " * 2_000)
