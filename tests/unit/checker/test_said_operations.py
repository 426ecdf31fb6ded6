"""Algebra told in words: what right lines say is verified or left alone, what false ones say is proved to be false."""

import json

import pytest

from auditing.checker.checks.said import judging, operations
from auditing.checker.checks.said.marked import marked, side_of
from auditing.checker.findings import Verdict
from auditing.verifier.verify_proofs import check_finding
from tests.unit.checker.readings import findings, is_doubted, is_refuted, stated

CHECKS = ("said operations", "said identities")


@pytest.mark.parametrize("sign", ["+ ", "! "])
def test_right_lines_are_not_even_doubted(sign: str) -> None:
    assert not [steps for problem, steps in stated("said_operations", sign) if is_doubted(*steps, problem=problem)]
    assert not [steps for problem, steps in stated("said_operations", sign) if is_refuted(*steps, problem=problem)]


def test_what_words_make_of_expressions_is_verified() -> None:
    for problem, steps in stated("said_operations", "! "):
        told = [item.finding for item in findings(*steps, problem=problem) if item.finding.evidence.checker in CHECKS]
        assert {finding.verdict for finding in told} == {Verdict.VERIFIED}, steps


def test_the_file_of_strangers_accepts_what_is_doubted_of_operations() -> None:
    refuted = 0
    for problem, steps in stated("said_operations", "? "):
        for placed in findings(*steps, problem=problem):
            finding, text = placed.finding, " ".join(steps)
            if finding.evidence.checker not in CHECKS:
                continue
            evidence, refuted = finding.evidence, refuted + 1
            record = {
                "verdict": finding.verdict.value,
                "read": evidence.read,
                "details": evidence.details,
                "start": placed.start,
                "end": placed.end,
                "proof": json.loads(finding.proof),
            }
            check_finding(record, text, text)
    assert refuted > 80


def test_no_form_is_looked_for_by_a_mark() -> None:
    assert not [cue.pattern for cue in operations.ALL if not cue.needs or "\ue000" in cue.needs]


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("the derivative of x^3 + 2x is 3x^2", ["x^3 + 2x", "3x^2"]),
        ("(with respect to x) it is 2x.", ["x", "2x"]),
        ("- 3x + 2 is a (x+1) product", ["3x + 2", "(x+1)"]),
        (r"from \(x + 1,\) and \[2y.\]", ["x + 1", "2y"]),
        ("we add xy and the total of it", []),
        ("\ue000 half of $x$", []),
    ],
)
def test_formulas_in_words_are_marked_as_a_whole(text: str, formulas: list[str]) -> None:
    assert list(marked(text).inner.values()) == formulas


def test_marks_keep_every_place() -> None:
    text = r"the sum of $3x$ and \(4x\) is 7x"
    page = marked(text)
    assert len(page.text) == len(text)
    assert all(text[at:].lstrip("$\\(").startswith(inner) for at, inner in page.inner.items())


@pytest.mark.parametrize("formula", ["2x = 3", "2x and 3", "1/2x", r"2n \choose n", "x, y"])
def test_a_formula_with_two_readings_or_a_relation_is_no_operand(formula: str) -> None:
    assert side_of(formula) is None


@pytest.mark.parametrize(
    ("head", "is_part"),
    [
        ("So the ", False),
        ("3 less than the ", True),
        ("the geometric ", True),
        ("z * ", True),
        ("We see that the ", False),
    ],
)
def test_what_belongs_to_something_longer_is_a_part(head: str, is_part: bool) -> None:
    assert judging.is_a_part(head) is is_part
