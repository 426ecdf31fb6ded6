"""Runs of agent frameworks and conversations in envelopes: thoughts are steps, calls have what they returned.

After src/smolagents/memory.py of huggingface/smolagents, docs/atif/0001-trajectory-format.md in
OpenAgentsInc/openagents, dspy/predict/react.py of stanfordnlp/dspy, autogen_agentchat/messages.py of
microsoft/autogen and tau_bench/types.py of sierra-research/tau-bench; read 2026-11-29. The words are our own.
"""

import json
from typing import Any

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.invariants import find_violations
from hdag.core.values import ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers import detect, read_any

ASKED = {"role": "user", "content": "What is 2 + 2?"}
CALL = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": {"a": 2}}}
SMOL_STEP = {
    "step_number": 1,
    "timing": {"start_time": 1.0, "end_time": 2.0, "duration": 1.0},
    "model_input_messages": None,
    "tool_calls": [CALL],
    "error": None,
    "model_output_message": {"role": "assistant", "content": "I add.", "tool_calls": None, "raw": None},
    "model_output": "I add.",
    "code_action": None,
    "observations": "4",
    "observations_images": None,
    "action_output": None,
    "token_usage": None,
    "is_final_answer": False,
}
FINAL = {"id": "c2", "type": "function", "function": {"name": "final_answer", "arguments": {"answer": 4}}}
LAST = SMOL_STEP | {"step_number": 2, "tool_calls": [FINAL], "observations": None, "model_output": "So 4."}
SMOL = [
    {"task": "What is 2 + 2?", "task_images": None},
    SMOL_STEP,
    LAST | {"action_output": 4, "is_final_answer": True},
]
ATIF = {
    "schema_version": "ATIF-v1.4",
    "session_id": "s1",
    "agent": {"name": "a", "version": "1", "model_name": "m/1"},
    "steps": [
        {"step_id": 1, "timestamp": "2026-01-01T00:00:00Z", "source": "user", "message": "What is 2 + 2?"},
        {
            "step_id": 2,
            "source": "agent",
            "message": "I add.",
            "reasoning_content": None,
            "tool_calls": [{"tool_call_id": "c", "function_name": "add", "arguments": {"a": 2}}],
            "observation": {"results": [{"source_call_id": "c", "content": "4"}]},
            "metrics": {"prompt_tokens": 1},
        },
        {"step_id": 3, "source": "agent", "message": "So 4."},
        {"step_id": 4, "source": "agent", "message": "4"},
    ],
}
DSPY = {
    "question": "What is 2 + 2?",
    "trajectory": {
        "thought_0": "I add.",
        "tool_name_0": "add",
        "tool_args_0": {"a": 2},
        "observation_0": 4,
        "thought_1": "So 4.",
        "tool_name_1": "finish",
        "tool_args_1": {},
        "observation_1": "Completed.",
    },
    "answer": 4,
}
AUTOGEN = {
    "messages": [
        {"source": "user", "type": "TextMessage", "content": "What is 2 + 2?", "models_usage": None, "metadata": {}},
        {"source": "a", "type": "ThoughtEvent", "content": "I add."},
        {
            "source": "a",
            "type": "ToolCallRequestEvent",
            "content": [{"id": "c", "name": "add", "arguments": '{"a": 2}'}],
        },
        {
            "source": "a",
            "type": "ToolCallExecutionEvent",
            "content": [{"content": "4", "name": "add", "call_id": "c", "is_error": False}],
        },
        {"source": "a", "type": "ToolCallSummaryMessage", "content": "4"},
        {"source": "b", "type": "TextMessage", "content": "So 4."},
        {"source": "a", "type": "MultiModalMessage", "content": ["4"]},
    ],
    "stop_reason": "done",
}
PYDANTIC = [
    {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "What is 2 + 2?", "timestamp": "t"}]},
    {
        "kind": "response",
        "model_name": "m/1",
        "parts": [
            {"part_kind": "thinking", "content": "I add.", "signature": None},
            {"part_kind": "tool-call", "tool_name": "add", "args": {"a": 2}, "tool_call_id": "c"},
        ],
    },
    {"kind": "request", "parts": [{"part_kind": "tool-return", "tool_name": "add", "content": 4, "tool_call_id": "c"}]},
    {
        "kind": "response",
        "parts": [{"part_kind": "thinking", "content": "So 4."}, {"part_kind": "text", "content": "4"}],
    },
]
RUNS = {
    "smolagents": (SMOL, "agent run"),
    "result of smolagents": ({"output": 4, "state": "success", "steps": SMOL}, "agent run"),
    "ATIF": (ATIF, "agent run"),
    "DSPy": (DSPY, "agent run"),
    "AutoGen": (AUTOGEN, "typed messages"),
    "Pydantic AI": (PYDANTIC, "typed messages"),
}


def read(value: Any, name: str) -> Trace:
    assert detect(value) == name
    (trace,) = read_any(json.loads(json.dumps(value)), where="line 1")
    assert find_violations(trace=trace, graph=RulesDecomposer().decompose(trace)) == ()
    return trace


@pytest.mark.parametrize("program", RUNS)
def test_a_run_becomes_steps_calls_and_the_answer(program: str) -> None:
    trace = read(*RUNS[program])
    assert (trace.problem, trace.thinking, trace.answer) == ("What is 2 + 2?", "I add.\n\nSo 4.", "4")
    assert trace.tool_calls == (ToolCall("add", '{"a": 2}', "4", 0),)


def test_an_error_of_a_step_is_what_its_call_returned() -> None:
    failed = SMOL_STEP | {"observations": None, "error": {"type": "AgentExecutionError", "message": "no such tool"}}
    assert read([SMOL[0], failed], "agent run").tool_calls[0].output == "no such tool"
    parsing = failed | {"tool_calls": None}
    assert read([SMOL[0], parsing], "agent run").tool_calls[0].text == "environment() -> no such tool"


TALK = [ASKED, {"role": "assistant", "content": "It is 4.", "reasoning_content": "I add."}]
SAMPLE = {"doc_id": 3, "doc": {"question": "q"}, "target": "4", "filtered_resps": ["4"], "filter": "none"}
THOUGHT = "<think>I add.</think>It is 4."
WRAPPED = {
    "tau-bench": {"task_id": 3, "reward": 1.0, "info": {}, "traj": TALK, "trial": 0},
    "LangGraph": {"values": {"messages": TALK}, "next": [], "id": 3},
    "Ollama": {
        "model": "m",
        "id": 3,
        "prompt": ASKED["content"],
        "thinking": "I add.",
        "response": "It is 4.",
        "done": True,
    },
    "verifiers": {"example_id": 3, "prompt": TALK[:1], "completion": TALK[1:], "answer": "4", "reward": 1.0},
    "lm-eval": SAMPLE | {"arguments": {"gen_args_0": {"arg_0": ASKED["content"], "arg_1": {}}}, "resps": [[THOUGHT]]},
    "lm-eval, a chat": SAMPLE | {"arguments": {"gen_args_0": {"arg_0": [json.dumps([ASKED])]}}, "resps": [[THOUGHT]]},
    "lm-eval, older": SAMPLE | {"arguments": [[ASKED["content"], {"until": []}]], "resps": [[THOUGHT, "other"]]},
}


@pytest.mark.parametrize("program", WRAPPED)
def test_a_conversation_is_taken_out_of_its_envelope(program: str) -> None:
    trace = read(WRAPPED[program], "wrapped conversation")
    assert (trace.problem, trace.thinking, trace.answer) == ("What is 2 + 2?", "I add.", "It is 4.")
    assert trace.id == "3"
    assert trace.reference_answer == ("4" if program not in ("tau-bench", "LangGraph", "Ollama") else "")


def test_a_sample_of_scored_choices_has_no_reasoning_and_says_so() -> None:
    scored = SAMPLE | {"arguments": [["q", " a"], ["q", " b"]], "resps": [[["-1.5", "False"]], [["-0.5", "True"]]]}
    with pytest.raises(BadRecordError, match="line 1, resps: holds no generated text"):
        read_any(scored, where="line 1")


REACT = [
    ASKED,
    {"role": "assistant", "content": "Thought: I add.\nAction: add[2, 2]"},
    {"role": "user", "content": "Observation: 4"},
    {"role": "assistant", "content": "It is 4."},
]
SHELL = [
    ASKED,
    {"role": "assistant", "content": "I add.\n```bash\nexpr 2 + 2\n```"},
    {"role": "user", "content": "<returncode>0</returncode>\n<output>\n4\n</output>"},
    {"role": "assistant", "content": "It is 4."},
]


def test_what_a_tool_returned_in_a_message_of_the_user_is_no_part_of_the_problem() -> None:
    trace = read({"messages": REACT}, "messages")
    assert (trace.problem, trace.thinking, trace.answer) == ("What is 2 + 2?", "I add.", "It is 4.")
    assert trace.tool_calls == (ToolCall("add", "2, 2", "4", 0),)
    shell = read({"messages": SHELL, "info": {"exit_status": "Submitted"}}, "messages")
    assert (shell.problem, shell.answer, shell.tool_calls[0].arguments) == ("What is 2 + 2?", "It is 4.", "expr 2 + 2")
    assert "<output>\n4\n" in shell.tool_calls[0].output


@pytest.mark.parametrize(
    ("said", "returned"),
    [
        ("I add.", "Observation: the cat is grey. Why?"),
        ("Thought: boil it.\nAction: Heat the water slowly.", "Observation: it boils."),
        ("I add.\n```python\n2 + 2\n```", "<returncode>0</returncode>\n<output>\n4\n</output>"),
        ("I add.\n```bash\nexpr 2 + 2\n```", "Please go on."),
    ],
)
def test_what_a_person_says_stays_a_question(said: str, returned: str) -> None:
    talk = [ASKED, {"role": "assistant", "content": said}, {"role": "user", "content": returned}, REACT[-1]]
    trace = read({"messages": talk}, "messages")
    assert (trace.problem, trace.thinking, trace.tool_calls) == (f"What is 2 + 2?\n\n{returned}", said, ())


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({**ATIF, "steps": [{"source": "robot", "message": "x"}]}, r"steps\[0\].source: must be system, user or agent"),
        ([SMOL[0], SMOL_STEP | {"tool_calls": 5}], r"steps\[1\].tool_calls: must be a list"),
        (
            {"messages": [AUTOGEN["messages"][0], {"type": "NewEvent", "source": "a"}]},
            r"messages\[1\].type: is no kind",
        ),
        ([*PYDANTIC, {"kind": "request", "parts": [{"part_kind": "new"}]}], r"messages\[4\].parts\[0\].part_kind"),
        ({**DSPY, "trajectory": {"thought_0": 5, "tool_name_0": "f"}}, "trajectory.thought_0.*must be"),
    ],
)
def test_a_run_in_no_form_is_refused_by_its_place(value: Any, reason: str) -> None:
    with pytest.raises(BadRecordError, match=f"line 1, {reason}"):
        read_any(value, where="line 1")
