"""Formulas with a name: the published form filled with the numbers of the problem, and what goes by its name."""

import pytest

from auditing.checker.checks.sciences.formula_table import FORMULAS
from tests.unit.checker.readings import findings, is_doubted, is_refuted

PATIENT = "A man of 70 kg and 1.75 m has a pressure of 120/80 mmHg, Na 140, Cl 100, HCO3 24, age 60, creatinine 1.2."
SHAPE = "A triangle has base 6 and height 7, a cylinder radius 2 and height 9."


@pytest.mark.parametrize(
    ("right", "wrong", "problem"),
    [
        ("BMI = 70 / 1.75^2 = 22.9", "BMI = 70 / 1.75 = 40", PATIENT),
        ("The MAP = (120 + 2 * 80) / 3 = 93.3", "The MAP = (120 + 80) / 2 = 100", PATIENT),
        ("Anion gap = 140 - (100 + 24) = 16", "Anion gap = 140 - 100 + 24 = 64", PATIENT),
        ("CrCl = (140 - 60) * 70 / (72 * 1.2) = 64.8", "CrCl = (140 - 60) * 70 / 1.2 = 4667", PATIENT),
        ("Area of the triangle = 1/2 * 6 * 7 = 21", "Area of the triangle = 6 * 7 = 42", SHAPE),
        ("The volume of the cylinder is π * 2^2 * 9 = 36π.", "The volume of the cylinder is π * 2 * 9 = 18π.", SHAPE),
    ],
)  # fmt: skip
def test_a_formula_is_told_from_what_goes_by_its_name(right: str, wrong: str, problem: str) -> None:
    assert "named formulas" in {item.finding.evidence.checker for item in findings(right, problem=problem)}
    assert not is_doubted(right, problem=problem)
    assert is_doubted(wrong, problem=problem)
    assert not is_refuted(wrong, problem=problem)


@pytest.mark.parametrize(
    "line",
    [
        "BMI = 70 / 3.0625 = 22.9",  # 3.0625 was computed before
        "The total change in kinetic energy is 70 / 1.75 = 40.",  # no energy itself
        "The BMI of his brother is 90 / 1.75 = 51.4",  # 90 is not given
        "Area of the triangle = 5 * 7 = 35",  # 5 stands nowhere
    ],
)
def test_numbers_that_the_problem_does_not_give_leave_the_formula_open(line: str) -> None:
    assert not is_doubted(line, problem=f"{PATIENT} {SHAPE}")


def test_every_formula_says_where_it_comes_from() -> None:
    assert all(formula.source and formula.written and formula.quantities for formula in FORMULAS)
