"""Facts of numbers and announced rewritings: false steps are found, right ones are not, each accusation is proved."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from auditing.research.offline.one_trace import audit_trace
from auditing.verifier.verify_proofs import check_record
from hdag.readers.records import read_record
from tests.unit.checker.readings import is_doubted, is_refuted

VECTORS = Path(__file__).parents[2] / "vectors" / "stated"
FILES = sorted(path.stem for path in VECTORS.glob("*.txt"))


def traces(name: str, sign: str) -> Iterator[tuple[str, list[str]]]:
    problem = "A problem."
    for line in (VECTORS / f"{name}.txt").read_text().splitlines():
        text = line[2:].strip().replace(" | ", "\n")
        if line.startswith("P:"):
            problem = text or "A problem."
        elif line.startswith(sign):
            yield problem, text.split(" // ")


def accusations(record: dict[str, Any]) -> list[dict[str, Any]]:
    evidence = [finding for segment in record["segments"] for finding in segment["evidence"]]
    return [finding for finding in evidence if finding["verdict"] == "refuted" and finding["grade"] == "certain"]


@pytest.mark.parametrize("name", FILES)
def test_right_steps_are_left_alone(name: str) -> None:
    assert not [steps for problem, steps in traces(name, "+ ") if is_refuted(*steps, problem=problem)]


@pytest.mark.parametrize("name", FILES)
def test_false_steps_are_found(name: str) -> None:
    assert not [steps for problem, steps in traces(name, "- ") if not is_refuted(*steps, problem=problem)]


@pytest.mark.parametrize("name", FILES)
def test_false_steps_of_rules_that_nobody_has_counted_are_doubted(name: str) -> None:
    open_steps = [(steps, problem) for problem, steps in traces(name, "? ")]
    assert not [steps for steps, problem in open_steps if not is_doubted(*steps, problem=problem)]
    assert not [steps for steps, problem in open_steps if is_refuted(*steps, problem=problem)]


@pytest.mark.parametrize("name", FILES)
def test_each_accusation_has_a_proof_that_holds(name: str) -> None:
    for problem, steps in traces(name, "- "):
        trace = read_record({"id": "t", "problem": problem, "steps": steps}, where="test")
        record = {"id": "t", **audit_trace(trace=trace)}
        assert all("proof" in finding for finding in accusations(record)), steps
        assert not [reason for _, reason in check_record(record) if reason], steps
