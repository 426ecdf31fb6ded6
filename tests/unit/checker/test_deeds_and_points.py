"""Computations told in words or beside their result: deeds, simplifications, remarks, congruences, points, roots."""

import pytest

from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified, verdicts

RIGHT_AND_WRONG = {
    "a division": ("We divide 44 by 4 to get 11.", "We divide 44 by 4 to get 12."),
    "a division of things": ("Dividing the 120 balls by 60, we get 2.", "Dividing the 120 balls by 60, we get 3."),
    "a product": ("Multiplying 12 by 5 gives 60.", "Multiplying 12 by 5 gives 61."),
    "a sum": ("Adding 5 and 7, we get 12.", "Adding 5 and 7, we get 13."),
    "a difference": ("Subtract 3 from 12 to get 9.", "Subtract 3 from 12 to get 8."),
    "a square": ("Squaring 3 gives 9.", "Squaring 3 gives 6."),
    "a square root": ("The square root of 144 is 12.", "The square root of 144 is 13."),
    "rounding": ("Rounding 28.55 to the nearest ten gives 30.", "Rounding 28.55 to the nearest ten gives 20."),
    "last digits": ("The last two digits of 11^4 are 41.", "The last two digits of 11^4 are 31."),
    "another base": ("87 in base 3 is 10020.", ""),
    "a boxed result": (r"The least common multiple of \(14\), \(20\), and \(35\) is \(\boxed{140}\).", ""),
    "a simplification": (r"$(2 + 2)(2 + 4)$ simplifies to $(4)(6)$.", r"$(2 + 2)(2 + 4)$ simplifies to $(4)(5)$."),
    "a factorization": ("900 can be written as 2 * 2 * 3 * 3 * 5 * 5.", "900 can be written as 2 * 2 * 3 * 3 * 5 * 6."),
    "a result behind which": ("It is 7 + 3, which is 10.", "It is 7 + 3, which is 11."),
    "a share behind which": ("Half of 50, which is 25, is left.", "Half of 50, which is 26, is left."),
    "a congruence": ("37 is congruent to 2 modulo 7.", "37 is congruent to 1 modulo 7."),
    "a midpoint": ("The midpoint is ((3+7)/2, (4+10)/2) = (5, 7).", "The midpoint is ((3+7)/2, (4+10)/2) = (5, 8)."),
    "a length": (r"$\|(3,4)\| = 5$", r"$\|(3,4)\| = 6$"),
    "a product of columns": (
        r"\begin{pmatrix} 4 \\ 4 \\ 7 \end{pmatrix} \cdot \begin{pmatrix} 1 \\ 4 \\ 1 \end{pmatrix} = 27.",
        r"\begin{pmatrix} 4 \\ 4 \\ 7 \end{pmatrix} \cdot \begin{pmatrix} 1 \\ 4 \\ 1 \end{pmatrix} = 28.",
    ),
    "a calculator's mark": ("He has 40-16 = <<40-16=24>>24 left.", ""),
    "a remark": ("There are 30 students (12 + 18) in all.", ""),
}  # fmt: skip


@pytest.mark.parametrize("kind", RIGHT_AND_WRONG)
def test_what_is_told_in_words_is_verified_and_its_error_is_a_doubt(kind: str) -> None:
    right, wrong = RIGHT_AND_WRONG[kind]
    assert is_verified(right)
    if wrong:
        assert is_doubted(wrong)
        assert not is_refuted(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "We divide 1000 by 18 to get 55 with a remainder of 10.",
        "Divide half of 50 by 5 to get 5.",
        "Adding 20% to 50 gives 60.",
        "If we divide 44 by 4 we get 12.",
        "Divide 7 by 2 to get 3.",
        "Multiply 3 dozen by 2 to get 72.",
        "The square root of 401 is approximately 20.",
        "Pages 30 (12 + 14) are missing.",
        "The map is f(1 + 1, 2) = (3, 4).",
        "The gcd is (12 + 2, 18) = (2, 3).",
        "Is 37 congruent to 1 modulo 7?",
    ],
)
def test_what_may_mean_something_else_is_left_alone(line: str) -> None:
    assert not is_doubted(line)
    assert not is_refuted(line)


def test_higher_roots_and_changes_of_a_quantity_are_read() -> None:
    assert is_verified("∛27 + ³√8 = 5")
    assert is_refuted("∛27 + ³√8 = 6")
    assert is_verified(r"\(\sin 30^\circ = 1/2\)")
    assert [item for item in findings("So 3 * ΔP = 6.", "Then ΔP = 3.") if item.finding.accuses]


def test_a_whole_number_that_was_rounded_is_no_proof() -> None:
    assert verdicts("85/12 = 7") == set()
    assert is_verified("85/12 ≈ 7")
    assert is_verified("84/12 = 7")
