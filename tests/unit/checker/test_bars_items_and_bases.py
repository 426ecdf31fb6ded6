"""Bars behind a factor, dashes before a formula, bases below digits are read as they are meant."""

import pytest

from tests.unit.checker.readings import is_refuted, is_verified


@pytest.mark.parametrize(
    "line",
    [
        r"\[ A = \frac{1}{2} \left| 87 - 29 \right| = \frac{1}{2} \cdot 48 \]",
        r"\[ \frac{1}{2} | 87 - 29 | = 28 \]",
        r"\( 2\left|3 - 7\right| = -8 \)",
        "The values are:\n- \\( 20 + 126 = 147 \\)",
        "- $3 \\cdot 4 = 13$",
        "Then:\n* \\( 20 + 126 = 147 \\)",
        r"\( 12_7 - 5_7 = 7_7 \)",
        r"\( 253_8 = 170 \)",
        r"\( 1234_5 = 195_{10} \)",
        "101₂ + 11₂ = 1001₂",
        r"\( (121)_3 = 17 \)",
    ],
)
def test_what_is_false_as_it_is_written_is_refuted(line: str) -> None:
    assert is_refuted(line)


@pytest.mark.parametrize(
    "line",
    [
        r"\[ \frac{1}{2} \left| 87 - 29 \right| = 29 \]",
        r"\( 2|{-3}| + |4| = 10 \)",
        "- \\( 20 + 126 = 146 \\)",
        "- $3 \\cdot 4 = 12$",
        r"\( 12_7 - 5_7 = 4_7 \)",
        r"\( 253_8 = 2 \cdot 8^2 + 5 \cdot 8 + 3 \)",
        r"\( 66_{20} = 126 \)",
        "101₂ + 11₂ = 1000₂",
        r"\( (1011)_{2} = 11 \)",
    ],
)
def test_what_holds_is_verified(line: str) -> None:
    assert is_verified(line)


@pytest.mark.parametrize(
    "line",
    [
        # a register loses what it cannot hold
        "In a 4-bit register 1111_2 + 1_2 = 0000_2.",
        # the digits without a base stand in the base that is named beside them
        r"\( 126_7 - 54_7 = 42 \)",
        "101_2 + 11 = 1000_2",
        # thousands as programs write them, constants and names
        "1_000 + 1 = 1001",
        "2_1 = 7",
        r"\( 3_{b} = 8 \)",
        # no digit of base four
        r"\( 19_4 + 1 = 15 \)",
        # bars that close nothing
        "P(A | B) = 0.3",
        "3 | 12 = 4",
        r"\( x^2 |_0^3 = 9 \)",
        # a minus, and no mark of a list
        "90\n-\\( 3 + 4 = 1 \\)",
        r"So 12 - \( 3 + 4 = 13 \)",
        "{x | x > 3}",
    ],
)
def test_other_notations_accuse_nobody(line: str) -> None:
    assert not is_refuted(line)


@pytest.mark.parametrize("piece", ["2|", "|2", "12_7 - ", "- \\(", "(1)_2|"])
def test_long_texts_of_these_are_read_in_the_end(piece: str) -> None:
    assert not is_refuted(piece * (20_000 // len(piece)))
