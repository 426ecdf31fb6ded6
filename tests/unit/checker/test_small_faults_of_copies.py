"""What no test noticed when one sign or number of the check of copied numbers was changed (`make mutants`)."""

import pytest

from tests.unit.checker.readings import findings


def sentences(step: str, problem: str) -> list[str]:
    placed = findings(step, problem=problem)
    return [item.finding.evidence.sentence for item in placed if item.finding.evidence.rule == "copied quantity"]


@pytest.mark.parametrize(("word", "is_told"), [("So", True), ("If", False)])
def test_a_number_is_changed_on_purpose_where_the_very_first_word_supposes_it(word: str, is_told: bool) -> None:
    step = f"{word} the box holds exactly 14 big red balls today, we win."
    told = ["The problem says 10 here, not 14."] if is_told else []
    assert sentences(step, "The box holds exactly 10 big red balls today.") == told


@pytest.mark.parametrize(("number", "is_told"), [("14", True), ("12.5", True), ("10", False), ("5", False)])
def test_a_number_from_nowhere_is_recognised_by_the_five_words_behind_it(number: str, is_told: bool) -> None:
    step = f"There are {number} students sitting around the large table."
    problem = "We see 10 students sitting around the large table in room 5."
    told = [f"The problem says 10 here, not {number}, which stands nowhere before."] if is_told else []
    assert sentences(step, problem) == told
