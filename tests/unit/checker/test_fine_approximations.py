"""Four digits of a computation with whole numbers are no rough value, also behind a sign of approximation."""

import pytest

from auditing.checker.examination import examine_graph
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer
from tests.unit.checker.readings import is_refuted

RIGHT = (
    r"\frac{5050}{77} \approx 65.584",
    r"\frac{5050}{77} \approx 65.58",
    r"\frac{5050}{77} \approx 65.60",
    r"\frac{5050}{77} \approx 66.00",
    r"\frac{5050}{77} \approx 65",
    r"\frac{5050}{77} \approx 70",
    r"\frac{22}{7} \approx 3.15",
    r"\sqrt{7} \approx 2.64",
    r"\sqrt{7} \approx 2.6458",
    r"\sin 19^\circ \approx 0.325573",
    r"\frac{1000}{3} \approx 333.30",
    r"2^{10} \approx 1000.00",
    r"100 \text{ miles} \approx 160.93 \text{ km}",
    r"0.33 \cdot 600 \approx 200.25",
    r"\frac{1}{3} \approx 33.33",
)
FALSE = (
    r"\frac{5050}{77} \approx 64.837",
    r"\frac{310^2}{48} \approx 1995.83",
    r"\sqrt{7} \approx 2.6787",
    r"\frac{3 \cdot 1852}{3600} \approx 2.9981",
)


@pytest.mark.parametrize("line", RIGHT)
def test_a_rough_or_right_value_is_left_alone(line: str) -> None:
    assert not is_refuted(f"So ${line}$.")


@pytest.mark.parametrize("line", FALSE)
def test_a_fine_value_that_is_another_one_is_accused_and_proved(line: str) -> None:
    trace = Trace("A problem.", thinking=f"So ${line}$.")
    graph = RulesDecomposer().decompose(trace)
    found = [finding for findings in examine_graph(trace=trace, graph=graph).values() for finding in findings]
    assert any(finding.accuses for finding in found)
