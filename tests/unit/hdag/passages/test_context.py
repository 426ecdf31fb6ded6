"""What a passage rests on, and what is asked of nobody."""

import pytest

from hdag.core.passages import PassagePlan, Why, coarsen, plan_passages, taken_steps
from hdag.core.passages.conclusions import concluding_sentence
from hdag.core.passages.taking import used_lines
from hdag.core.values import Graph, ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

FILLER = "The carriage is painted in a dark shade of green and has {0} windows on its left side and {1} doors behind. "


def block(number: int, text: str = "") -> str:
    """A paragraph that is a passage of its own."""
    return text + "".join(FILLER.format(7 * number + k, 90 + 3 * number + k) for k in range(6))


def planned(thinking: str, answer: str = "", problem: str = "How long does it take?") -> tuple[PassagePlan, Graph]:
    trace = Trace(problem, thinking, answer)
    graph = RulesDecomposer().decompose(trace)
    plan = plan_passages(trace=trace, graph=graph)
    return plan, coarsen(trace=trace, graph=graph, plan=plan)


def whys(plan: PassagePlan) -> list[Why]:
    return [passage.why for passage in plan.passages]


def test_a_symbol_leads_to_the_passage_that_names_it():
    thinking = "\n\n".join(
        (block(1, "Let v be the speed of the carriage. "), block(2), block(3), block(4, "It takes 3/v. "))
    )
    plan, coarse = planned(thinking)
    named = next(p.id for p in plan.passages if "Let v" in p.text)
    using = next(p.id for p in plan.passages if "3/v" in p.text)
    assert named in coarse.premises()[using]


def test_a_passage_that_begins_with_so_rests_on_the_one_before():
    plan, coarse = planned("\n\n".join((block(1), block(2), block(3, "So the train is late. "), block(4))))
    ids = [passage.id for passage in plan.asked]
    after = next(p.id for p in plan.passages if p.text.startswith("So the train"))
    assert ids[ids.index(after) - 1] in coarse.premises()[after]


def test_the_conclusion_rests_on_every_asked_passage_directly_or_not():
    plan, coarse = planned("\n\n".join(block(n) for n in range(1, 6)), "It takes 12 hours by the carriage, all in all.")
    premises, below, todo = coarse.premises(), {"A1"}, ["A1"]
    while todo:
        fresh = set(premises[todo.pop()]) - below
        below |= fresh
        todo += fresh
    assert {passage.id for passage in plan.asked} <= below


def test_a_step_that_uses_a_name_from_a_tool_rests_on_the_call():
    call = ToolCall("search", "capital of Burkina Faso", "The capital is Ouagadougou, on the plateau.")
    trace = Trace(
        "Which city?", "I look it up. The city must then be Ouagadougou. So we are done with it.", "", (), (call,)
    )
    graph = RulesDecomposer().decompose(trace)
    content = {segment.id: segment.content for segment in graph.segments}
    users = [content[key] for key, bases in graph.premises().items() if any("search(" in content[b] for b in bases)]
    assert users == ["The city must then be Ouagadougou."]


def test_an_abandoned_branch_is_asked_once():
    tried = block(2, "Maybe a parabola fits the data. ") + "\n\n" + block(3)
    thinking = "\n\n".join((block(1), tried, "That doesn't work for the doors. " + block(4), block(5)))
    plan, _ = planned(thinking)
    given_up = [passage.id for passage in plan.passages if passage.why is Why.ABANDONED_BRANCH]
    assert given_up
    assert [passage.carries for passage in plan.asked if passage.carries] == [tuple(given_up)]


NOTHING = {
    "## A heading\n\n": Why.HEADING,
    "---\n\n": Why.SEPARATOR,
    "<think>\n\n": Why.PROMPT,
    "How long does it take in all, from the first station to the last one of the line?\n\n": Why.RESTATED_PROBLEM,
}


@pytest.mark.parametrize("opening", NOTHING)
def test_what_claims_nothing_is_set_apart_with_its_reason(opening):
    problem = "How long does it take in all, from the first station to the last one of the line?"
    plan, _ = planned(opening + "\n\n".join(block(n) for n in range(1, 4)), problem=problem)
    assert (plan.passages[0].why, plan.passages[0].text) == (NOTHING[opening], opening.strip())


def test_a_verbatim_repeat_is_asked_once():
    plan, _ = planned("\n\n".join((block(1), block(2), block(1))))
    assert Why.REPEAT in whys(plan)


def test_meta_talk_names_and_questions_are_carried_and_cannot_be_named_wrong():
    talk = "Wait, let me check that again. Let w be the width of it. Is that right? "
    plan, _ = planned(block(1) + "\n\n" + talk + block(2))
    carrying = next(passage for passage in plan.passages if "Wait" in passage.text)
    assert carrying.asked
    assert len(carrying.marks) < len(carrying.segments)


SENTENCES = {
    "We add both numbers. So the sum is 12. Let me check it.": "So the sum is 12.",
    "First we look. The train leaves Fig. 3 at noon.": "The train leaves Fig. 3 at noon.",
    "我们先算总数。所以答案是四十二个苹果和二十一个梨子。": "所以答案是四十二个苹果和二十一个梨子。",
}


@pytest.mark.parametrize("text", SENTENCES)
def test_a_summary_is_a_sentence_of_the_text(text):
    assert concluding_sentence(text=text) == SENTENCES[text]


def test_a_long_summary_ends_at_a_word_and_outside_of_formulas():
    text = "So we have " + "many words and " * 12 + "$x + " + "y + " * 40 + "z = 3$."
    assert concluding_sentence(text=text).endswith("words and…")


def test_what_a_passage_takes_are_steps_of_others_that_name_its_symbols_or_that_it_rests_on():
    thinking = "\n\n".join(
        (
            block(1, "Let v be the speed of the carriage. "),
            block(2, "The way is 61 * 7 = 427 miles. "),
            block(3),
            block(4, "With v = 2 it takes 427 / 2 = 213.5 hours. "),
        )
    )
    trace = Trace("How long does it take?", thinking)
    graph = RulesDecomposer().decompose(trace)
    plan = plan_passages(trace=trace, graph=graph)
    using = next(p for p in plan.passages if "427 / 2" in p.text)
    taken = [thinking[step.start : step.end] for step in taken_steps(graph=graph, plan=plan)[using.id]]
    assert "Let v be the speed of the carriage." in taken
    content = {segment.id: segment.content for segment in graph.segments}
    steps = {label for passage in plan.passages if passage is not using for label in passage.segments}
    needed = {content[base] for label in using.segments for base in graph.premises()[label] if base in steps}
    assert needed
    assert needed <= set(taken)
    assert sum(map(len, taken)) < len(block(1))


CITIES = "\n".join(f"{name}ville | {1_200 + 37 * number}" for number, name in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def test_of_a_long_record_a_passage_takes_the_lines_with_its_values() -> None:
    steps = [
        f"exitcode: 0 (execution succeeded)\nCode output:\ncity | cases\n{CITIES}",
        "Kville had 1570 cases, so it has the most of those that are asked about.",
        *(block(number) for number in range(1, 4)),
    ]
    trace = read_record({"problem": "Which city?", "steps": steps}, where="r")
    graph = RulesDecomposer().decompose(trace)
    plan = plan_passages(trace=trace, graph=graph)
    using = next(p for p in plan.passages if "Kville had" in p.text)
    taken = [trace.thinking[s.start : s.end] for s in taken_steps(graph=graph, plan=plan)[using.id]]
    assert any("Kville | 1570" in text for text in taken)
    assert sum(map(len, taken)) < len(CITIES) / 2


@pytest.mark.parametrize(
    ("text", "user", "taken"),
    [
        (
            "So x = 4 holds here. It rains in the far north.",
            "With x = 4.",
            ["So x = 4 holds here. It rains in the far north."],
        ),  # short: all of it
        (2 * CITIES, "Nothing in common here.", [2 * CITIES]),  # nothing tells which line: all of it
        (CITIES, "Bville and Cville: 1237 + 1274.", ["Bville | 1237\nCville | 1274"]),
    ],
)
def test_the_lines_taken_share_values_or_words_with_the_step_that_takes_them(
    text: str, user: str, taken: list[str]
) -> None:
    assert [span.slice(text) for span in used_lines(text=text, user=user)] == taken


OPTIONS = [block(n, f"Option {letter}: this carriage would do. ") for n, letter in ((2, "A"), (3, "B"), (4, "C"))]


@pytest.mark.parametrize("question", ["Which carriage is the right one?", block(1) + "Which carriage is it?"])
def test_options_rest_on_the_question_that_they_answer_asked_or_not(question: str):
    plan, coarse = planned("\n\n".join((question, *OPTIONS)))
    asking = next(p.id for p in plan.passages if "Which carriage" in p.text)
    options = [p.id for p in plan.passages if "Option" in p.text and p.id != asking]
    assert len(options) >= 2
    assert all(asking in coarse.premises()[key] for key in options)


def test_a_paragraph_that_is_no_option_does_not_rest_on_a_question():
    plan, coarse = planned("\n\n".join(("Which carriage is the right one?", block(2), block(3))))
    asking = next(p.id for p in plan.passages if "Which carriage" in p.text)
    assert not [key for key, bases in coarse.premises().items() if asking in bases]
