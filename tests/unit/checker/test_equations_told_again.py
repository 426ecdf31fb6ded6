"""An equation that is the one before with its terms moved or both sides multiplied is told as such, with its proof."""

import json

import pytest

from auditing.checker.findings import Verdict
from auditing.research.offline.one_trace import audit_trace
from auditing.verifier.verify_proofs import check_record
from hdag.readers.records import read_record
from tests.unit.checker.readings import findings

SOLVED = ["We have 2h + 4(48 - h) = 140.", "2h + 192 - 4h = 140", "So -2h = -52.", "h = 26"]
AGAIN = {
    "terms moved": ["3x + 7 = 22", "3x = 15"],
    "divided": ["6x^2 = 29400", "Dividing by 6: x^2 = 4900"],
    "a value": ["9t = 36", "t = 4"],
    "a fraction": ["6c = 5", "c = 5/6"],
    "sides changed": ["x + y = 12", "12 - y = x"],
}
FOLLOWS = {
    "one put into another": ["2h + 4c = 140", "c = 48 - h", "So 2h + 4(48 - h) = 140."],
    "added": ["x + y = 30", "x - y = 8", "2x = 38"],
    "a value of a system": ["x + y = 30", "x - y = 8", "x = 19"],
}
NOT_AGAIN = {
    "another number": ["3x + 7 = 22", "3x = 16"],
    "one of two solutions": ["x^2 = 4900", "x = 70"],
    "no sum of them": ["x + y = 30", "x - y = 8", "2x = 39"],
    "both sides multiplied by a symbol": ["x = 1/x + 3", "x^2 = 3x + 1"],
    "both sides multiplied by a symbol, whose value stands there": ["17x = 17/x + 7", "17x^2 = 17 + 7x"],
    "equations that contradict each other": ["C/3 = 8", "C/3 = 7", "C/3 = 9"],
    "a number that nobody wrote": ["x + y = 5", "x - y = 1", "11x + 3y = 39"],
    "another symbol": ["3x = 15", "y = 5"],
    "the same words": ["3x = 15", "3x = 15"],
    "a rounded value": ["3x = 10", "x = 3.33"],
    "modulo": ["3x = 15 (mod 7)", "x = 5 (mod 7)"],
    "a part of something": ["3x = 15", "half of x = 5"],
}


def told_again(*steps: str, rule: str = "the same equation") -> list[str]:
    return [
        placed.finding.evidence.sentence
        for placed in findings(*steps)
        if placed.finding.evidence.rule == rule and placed.finding.verdict is Verdict.VERIFIED
    ]


@pytest.mark.parametrize("steps", AGAIN.values(), ids=AGAIN)
def test_it_is_told_that_an_equation_is_the_one_before(steps: list[str]) -> None:
    assert len(told_again(*steps)) == 1


@pytest.mark.parametrize("steps", FOLLOWS.values(), ids=FOLLOWS)
def test_it_is_told_from_which_equations_another_one_follows(steps: list[str]) -> None:
    assert len(told_again(*steps, rule="follows from some")) == 1
    trace = read_record({"id": "t", "problem": "Find them.", "steps": steps}, where="test")
    record = json.loads(json.dumps({"id": "t", **audit_trace(trace=trace)}))
    assert {reason for _, reason in check_record(record)} == {""}


@pytest.mark.parametrize("steps", NOT_AGAIN.values(), ids=NOT_AGAIN)
def test_nothing_else_is_called_the_same(steps: list[str]) -> None:
    assert told_again(*steps) == told_again(*steps, rule="follows from some") == []


def test_every_line_of_a_solution_is_told_with_a_proof_that_the_file_re_checks() -> None:
    trace = read_record({"id": "t", "problem": "Find h.", "steps": SOLVED}, where="test")
    record = json.loads(json.dumps({"id": "t", **audit_trace(trace=trace)}))
    assert len(told_again(*SOLVED)) == len(SOLVED) - 1
    reasons = [reason for _, reason in check_record(record)]
    assert len(reasons) >= len(SOLVED) - 1
    assert set(reasons) == {""}


def test_it_passes_no_segment() -> None:
    trace = read_record({"id": "t", "problem": "Find h.", "steps": SOLVED}, where="test")
    segments = audit_trace(trace=trace)["segments"]
    assert {segment["vote"] for segment in segments if segment["level"] == "step"} == {"abstain"}
