"""The numbered steps of a passage in words."""

import pytest

from auditing.research.reports.selectors.units import StepLine, UnitLine


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["ST9", "ST10", "ST11"], "1 to 3 = ST9 to ST11"),
        (["ST1", "ST2"], "1 = ST1; 2 = ST2"),
        (["ST1", "ST2", "ST3", "ST5 ST6", "ST7"], "1 to 3 = ST1 to ST3; 4 = ST5, ST6; 5 = ST7"),
        (["ST1", "O2", "ST3"], "1 = ST1; 2 = O2; 3 = ST3"),
        ([], ""),
    ],
    ids=["a run", "two", "several in one", "another kind", "none"],
)
def test_a_run_of_steps_is_told_as_a_run(labels: list[str], words: str) -> None:
    steps = [StepLine(number, tuple(label.split()), "", "", "", 0.0) for number, label in enumerate(labels, 1)]
    assert UnitLine("passage", "", tuple(steps), None).numbering == words
