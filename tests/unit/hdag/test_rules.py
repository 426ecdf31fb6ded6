"""What the rules say about dependence, discourse, depth and difficulty."""

import pytest

from hdag.core.complexity import assess
from hdag.core.errors import DecompositionRefusedError
from hdag.core.levels import Complexity, Level, Tier
from hdag.core.relations import Relation
from hdag.core.spans import Span
from hdag.core.values import Graph, Segment, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.decomposers.rules.domains import find_domain
from hdag.decomposers.rules.units import split_units
from hdag.readers.records import read_record


def decompose(steps: list[str], problem: str = "How much is it?") -> Graph:
    return RulesDecomposer().decompose(read_record({"problem": problem, "steps": steps}, where="r"))


def step(graph: Graph, index: int) -> Segment:
    return next(segment for segment in graph.segments if segment.step == index)


def premises(graph: Graph, index: int) -> set[int]:
    by_id = {segment.id: segment for segment in graph.segments}
    found = {by_id[key].step for key in graph.premises()[step(graph, index).id]}
    return {number for number in found if number is not None and number != index}


def test_a_value_is_traced_to_the_step_that_computed_it():
    graph = decompose(
        ["Bread: 40 * 27 = 1080.", "Cakes: 6 * 12 = 72.", "Rent costs 15.", "The sum is 1080 + 72 = 1152."]
    )
    assert {0, 1} <= premises(graph, 3)


def test_an_explicit_reference_is_a_premise():
    steps = [
        "Step 1: Let a be red.",
        "Step 2: Then b is blue.",
        "Step 3: Also c is green.",
        "Step 4: By step 1, d follows.",
    ]
    assert 0 in premises(decompose(steps), 3)


def test_a_conclusion_of_plain_statements_rests_on_those_whose_words_it_joins():
    steps = ["a melting point is a temperature", "a thermometer is used to measure temperature"]
    graph = decompose([*steps, "a thermometer can measure a melting point"])
    assert [premises(graph, index) for index in range(3)] == [set(), set(), {0, 1}]


def test_a_retraction_contradicts_what_it_takes_back():
    graph = decompose(["So 3 * 17 = 41.", "Wait, that is wrong: 3 * 17 = 51.", "The answer is 51."])
    pairs = [(edge.source, edge.target) for edge in graph.edges if edge.relation is Relation.CONTRADICTS]
    assert pairs == [(step(graph, 1).id, step(graph, 0).id)]


def test_a_one_line_sum_needs_goal_and_operation_only():
    graph = RulesDecomposer().decompose(Trace(problem="2 + 3?", thinking="2 + 3 = 5"))
    assert [segment.level for segment in graph.segments] == [Level.GOAL, Level.OPERATION]


def test_input_steps_stay_the_boundaries_of_segments():
    text = "First we look. Then 1 + 1 = 2.\n\nAnd so on."
    graph = decompose([text, "It is 2."])
    assert step(graph, 0).content == text


@pytest.mark.parametrize("text", ["- 1+1=2\n" * 13_000, "Then y = 4.\n\n" * 13_000])
def test_a_trace_with_too_many_sentences_is_refused_by_name(text):
    with pytest.raises(DecompositionRefusedError, match=r"13000 sentences, the limit is 12000"):
        RulesDecomposer().decompose(Trace(problem="p", thinking=text))


def test_the_domain_is_named_or_told_by_its_signs():
    assert find_domain(named="legal", problem="", thinking="") == "law"
    assert find_domain(named="", problem="The defendant owed the plaintiff a duty.", thinking="") == "law"
    assert find_domain(named="", problem="Two apples and two pears?", thinking="") == "arithmetic"


def test_tiers_follow_the_printed_criteria():
    calculation = assess(content="6 * 12 = 72", level=Level.OPERATION, checkable=1.0)
    prose = assess(content="Revenue is what a shop takes in.", level=Level.STEP)
    ethics = assess(content="Is it ethical to withhold consent?", level=Level.STEP)
    assert [found.primary for found in (calculation, prose, ethics)] == [Tier.COMPUTER, Tier.LLM, Tier.HUMAN]
    assert assess(content="Find D.", level=Level.GOAL).primary is Tier.HUMAN


def test_more_premises_symbols_and_hedges_never_make_a_segment_easier():
    grades = list(Complexity)
    easy = assess(content="So x = 2.", level=Level.STEP)
    hard = assess(content="So perhaps x = y + z = 2 maybe." + " word" * 80, level=Level.STEP, premises=5, depth=9)
    assert grades.index(hard.complexity) > grades.index(easy.complexity)
    assert set(hard.features) == set(easy.features)


def test_a_stretch_too_long_for_a_sentence_is_said_to_be_unread():
    one_line = Trace(problem="p", thinking=", ".join(f"{n} + 1 = {n + 1}" for n in range(2_000)))
    assert "its equations were not looked for" in RulesDecomposer().decompose(one_line).report[0]
    assert RulesDecomposer().decompose(Trace(problem="p", thinking="2 + 1 = 3, so 3.")).report == ()


def test_what_closes_a_formula_begins_no_unit() -> None:
    text = "We have\n\\begin{align*}\nx &= 14.\n\\end{align*}\nSo it goes on \\[ y = 5. \\] Then it ends here."
    units = [unit.span.slice(text) for unit in split_units(text=text, within=Span(0, len(text)))]
    assert units == [text[: text.index(" Then")], "Then it ends here."]
