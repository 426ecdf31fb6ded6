"""What the page of a computer vote says of a finding: its rule in words, both sides named, nothing said twice."""

import pytest

from auditing.checker.examination import examine_graph
from auditing.checker.findings import Finding
from auditing.checker.mathematics.chains import read_page
from auditing.checker.mathematics.tree import latex
from auditing.research.reports.selectors.evidence import arrange, rule_in_words
from hdag.core.values import ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer
from tests.unit.checker.readings import findings
from tests.unit.checker.test_checkers import REFUTED
from tests.unit.checker.test_findings import FALSE, TRUE


def found_in(trace: Trace) -> list[Finding]:
    graph = RulesDecomposer().decompose(trace)
    return [item for found in examine_graph(trace=trace, graph=graph).values() for item in found]


@pytest.mark.parametrize("name", REFUTED)
def test_every_refutation_names_its_rule_in_words(name):
    steps, *problem = REFUTED[name]
    for item in findings(*steps, problem=problem[0] if problem else "A problem."):
        evidence = item.finding.evidence
        assert rule_in_words(checker=evidence.checker, rule=evidence.rule), (evidence.checker, evidence.rule)


def test_every_rule_of_the_readings_is_named_in_words():
    rules = {
        (item.finding.evidence.checker, item.finding.evidence.rule)
        for text, problem in (*FALSE.values(), *TRUE.values())
        for item in findings(text, problem=problem)
    }
    assert {rule for checker, rule in rules if not rule_in_words(checker=checker, rule=rule)} == set()


def test_a_recomputed_call_shows_what_was_recorded():
    calls = (ToolCall("calculator", "3*7", "20"),)
    shown = arrange(finding=found_in(Trace("Compute.", thinking="I call it.", tool_calls=calls))[0])
    assert [(side.title, side.value) for side in shown.sides] == [("Computed now", "21"), ("Recorded", "20")]
    assert not shown.has_formulas


def test_a_label_restated_on_the_next_line_is_found_once():
    found = found_in(Trace("A problem.", thinking="Total cost = 80 + 20\nTotal cost = 110"))
    assert [item.evidence.checker for item in found] == ["restatement"]


def test_a_sentence_is_not_shown_a_second_time_as_a_formula():
    placed = findings("1900 is a leap year.")[0]
    assert arrange(finding=placed.finding).equation == ""


def test_what_a_step_has_just_worked_out_comes_from_somewhere():
    steps = ["He sells 30 * 9 = 270 and keeps 273 - 270 = 3."]
    found = findings(*steps, problem="He has 273 pens in 30 boxes; 9 are broken.")
    assert {item.finding.evidence.checker for item in found} == {"arithmetic"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [("2x = 6", "2 x"), ("(x+1)(x-1) = 3", r"\left(x + 1\right) \left(x - 1\right)"), ("2 * 3 = 6", r"2 \times 3")],
)
def test_a_product_with_a_symbol_is_written_without_a_sign(text, shown):
    tree = read_page(rf"\({text}\)").chains[0].sides[0].tree
    assert tree is not None
    assert latex(tree) == shown
