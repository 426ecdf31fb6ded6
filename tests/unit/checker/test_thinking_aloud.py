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


def test_rows_of_a_list_give_a_label_a_value_each() -> None:
    rows = "- ^{{24}}Mg: mass = 23.985 amu, {0} = 0.7870\n- ^{{25}}Mg: mass = 24.986 amu, {0} = 0.1013"
    assert not is_refuted(rows.format("fractional abundance"))
    assert is_refuted("The fractional abundance = 0.7870.\nSo the fractional abundance = 0.1013.")


def test_a_long_text_that_is_cut_in_its_last_number_is_not_accused() -> None:
    long = ["So we look at the next one of them and go on with it."] * 100
    assert not is_refuted(*long, "Then a = 105 - 92 = 1")
    assert is_refuted(*long, "Then a = 105 - 92 = 1.")
    assert is_refuted("Then a = 105 - 92 = 1")
