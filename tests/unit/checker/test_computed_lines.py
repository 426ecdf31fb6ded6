"""One left side on two lines: the second is the first one computed, or it is accused with a proof."""

import json

import pytest

from auditing.checker.checks.text.computed_lines import NAME
from auditing.checker.examination import examine_script
from auditing.checker.findings import Verdict
from auditing.checker.reading.passages import script_of
from hdag.core.values import Trace
from tests.unit.checker.readings import findings, is_doubted, is_refuted, stated


@pytest.mark.parametrize(("problem", "steps"), stated("computed_lines", "+"))
def test_a_right_line_is_not_even_doubted(problem: str, steps: list[str]) -> None:
    assert not is_refuted(*steps, problem=problem)
    assert not is_doubted(*steps, problem=problem)


@pytest.mark.parametrize(("problem", "steps"), stated("computed_lines", "-"))
def test_a_line_with_another_result_is_accused_with_a_proof(problem: str, steps: list[str]) -> None:
    accusing = [item.finding for item in findings(*steps, problem=problem) if item.finding.accuses]
    assert [finding.evidence.checker for finding in accusing] in ([NAME], ["restatement"])
    assert json.loads(accusing[0].proof)["kind"] == "numbers"


@pytest.mark.parametrize("mark", ["\\[", "$$", ".", "Step 3: ", "simplify "])
def test_hostile_lines_end(mark: str) -> None:
    text = "d = 2 + 3 + 4\n" + mark * 20_000 + "\nd = 2 * 3"
    found, _ = examine_script(script=script_of(Trace("", thinking=text)))
    assert not any(item.finding.verdict is Verdict.REFUTED for item in found)
