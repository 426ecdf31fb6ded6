"""Linear inequalities and fixed orders: what follows, what clashes, and proofs that the single file computes again."""

import copy
import json
from fractions import Fraction
from typing import Any

import pytest

from auditing.checker.findings import Finding
from auditing.checker.proofs.linear import Row, contradiction
from auditing.verifier.verify_proofs import RefusedError, check_finding
from tests.unit.checker.readings import findings, is_doubted, is_refuted

SUM = "We are given x + y = 10 and x > 6."
BIRDS = (
    "The following statements each describe a set of three objects arranged in a fixed order. The statements are "
    "logically consistent.\n- On a branch, there are three birds: an owl, a crow, and a hawk.\n"
    "- The crow is to the left of the owl.\n- The hawk is the rightmost.\nQ: which is correct?"
)


def of_check(name: str, *steps: str, problem: str) -> list[Finding]:
    return [item.finding for item in findings(*steps, problem=problem) if item.finding.evidence.checker == name]


def recheck(finding: Finding, proof: dict[str, Any], problem: str) -> None:
    read = finding.evidence.read
    record = {
        "verdict": finding.verdict.value,
        "proof": proof,
        "details": {},
        "read": read,
        "start": 0,
        "end": len(read),
    }
    check_finding(record, read, f"{problem}\n{read}")


@pytest.mark.parametrize(
    ("problem", "step", "verdict"),
    [
        (SUM, "So y < 4.", "verified"),
        (SUM, "So y > 4.", "refuted"),
        (SUM, "So y >= 4.", "refuted"),
        ("We are given a <= 3, b <= 2a and c <= a + b.", "So c <= 9.", "verified"),
        ("We are given a <= 3, b <= 2a and c <= a + b.", "So c > 9.", "refuted"),
    ],
)
def test_an_inequality_follows_or_clashes_with_a_proof(problem: str, step: str, verdict: str) -> None:
    (finding,) = of_check("entailment", step, problem=problem)
    assert finding.verdict.value == verdict
    recheck(finding, json.loads(finding.proof), problem)


@pytest.mark.parametrize(
    ("problem", "step"),
    [
        (SUM, "So y < 3."),  # may hold, and does not follow
        (SUM, "If y > 4, there is no x."),
        (SUM, "Suppose y > 4."),
        (SUM, "We look at y > 4 by itself."),  # nothing says that it follows
        (f"{SUM} How likely is the event y > 4?", "So y > 4."),
        ("Case 1: x > 6. Case 2: x < 2.", "So x < 5."),
        ("We are given x > 6.", "So z < 4."),
    ],
)
def test_what_neither_follows_nor_clashes_is_left_alone(problem: str, step: str) -> None:
    assert of_check("entailment", step, problem=problem) == []


def test_a_clash_of_inequalities_is_a_doubt_and_fails_nobody() -> None:
    assert is_doubted("So y > 4.", problem=SUM)
    assert not is_refuted("So y > 4.", problem=SUM)


@pytest.mark.parametrize("weights", [["1", "1", "2"], ["-1", "-1", "-1"], ["1", "1"], ["0", "0", "0"]])
def test_other_weights_are_refused(weights: list[str]) -> None:
    (finding,) = of_check("entailment", "So y > 4.", problem=SUM)
    with pytest.raises(RefusedError):
        recheck(finding, json.loads(finding.proof) | {"weights": weights}, SUM)


def test_rows_that_can_all_hold_have_no_certificate() -> None:
    below, above = Row({"x": Fraction(1)}, Fraction(-5)), Row({"x": Fraction(-1)}, Fraction(5))
    assert contradiction(rows=[below, above]) is None
    assert contradiction(rows=[below, Row({"x": Fraction(-1)}, Fraction(5), True)]) == [1, 1]


@pytest.mark.parametrize(
    ("step", "verdict", "another_place"),
    [
        ("From left to right: second is the owl.", "verified", 0),
        ("From left to right: first is the owl.", "refuted", 1),
    ],
)
def test_a_place_in_an_order_is_proved_by_all_orders(step: str, verdict: str, another_place: int) -> None:
    (finding,) = of_check("placings", step, problem=BIRDS)
    proof = json.loads(finding.proof)
    assert finding.verdict.value == verdict
    recheck(finding, proof, BIRDS)
    for name, value in (
        ("claim", ["at", "owl", another_place]),
        ("rules", proof["rules"][:1]),
        ("claim", ["at", "hawk", 2 - another_place]),
    ):
        with pytest.raises(RefusedError):
            recheck(finding, copy.deepcopy(proof) | {name: value}, BIRDS)


SEALED = {
    "version": 1,
    "kind": "order",
    "objects": ["crow", "hawk", "owl"],
    "rules": [["before", "crow", "owl"], ["at", "hawk", 2]],
    "texts": ["crow is to the left of the owl", "hawk is the rightmost"],
    "name": "owl",
    "ordinal": "first",
    "place": 0,
}


def test_a_proof_of_a_place_that_an_older_version_sealed_is_still_computed_again() -> None:
    (finding,) = of_check("placings", "From left to right: first is the owl.", problem=BIRDS)
    recheck(finding, SEALED, BIRDS)
    turned = [["before", "owl", "crow"], ["at", "hawk", 2]]
    for change in ({"rules": turned}, {"rules": [["near", "owl", "crow"]]}, {"name": "hawk"}, {"ordinal": "second"}):
        with pytest.raises(RefusedError):
            recheck(finding, SEALED | change, BIRDS)
