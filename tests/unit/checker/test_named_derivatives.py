"""Derivatives of what a text names, and antiderivatives at the end of a chain: right ones stand, false ones do not."""

import json

import pytest

from auditing.checker.examination import examine_script
from auditing.checker.findings import Verdict
from auditing.checker.reading.passages import script_of
from hdag.core.values import Trace
from tests.unit.checker.readings import findings, is_doubted, is_refuted, stated


@pytest.mark.parametrize(("problem", "steps"), stated("named_derivatives", "+"))
def test_a_right_line_is_not_even_doubted(problem: str, steps: list[str]) -> None:
    assert not is_refuted(*steps, problem=problem)
    assert not is_doubted(*steps, problem=problem)


@pytest.mark.parametrize(("problem", "steps"), stated("named_derivatives", "-"))
def test_a_false_derivative_is_accused_with_a_proof(problem: str, steps: list[str]) -> None:
    accusing = [item.finding for item in findings(*steps, problem=problem) if item.finding.accuses]
    assert {finding.evidence.checker for finding in accusing} == {"calculus"}
    assert all(json.loads(finding.proof)["kind"] == "derivative" for finding in accusing)


@pytest.mark.parametrize("mark", [r"\int x = ", "=", "dx", "' "])
def test_hostile_lines_end(mark: str) -> None:
    text = r"The derivative: y = x^2, \int x dx = " + mark * (20_000 // len(mark))
    found, _ = examine_script(script=script_of(Trace("", thinking=text)))
    assert not any(item.finding.verdict is Verdict.REFUTED for item in found)
