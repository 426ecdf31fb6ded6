"""True rewritings are said to be true, where they hold for every value; what divides by a symbol stays open."""

import pytest

from auditing.checker.examination import examine_graph
from auditing.checker.findings import Verdict
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer


def verdicts(step: str) -> set[Verdict]:
    """What the rewriting checker says of one step."""
    trace = Trace(problem="Work with x and 1, 2, 3, 9.", thinking=step)
    found = examine_graph(trace=trace, graph=RulesDecomposer().decompose(trace))
    return {one.verdict for some in found.values() for one in some if one.evidence.checker == "rewriting"}


@pytest.mark.parametrize(
    "step",
    [
        "Expanding, (x+1)^2 = x^2 + 2x + 1.",
        "We factor x^2 - 9 = (x-3)(x+3).",
        "Then 2(x + 1) - 2 = 2x.",
        "(x+1)^2 = x^2 + 2x + 1",
    ],
)
def test_a_true_rewriting_is_verified(step: str) -> None:
    assert verdicts(step) == {Verdict.VERIFIED}


@pytest.mark.parametrize(
    "step",
    ["We simplify (x^2 - 9)/(x - 3) = x + 3.", "We rewrite x^2 * x^{-1} = x * 1.", "x^2 = 9", "(x+1)^2 = x^2 + x + 1"],
)
def test_what_need_not_hold_for_every_value_stays_open(step: str) -> None:
    assert verdicts(step) == set()


def test_a_false_expansion_is_still_refuted() -> None:
    assert verdicts("Expanding, (x+1)^2 = x^2 + x + 1.") == {Verdict.REFUTED}
