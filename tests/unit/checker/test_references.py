"""Sentences that take up the expression before them, products of symbols behind a bracket, and rounded operands."""

import pytest

from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified

ACCUSED = {
    "a fraction reduced": ([r"So we have $\frac{8 \cdot 20}{5 \cdot 12}$.", r"That reduces to $\frac{160}{65}$"], "60"),
    "a sum in the next step": (["So $a+b+m = 4+12+(-3)$.", "Which is $-1$."], "13"),
    "a sum in the next sentence": ([r"We get \(20 - 6 + 4\). This is equal to \(20\)."], "18"),
    "an expression multiplied out": ([r"We have $2(x + 3)$.", r"Simplifying, we get $2x + 5$."], "6"),
    "what one can write": (
        [r"So we have $\frac{8 \cdot 20}{5 \cdot 12}$.", r"We can simplify this to $\frac{160}{65}$."],
        "60",
    ),
}
WRONG = {"60": "65", "13": "-1", "18": "20", "6": "5"}
LEFT_ALONE = {
    "a noun that means something else": [
        r"And $\cos 60^\circ = \frac{1}{2}$.",
        r"So the expression becomes $\frac14$.",
    ],
    "a number compared": ["We need $3 + 4$.", "This is 5 more than before."],
    "a number and its share": ["The area is $12$.", r"This is $\frac{1}{2}$ of all."],
    "another unknown": ["We have $2x + 6$.", "This is $20$."],
    "an equation": ["We have $2x + 6 = 20$.", "This simplifies to $x + 3 = 10$."],
    "words between": ["We have $3 + 4$ in the first case.", "This is $9$."],
    "a question": ["We have $3 + 4$.", "This is $9$?"],
    "what is left of it": ["She spends $3 \\cdot 4$.", "We are left with $8$."],
    "a remainder": ["We have $3 + 4$ modulo 5.", "This is $2$."],
}


@pytest.mark.parametrize("name", ACCUSED)
def test_a_sentence_that_takes_up_an_expression_keeps_its_value(name):
    steps, right = ACCUSED[name]
    assert is_refuted(*steps)
    last = steps[-1].rsplit(WRONG[right], 1)
    assert not is_refuted(*steps[:-1], right.join(last))


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_a_sentence_that_speaks_of_something_else_is_left_alone(name):
    assert not [item for item in findings(*LEFT_ALONE[name]) if item.finding.evidence.checker == "references"]


def test_what_is_taken_up_rightly_is_verified_in_place():
    assert is_verified(r"We get \(20 - 6 + 4\). This is equal to \(18\).")


def test_letters_behind_a_bracket_are_a_product_and_no_unit():
    assert not is_refuted("E = (1/2)mv^2 = (1/2)(0.30 kg)(0.040 m/s)^2 = 0.24 mJ.")
    assert is_refuted("E = (1/2)(0.30)(0.040)^2 = 0.24.")


def test_operands_that_may_have_been_rounded_leave_a_doubt():
    line, problem = "X = 1.25 / (1.25 + 2.78) = 0.311.", "A: 0.164 B: 0.311"
    assert is_doubted(line, problem=problem)
    assert not is_refuted(line, problem=problem)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("X = 1.25 / (1.25 + 2.78) = 0.311.", "Mixed are 1.25 and 2.78 moles. A: 0.311"),
        ("t = log(0.02)/log(0.8) ≈ 18.57", "A problem."),
        ("X = 1.25 / (1.25 + 2.78) = 0.32.", "A problem."),
        ("It costs $4.20 + $9.45 + $1.35 = $14.98.", "A problem."),
    ],
)
def test_operands_that_were_not_rounded_leave_none(line, problem):
    assert is_refuted(line, problem=problem)
