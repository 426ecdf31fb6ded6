"""Each input format becomes the same kind of trace, and says which field of which record is wrong."""

import io
import json
from pathlib import Path

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.invariants import find_violations
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers import detect, read_any
from hdag.readers.archives.surveys import survey
from hdag.readers.records import DEFAULT_LIMITS

CALL = {"id": "c1", "type": "function", "function": {"name": "calc", "arguments": '{"e": "6*7"}'}}
TALK = [
    {"role": "user", "content": "What is 6*7 + 1?"},
    {"role": "assistant", "reasoning_content": "I multiply first.", "content": "Calling calc.", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "42"},
    {"role": "assistant", "content": "So 42 + 1 = 43."},
]
DAG = [
    {"step_id": 1, "edge": "Given.", "direct_dependent_steps": None, "node": "x = 2"},
    {"step_id": 3, "thinking": "Double it.", "direct_dependent_steps": [1], "text": "2x = 4"},
]
INSPECT = {
    "version": 2,
    "eval": {"task": "sums", "model": "m/1"},
    "samples": [{"id": 7, "epoch": 1, "target": "43", "messages": TALK}],
}
AGENT = {
    "task": "Find 6*7.",
    "steps": [{"thought": "Multiply.", "tool": "calc", "input": {"e": "6*7"}, "output": "42"}],
}
MULTI_AGENT = {
    "question": "q",
    "history": [{"content": "hi", "role": "user", "name": "Ann"}, {"content": "ho", "role": "Bo"}],
}
EXAMPLES = {
    "plain text": "We add: 1 + 1 = 2.",
    "think tags": {"question": "q", "response": "<think>1 + 1 = 2</think>\n<answer>2</answer>"},
    "messages": {"messages": TALK},
    "DAG-MATH": {"problem": "p", "steps": DAG},
    "agent log": AGENT,
    "ReAct log": {"question": "q", "response": "Thought: a\nAction: calc[6*7]\nObservation: 42\nFinal Answer: 42"},
    "multi-agent log": MULTI_AGENT,
    "inspect log": INSPECT,
    "SWE-agent": {"trajectory": [{"thought": "Look.", "response": "Look.", "action": "ls", "observation": "a.py"}]},
    "spans": {"attributes": {"input.value": "6*7?", "output.value": "6*7 = 42."}},
    "batch result": {"custom_id": "a", "response": {"body": {"role": "assistant", "content": "6*7 = 42."}}},
    "recorded call": {"input": "6*7?", "output": "6*7 = 42.", "model": "m"},
    "record": {"problem": "p", "steps": ["a", "b"]},
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_format_is_recognised_and_gives_a_sound_graph(name):
    assert detect(EXAMPLES[name]) == name
    (trace,) = read_any(EXAMPLES[name], where="line 1")
    assert find_violations(trace=trace, graph=RulesDecomposer().decompose(trace)) == ()


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "plain text"])
def test_a_file_tells_which_fields_of_its_records_nobody_read(name):
    lines = "\n".join(json.dumps(EXAMPLES[name] | {"problme": 1, field: "x"}) for field in ("lables", "notes"))
    seen = survey(lines=io.BytesIO(lines.encode()), limits=DEFAULT_LIMITS)
    assert len(seen.traces) == 2
    assert seen.ignored[-3:] == ("problme", "lables", "notes")
    assert set(seen.ignored[:-3]) == ({"version"} if name == "inspect log" else set())


def test_think_tags_split_thinking_from_answer():
    (trace,) = read_any(EXAMPLES["think tags"], where="line 1")
    assert (trace.problem, trace.thinking, trace.answer) == ("q", "1 + 1 = 2", "2")


def test_messages_keep_reasoning_calls_and_the_last_text_as_answer():
    (trace,) = read_any(TALK, where="line 1")
    assert trace.thinking == "I multiply first.\n\nCalling calc."
    assert trace.answer == "So 42 + 1 = 43."
    assert trace.tool_calls[0].text == 'calc({"e": "6*7"}) -> 42'
    assert trace.tool_calls[0].step == 1


def test_a_tool_output_becomes_a_premise_of_the_step_that_uses_it():
    (trace,) = read_any(TALK, where="line 1")
    graph = RulesDecomposer().decompose(trace)
    call = next(segment.id for segment in graph.segments if segment.kind == "tool call")
    answer = next(segment.id for segment in graph.segments if segment.source == "answer")
    assert call in graph.premises()[answer]


def test_premises_that_dag_math_states_are_the_premises_of_the_graph():
    (trace,) = read_any(EXAMPLES["DAG-MATH"], where="line 1")
    graph = RulesDecomposer().decompose(trace)
    assert trace.steps[1].parents == (0,)
    assert [p for p in graph.premises()["ST2"] if p.startswith("ST")] == ["ST1"]


def test_the_speaker_of_a_message_is_kept():
    (trace,) = read_any(MULTI_AGENT, where="line 1")
    assert [step.speaker for step in trace.steps] == ["Ann", "Bo"]


def test_an_inspect_sample_carries_model_and_target_apart():
    (trace,) = read_any(INSPECT, where="file")
    assert (trace.id, trace.model_name, trace.reference_answer) == ("7/1", "m/1", "43")


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (3, "known format"),
        ({"problem": "p", "steps": [{"step_id": 2, "node": "a"}, {"step_id": 2, "node": "b"}]}, "steps[1].step_id"),
        (
            {"problem": "p", "steps": [{"step_id": 1, "node": "a", "direct_dependent_steps": [1]}]},
            "direct_dependent_steps",
        ),
        ({"messages": [{"role": "robot", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": "x"}]}, "messages"),
        ({"messages": [{"role": "assistant", "content": [5]}]}, "messages[0].content[0]"),
        ({"response": "<think>never closed"}, "response"),
        ({"task": "t", "log": [{"thought": "a"}, {"output": "b"}]}, "log[1]"),
        ({"question": "q", "history": [{"content": "a\x00"}]}, "history[0].content"),
        ({"eval": {}, "samples": [{"id": 1}]}, "samples[0].messages"),
        ("  ", "blank"),
    ],
)
def test_a_broken_log_is_refused_by_record_and_field(value, field):
    with pytest.raises(BadRecordError) as refused:
        read_any(value, where="line 4")
    assert str(refused.value).startswith("line 4")
    assert field in str(refused.value)


def test_real_multi_agent_logs_are_read():
    path = Path("../shared/data/who_and_when/algorithm_generated.jsonl")
    if not path.exists():
        pytest.skip("the public data are not beside the repository")
    with path.open(encoding="utf-8") as lines:
        log = json.loads(next(lines))
    (trace,) = read_any(log, where="line 1")
    assert len(trace.steps) == len(log["history"])
