"""A log of thoughts, actions and observations in one text is split as other logs are; prose with its words is not."""

import time

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.invariants import find_violations
from hdag.core.values import ToolCall
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers import detect, read_any
from hdag.readers.records import DEFAULT_LIMITS, Limits

NUMBERED = (
    "Question: How tall are the two towers together?\n"
    "Thought 1: I look up the first.\nAction 1: Search[Eiffel tower]\n"
    "Observation 1: It is 330 m.\n\nIt stands in Paris.\n"
    "Thought 2: Now the second.\nAction 2: Search[Tokyo tower]\nObservation 2: 333 m\n"
    "Thought 3: 330 + 333 = 663.\nAction 3: Finish[663 m]"
)
LANGCHAIN = (
    " I should multiply.\nAction: Calculator\nAction Input: 6*7\nObservation: 42\nThought: I now know it.\n"
    "Final Answer: It is 42.\n\nThat is all."
)
BLOB = 'Thought: search.\nAction:\n```json\n{"action": "search", "action_input": {"q": "hens"}}\n```\nObservation: 12\n'


def the_trace(value):
    (trace,) = read_any(value, where="line 1")
    assert find_violations(trace=trace, graph=RulesDecomposer().decompose(trace)) == ()
    return trace


def test_numbered_turns_become_steps_calls_and_the_answer():
    trace = the_trace(NUMBERED)
    assert trace.problem == "How tall are the two towers together?"
    assert trace.thinking == "I look up the first.\n\nNow the second.\n\n330 + 333 = 663."
    assert trace.tool_calls == (
        ToolCall("Search", "Eiffel tower", "It is 330 m.\n\nIt stands in Paris.", 0),
        ToolCall("Search", "Tokyo tower", "333 m", 1),
    )
    assert trace.answer == "663 m"


def test_a_completion_that_begins_within_its_first_thought_is_a_log():
    trace = the_trace({"input": "6*7?", "output": LANGCHAIN, "model": "m", "id": 4})
    assert (trace.problem, trace.model_name, trace.id) == ("6*7?", "m", "4")
    assert trace.thinking == "I should multiply.\n\nI now know it."
    assert trace.tool_calls == (ToolCall("Calculator", "6*7", "42", 0),)
    assert trace.answer == "It is 42.\n\nThat is all."


def test_an_action_may_be_a_blob_of_json():
    assert the_trace(BLOB).tool_calls == (ToolCall("search", '{"q": "hens"}', "12", 0),)


def test_labels_may_be_bold_and_a_call_may_have_no_thought_before_it():
    trace = the_trace("**Action:** a(1)\n**Observation:** x\n**Action:** b(2)\n**Observation:** y\n**Thought:** so y")
    assert [(call.name, call.output, call.step) for call in trace.tool_calls] == [("a", "x", None), ("b", "y", None)]
    assert trace.thinking == "so y"


def test_a_log_that_was_cut_keeps_its_last_call():
    assert the_trace("Thought: a\nAction: f[1]\nObservation: 2\nAction: g[3]").tool_calls[-1] == ToolCall("g", "3", "")


def test_the_question_of_record_and_log_is_told_once():
    assert the_trace({"question": "q", "response": f"Question: q\n{BLOB}"}).problem == "q"
    assert the_trace({"question": "Be brief.", "response": f"Question: q\n{BLOB}"}).problem == "Be brief.\n\nq"


def test_what_a_program_says_behind_the_end_is_no_call():
    trace = the_trace(
        "Thought: a\nAction: f[1]\nObservation: 2\nAction: finish\nAction Input: 2\nObservation: reward 1"
    )
    assert (len(trace.tool_calls), trace.answer) == (1, "2")


PROSE = [
    "Observation: the sum is even. So the product is, too.",
    "Action: Heat the water.\nObservation: It boils.",  # a laboratory
    "Thought: warm it.\nAction: Heat the water slowly.\nObservation: It boils.\nFinal Answer: 100",
    "Thought: x\nObservation: y\nAction: search[z]",  # nothing was asked before
    "Thought: x\nAction: search[z]\nSo there is no observation: none was made.",
    "We note the words Thought: and Action: search[z] and Observation: in a line.",
    "Thought: a\nAction: f[1]\nObservation: 2\nFinal Answer: 2\nQuestion: another\nThought: b",  # two in one text
    "Thought: a\nAction: f[1]\nAction: g[1]\nObservation: 2",
    "Action: boil\nObservation: It boils.",
]


@pytest.mark.parametrize("text", PROSE)
def test_a_text_that_only_uses_the_words_stays_prose(text):
    assert detect(text) == "plain text"
    assert the_trace(text).thinking == text


def test_think_tags_and_our_own_records_stay_what_they_are():
    assert detect(f"<think>{BLOB}</think>4") == "think tags"
    assert detect({"problem": "p", "thinking": NUMBERED}) == "record"


def test_too_many_turns_are_refused_by_name():
    limits = Limits(**{name: getattr(DEFAULT_LIMITS, name) for name in Limits.__slots__} | {"steps": 3})
    with pytest.raises(BadRecordError, match="more than 3 steps"):
        read_any("Thought: a\nAction: f[1]\nObservation: 2\n" * 4, where="line 1", limits=limits)


@pytest.mark.parametrize("unit", ["Thought:", "Action: f[\n", "    ", "**", "Action 1", "\n", "Observation: [(\n"])
def test_a_hostile_text_is_told_apart_in_linear_time(unit):
    started = time.process_time()
    detect(f"Thought: a\nAction: f[1]\nObservation: 2\n{unit * (400_000 // len(unit))}")
    assert time.process_time() - started < 5


def of_record(**fields):
    return the_trace({"problem": "How tall?", **fields})


def test_a_log_in_the_thinking_of_a_record_is_taken_apart():
    trace = of_record(thinking=NUMBERED)
    assert trace.thinking == "I look up the first.\n\nNow the second.\n\n330 + 333 = 663."
    assert [call.output for call in trace.tool_calls] == ["It is 330 m.\n\nIt stands in Paris.", "333 m"]
    assert trace.answer == "663 m"
    assert trace.problem == "How tall?\n\nHow tall are the two towers together?"


def test_what_a_tool_answered_is_no_step_of_a_record():
    trace = of_record(thinking=NUMBERED)
    steps = [segment.content for segment in RulesDecomposer().decompose(trace).segments if segment.source == "thinking"]
    assert steps
    assert not any("stands in Paris" in step for step in steps)


def test_thoughts_keep_the_indices_of_the_steps_in_which_they_stand():
    turns = ["Thought: look.\nAction: search[tower]", "Observation: 330 m", "Thought: So 330.", "Final Answer: 330 m"]
    trace = of_record(steps=turns)
    assert [(step.index, trace.thinking[step.start : step.end]) for step in trace.steps] == [
        (0, "look."),
        (2, "So 330."),
    ]
    assert (trace.tool_calls, trace.answer) == ((ToolCall("search", "tower", "330 m", 0),), "330 m")
    more = ["Question: q", turns[0], turns[1], "Thought: again.\nAction: search[mast]", "Observation: 30 m", *turns[2:]]
    assert [(call.name, call.step) for call in of_record(steps=more).tool_calls] == [("search", 1), ("search", 3)]
    again = of_record(thinking="\n".join(turns), steps=["look.", "So 330."])
    assert [step.index for step in again.steps] == [0, 1]


def test_an_answer_beside_another_answer_is_the_last_thought():
    log = "Thought: a\nAction: f[1]\nObservation: 2\nFinal Answer: 2"
    assert of_record(thinking=log, answer="2 ").thinking == "a"
    assert (of_record(thinking=log, answer="3").thinking, of_record(thinking=log, answer="3").answer) == ("a\n\n2", "3")


def test_calls_that_stand_in_a_field_too_are_told_once():
    log = "Thought: a\nAction: f[1]\nObservation: 2\nFinal Answer: 2"
    same = of_record(thinking=log, tool_calls=[{"name": "f", "arguments": {"n": 1}}])
    assert same.tool_calls == (ToolCall("f", '{"n": 1}', "2", 0),)
    more = of_record(thinking=log, tool_calls=[{"name": "g", "output": "3"}, {"name": "f", "arguments": "1"}])
    assert [call.name for call in more.tool_calls] == ["f", "g", "f"]


@pytest.mark.parametrize("text", [*PROSE, "Action: f\nAction Input: 1\nObservation: 2"])
def test_prose_in_a_record_stays_what_it_is(text):
    assert of_record(thinking=text).thinking == text
