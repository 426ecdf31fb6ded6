"""Decisions about reviewers as a walk of the ledger sees them: cases in order, or refused; nobody is named."""

from collections.abc import Sequence
from typing import Any

import pytest

from auditing.core.conduct import DECISIONS, TIMED, ConductStep
from auditing.core.ledger import leaves
from auditing.verifier import verify_audit
from auditing.verifier.verify_audit import CheckFailedError, check_conduct

CASE, EVIDENCE, OTHER = b"c" * 32, b"e" * 32, b"o" * 32


def step(decision: str, *, case: bytes = CASE, evidence: bytes = EVIDENCE, **more: Any) -> leaves.ConductDecision:
    return leaves.ConductDecision(case=case, decision=ConductStep(decision), evidence=evidence, **more)


def walked(*steps: leaves.ConductDecision) -> str:
    return check_conduct(verify_audit.read_ledger([leaves.encode(leaf=leaf) for leaf in steps]))


def first(decision: ConductStep) -> leaves.ConductDecision:
    points = 40 if decision is ConductStep.SLASHED else None
    return step(decision, until=1_790_000_000 if decision in TIMED else None, points=points)


@pytest.mark.parametrize("decision", DECISIONS)
def test_every_decision_may_open_a_case(decision: ConductStep) -> None:
    assert walked(first(decision)) == "1 cases"


@pytest.mark.parametrize("later", [["appealed"], ["appealed", "stands"], ["appealed", "lifted"]])
def test_a_case_may_be_appealed_and_then_ruled_on(later: Sequence[str]) -> None:
    other = step("warned", case=OTHER)
    assert walked(step("slashed", points=40), other, *map(step, later)) == "2 cases"


LIES = {
    "lifted, and nobody appealed": [step("warned"), step("lifted")],
    "ruled on twice": [step("warned"), step("appealed"), step("stands"), step("lifted")],
    "appealed twice": [step("warned"), step("appealed"), step("appealed")],
    "an appeal of a case that nobody opened": [step("appealed")],
    "decided twice under one name": [step("warned"), step("retrain")],
    "who was cleared appeals": [step("cleared"), step("appealed")],
    "a suspension for ever": [step("suspended")],
    "a warning with an end": [step("warned", until=1_790_000_000)],
    "a slash of nothing": [step("slashed")],
    "a slash that gives": [step("slashed", points=-1)],
    "a warning with a price": [step("warned", points=40)],
    "ruled on other evidence": [step("warned"), step("appealed"), step("stands", evidence=OTHER)],
    "a ruling that takes more": [step("slashed", points=40), step("appealed"), step("stands", points=80)],
}


@pytest.mark.parametrize("lie", LIES)
def test_what_cannot_have_happened_is_refused(lie: str) -> None:
    with pytest.raises(CheckFailedError):
        walked(*LIES[lie])
