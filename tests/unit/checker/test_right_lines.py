"""Right texts: the lines that we keep of many kinds, and the printed examples of the paper. None is ever refuted."""

import csv
from pathlib import Path

import pytest

from auditing.checker.examination import decide_all
from auditing.checker.findings import Verdict
from hdag.core.values import ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer

VECTORS = Path(__file__).parents[2] / "vectors" / "checker"
# TRUST, appendix: the example of a human audit (ground truth: pass)
MARTHA = (
    "Martha needs 4 cups of berries and 2 cups of heavy cream to make 1 quart of ice cream. She wants to make 1 quart "
    "of strawberry ice cream and 1 quart of raspberry ice cream."
)
MARTHA_STEP = (
    "For 1 quart of ice cream, she needs 4 cups of berries and 2 cups of heavy cream. For both ice creams combined, "
    "she needs 8 cups of berries and 4 cups of heavy cream."
)
MARIE = (
    "Hmm, 130 times 8 is 1040 because 130 * 8 = 1040. Wait, let me double-check. Revenue from bread: 40 * 2 = 80. "
    "Revenue from cakes: 6 * 12 = 72. Total revenue: 80 + 72 = 152. Expenses: 20 + 2 = 22. 1040 / 130 = 8."
)
TUNNEL = (
    "Given total days = 185. So (1.027777...)/D = 185 => D = 1.027777... / 185 = approx 0.005555... Wait compute: "
    "1.0277777778 /185 = \n0.005555556... Indeed 0.0055556 per day. (2/3)/0.96 = (2/3)*(1/0.96) = "
    "(2/3)*(1.0416667)=0.694444... Add 1/3 =0.333333 +0.694444 =1.0277778. So s \n=1.0277778/185 = approx 0.0055556. "
    "Full tunnel time =1/s =185/1.0277778 =180."
)


def refutations(trace: Trace) -> list[str]:
    decisions = decide_all(trace=trace, graph=RulesDecomposer().decompose(trace))
    return [decision.reason for decision in decisions.values() if decision.verdict is Verdict.REFUTED]


def right_lines() -> list[tuple[str, str, str]]:
    with (VECTORS / "right_lines.tsv").open(encoding="utf-8") as lines:
        return [(row[0], row[1].replace("\\n", "\n"), row[2]) for row in csv.reader(lines, "excel-tab", quoting=3)]


LINES = right_lines()


@pytest.mark.parametrize("kind", sorted({kind for kind, _, _ in LINES}))
def test_no_right_line_of_this_kind_is_refuted(kind):
    refuted = [
        text
        for name, text, problem in LINES
        if name == kind and refutations(Trace(problem or "A problem.", thinking=text))
    ]
    assert refuted == []


@pytest.mark.parametrize(
    ("problem", "thinking"),
    [(MARTHA, MARTHA_STEP), ("The register costs $1040.", MARIE), ("A tunnel took 185 days.", TUNNEL)],
)
def test_no_printed_example_of_the_paper_is_refuted(problem, thinking):
    assert refutations(Trace(problem, thinking=thinking)) == []


@pytest.mark.parametrize(
    ("arguments", "output"), [("0.1+0.2", "0.30000000000000004"), ("69*58/(72*1.4)", "39.702380952380956")]
)
def test_what_python_prints_is_not_refuted(arguments, output):
    call = ToolCall("calculator", arguments, output)
    assert refutations(Trace("How much?", thinking="I use a tool.", answer=output, tool_calls=(call,))) == []
