"""Texts that think aloud: trials, cases, second looks and units left out accuse nobody; slips of the same kinds do.

Each line of the file is a right trace ("+") of a kind that was accused, or a false one ("-") that looks like it.
"""

import pytest

from tests.unit.checker.readings import is_refuted, stated

RIGHT, FALSE = (stated("thinking_aloud", sign) for sign in "+-")


@pytest.mark.parametrize(("problem", "steps"), RIGHT)
def test_a_trial_or_a_second_look_is_not_accused(problem: str, steps: list[str]) -> None:
    assert not is_refuted(*steps, problem=problem)


@pytest.mark.parametrize(("problem", "steps"), FALSE)
def test_a_slip_that_looks_like_one_is_accused(problem: str, steps: list[str]) -> None:
    assert is_refuted(*steps, problem=problem)
