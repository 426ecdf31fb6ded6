"""What a problem says by itself: options that are looked at, units and a pi of its own, signs that mean others.

Lines as they stand in solutions of models whose answer was right, and their twins that are false.
"""

import pytest

from tests.unit.checker.readings import is_refuted, stated


@pytest.mark.parametrize(("problem", "steps"), stated("problem_terms", "+"))
def test_what_the_problem_says_is_no_fault_of_a_step(problem: str, steps: list[str]) -> None:
    assert not is_refuted(*steps, problem=problem)


@pytest.mark.parametrize(("problem", "steps"), stated("problem_terms", "-"))
def test_what_a_step_says_by_itself_is_refuted(problem: str, steps: list[str]) -> None:
    assert is_refuted(*steps, problem=problem)
