"""Each checker of the table: what it refutes, what it leaves alone."""

import pytest

from auditing.checker.examination import decide_all, examine_graph
from auditing.checker.findings import Verdict
from auditing.checker.registry import CHECKERS
from auditing.core.routing.computer_tier import vote_on
from auditing.core.values import Choice
from hdag.core.values import Graph, Level, Segment, Source, ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified

REFUTED = {
    "a value that does not solve its equation": (["We have 20 - 3x = 12.", "Solving for x, we get x = 2."],),
    "a system solved wrongly": ([r"\(A + B = 7\) and \(2A - 2B = -2\).", r"Adding the equations gives \(4B = 9\)."],),
    "another equation put in": (
        [r"\(S = 2B\)", r"We write another equation: \((S + 2) + (B + 2) = 28\)", r"So \(2B + 4 + B + 2 = 28\)."],
    ),
    "a lost sign": ([r"\(y - v = -7\)", r"So \(v - y = -7\)."],),
    "a wrong expansion": ([r"Expanding, \((x+1)^2 = x^2 + 2x + 2\)."],),
    "a product that loses factors": ([r"The area is \(A = (5ac)(6ab) = 30abc\)."],),
    "a substitution": (["A = 12.", "B = 4.", "Then A - B = 12 - 4 = 8, so A + B = 12 + 4 = 17."],),
    "a function at a point": ([r"Let \(f(x) = x^2 + 1\).", r"Then \(f(3) = 11\)."],),
    "a total stated twice": (["Total cost = 80 + 20\nTotal cost = 110"],),
    "divisibility": (["24,516 is not divisible by 4."],),
    "a composite called prime": (["Note that 91 is a prime number."],),
    "a derivative": ([r"\(\frac{d}{dx}(x^3) = 2x^2\)"],),
    "an antiderivative": ([r"\(\int x^2 dx = x^3 + C\)"],),
    "a leap year": (["1900 is a leap year."],),
    "a weekday": (["March 3, 2024 is a Monday."],),
    "a conversion": (["2 hours = 90 minutes."],),
    "a misquotation": (
        ['The problem says "Ann buys 40 red apples at the market".'],
        "Ann buys 14 red apples at the market.",
    ),
    "a bracket stack": (["stack: empty", "( ; stack: (", "[ ; stack: ( [", ") ; stack: ["], "( [ )"),
    "a swap": (["At the start: Ann: red, Bob: blue.", "Ann and Bob swap balls: Ann: red, Bob: blue."],),
    "an order of words": (['Hence "pear" < "apple".'],),
    "a Python prompt": ([">>> 2 ** 5 + 1\n32"],),
}
LEFT_ALONE = {
    "two roots": ([r"\(x^2 - 5x + 6 = 0\)", r"So \(x = 2\) or \(x = 3\)."],),
    "two branches": ([r"\(x = 2\) and \(x = 5\) are the roots.", r"For \(x = 5\) we get \(y = 1\)."],),
    "a case": ([r"Let \(x + y = 5\).", r"If \(x = 1\), then \(y = 4\). If \(x = 2\), then \(y = 3\)."],),
    "an equation to be solved": ([r"We simplify the equation: \(x^2 + 2x = 3x + 6\)."],),
    "a constraint used": ([r"Given \(x + y = 3\).", r"\(x^2 + y^2 = (x+y)^2 - 2xy = 9 - 2xy\)"],),
    "an approximation": ([r"\(x = \frac{2}{3} = 0.67\), so \(3x = 2\)."],),
    "a derivative set to zero": ([r"Let \(f(x) = x^2 - 4x\). Setting \(f'(x) = 0\) we find the vertex."],),
    "a rate in short": (["He drives 5 miles = 10 minutes."],),
    "modular arithmetic": ([r"\(8 + 8 = 6\) modulo 10."],),
    "another year": (["2024 is a leap year."],),
}


DOUBTED = {
    "another number of the same things": (["18 apples * 3 = 54"], "Ann picks 21 apples and sells each for 3 dollars."),
    "a copied quantity": (
        ["Ann buys some books and sells 13 of them to the library."],
        # half of them
        "Ann buys some books and sells 26 of them to the library.",
    ),
    "a given with another number": (
        ["On the second day Bob runs 60 percent of the marked forest miles."],
        "On the first day he runs 20 miles, and later 50 percent of the marked forest miles are run.",
    ),
}


@pytest.mark.parametrize("name", DOUBTED)
def test_a_doubt_is_told_and_fails_nobody(name):
    steps, problem = DOUBTED[name]
    assert is_doubted(*steps, problem=problem)
    assert not is_refuted(*steps, problem=problem)


@pytest.mark.parametrize("name", REFUTED)
def test_an_error_of_this_kind_is_refuted(name):
    steps, *problem = REFUTED[name]
    assert is_refuted(*steps, problem=(problem or ["A problem."])[0])


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_a_right_text_of_this_kind_is_never_refuted(name):
    assert not is_refuted(*LEFT_ALONE[name][0])


def test_every_finding_says_one_sentence_and_shows_its_formula():
    found = findings("3 + 4 = 8", r"\(x = 2\)", r"\(x + 1 = 4\)")
    assert found
    assert all(item.finding.evidence.sentence.endswith(".") for item in found)
    assert all("evidence_latex" in item.finding.evidence.details for item in found)


def test_the_table_names_each_checker_once():
    assert len({checker.name for checker in CHECKERS}) == len(CHECKERS)


def test_a_number_from_nowhere_is_evidence_and_no_vote():
    found = findings("77 * 2 = 154", problem="Ann has 3 eggs.")
    assert {item.finding.evidence.rule for item in found if item.finding.verdict is Verdict.NOT_APPLICABLE} == {
        "number from nowhere"
    }
    assert is_verified("77 * 2 = 154", problem="Ann has 3 eggs.")


def choices_of(trace: Trace) -> dict[str, Choice]:
    graph = RulesDecomposer().decompose(trace)
    found = examine_graph(trace=trace, graph=graph)
    return {
        item.source.value: vote_on(segment=item, findings=found[item.id], graph=graph).choice for item in graph.segments
    }


def test_a_recorded_calculator_call_is_recomputed():
    call = ToolCall("calculator", "3 * 7", "20")
    trace = Trace("How much is 3 * 7?", thinking="I use a tool.", answer="20", tool_calls=(call,))
    assert choices_of(trace)["tool_call"] is Choice.FAIL


def test_an_answer_that_differs_from_the_result_fails():
    trace = Trace("How much?", thinking="We add. The answer is 12.", answer="14")
    assert choices_of(trace)["answer"] is Choice.FAIL


def test_an_answer_that_differs_from_the_last_result_is_doubted():
    trace = Trace("How much is left of 45 and 35?", thinking="45 - 35 = 10.", answer="12")
    (answer,) = (
        found
        for found in decide_all(trace=trace, graph=RulesDecomposer().decompose(trace)).values()
        if any(finding.doubts for finding in found.findings)
    )
    assert answer.verdict is Verdict.NOT_APPLICABLE
    assert answer.reason == "It may be false: The last result of the thinking is 10; the answer says 12."


@pytest.mark.parametrize("unit", ["mL/min", "mL/sec", "mL/minute", "mL per minute"])
def test_a_result_in_a_rate_is_read(unit):
    assert is_refuted(f"39.7 * 0.85 = 31.2 {unit}")
    assert is_verified(f"39.7 * 0.85 = 33.7 {unit}")


def test_what_holds_is_told_beside_what_is_open():
    trace = Trace("Ann has 485 and 270.", thinking="Then 485 + 270 - 99 - 523 + 75 = 208 are left.")
    reasons = [found.reason for found in decide_all(trace=trace, graph=RulesDecomposer().decompose(trace)).values()]
    assert any(reason.startswith("Proved: 485 + 270 - 99 - 523 + 75 = 208.") for reason in reasons)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("So 3 + 4 = 7, and 7 * 4 = 28.", Verdict.VERIFIED),
        ("So 3 + 4 = 7, and 9 * 4 = 36.", Verdict.NOT_APPLICABLE),
        ("So 3 + 4 = 7, and Bob pays.", Verdict.NOT_APPLICABLE),
    ],
)
def test_a_step_that_is_nothing_but_equations_over_known_values_is_passed(text, verdict):
    segments = (
        Segment("G1", Level.GOAL, "There are 3 and 4.", Source.PROBLEM, 0, 18),
        Segment("ST1", Level.STEP, text, Source.THINKING, 0, len(text)),
    )
    decisions = decide_all(trace=Trace("There are 3 and 4.", thinking=text), graph=Graph(segments, ()))
    assert decisions["ST1"].verdict is verdict


def test_a_trace_without_mathematics_is_left_to_others():
    trace = Trace("Why?", thinking="Because it rains.", answer="Rain.")
    assert set(choices_of(trace).values()) == {Choice.ABSTAIN}
