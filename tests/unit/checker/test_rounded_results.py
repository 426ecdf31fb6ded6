"""A rounded result is a result: the vote asks for the operands alone, by whatever sign the result follows."""

from fractions import Fraction

import pytest

from auditing.checker.examination import examine_graph
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.tree import number_text
from auditing.core.routing.computer_tier import vote_on
from auditing.core.values import Choice, Level, Vote
from hdag.core.values import Graph, Segment, Source, Trace
from hdag.decomposers.rules import RulesDecomposer

DOSE = "She is 72 years old, weighs 62 kg and takes 1.3 mg."


def last_operation(thinking: str, problem: str = DOSE) -> Vote:
    trace = Trace(problem, thinking=thinking)
    graph = RulesDecomposer().decompose(trace)
    segment = [item for item in graph.segments if item.level == "operation"][-1]
    found = examine_graph(trace=trace, graph=graph)
    return vote_on(segment=segment, findings=found[segment.id], graph=graph)


@pytest.mark.parametrize("sign", [r"\approx", "≈", "="])
def test_a_rounded_quotient_of_two_derived_numbers_passes(sign):
    vote = last_operation(
        rf"The numerator is $72 \times 62 = 4464$ and the denominator is $72 \times 1.3 = 93.6$. "
        rf"The quotient is $4464 / 93.6 {sign} 47.69$."
    )
    assert vote.choice is Choice.PASS, vote.reason


def test_a_result_rounded_wrongly_fails():
    assert last_operation(r"The quotient is $62 / 1.3 \approx 40.68$.").choice is Choice.FAIL


def test_a_stranger_before_the_sign_is_named_as_a_decimal():
    vote = last_operation(r"So $62 \times 163636.36 \approx 10145454.32$.")
    assert vote.choice is Choice.ABSTAIN
    assert vote.reason == (
        r"Proved: 62 \times 163636.36 \approx 10145454.32. "
        "But 163636.36 stands neither in the problem nor in a premise."
    )


def test_both_sides_of_an_inequality_are_operands():
    text = r"62 \times 1.3 <= 4999"
    segment = Segment("O1", Level.OPERATION, text, Source.THINKING, 0, len(text))
    graph = Graph((Segment("G", Level.GOAL, DOSE, Source.PROBLEM, 0, len(DOSE)), segment), ())
    found = examine_graph(trace=Trace(DOSE, thinking=text), graph=graph)["O1"]
    assert [item.verdict for item in found] == [Verdict.VERIFIED]
    assert vote_on(segment=segment, findings=found, graph=graph).choice is Choice.ABSTAIN


@pytest.mark.parametrize(("top", "bottom", "text"), [(111039, 5, "22207.8"), (-3, 8, "-0.375"), (1, 3, "1/3")])
def test_a_fraction_is_written_as_people_write_it(top, bottom, text):
    assert number_text(Fraction(top, bottom)) == text
