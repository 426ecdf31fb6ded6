"""Calls as other people's programs record them: each written from its own documentation, and nothing of it is lost."""

import json
from typing import Any

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.values import ToolCall, Trace
from hdag.readers import detect, read_any

CALLED = (ToolCall("add", '{"a": 2}', "4", 0),)
ASKED = {"role": "user", "content": "What is 2 + 2?"}
ANSWERED = {"role": "assistant", "content": "It is 4."}


def otel(*parts: dict[str, Any], role: str) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


SPOKEN = [
    otel({"type": "text", "content": "What is 2 + 2?"}, role="user"),
    otel(
        {"type": "reasoning", "content": "Add."},
        {"type": "tool_call", "id": "c", "name": "add", "arguments": {"a": 2}},
        role="assistant",
    ),
    otel({"type": "tool_call_response", "id": "c", "response": "4"}, role="tool"),
]
SAID = otel({"type": "text", "content": "It is 4."}, role="assistant")
WITH_TOOLS = {
    "responses": {
        "id": "resp_1",
        "model": "gpt-5",
        "instructions": None,
        "input": "What is 2 + 2?",
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Add."}]},
            {"type": "function_call", "call_id": "c", "name": "add", "arguments": '{"a": 2}'},
            {"type": "function_call_output", "call_id": "c", "output": "4"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is 4."}]},
        ],
    },
    "a span of OpenTelemetry": {
        "name": "chat gpt-5",
        "attributes": {
            "gen_ai.request.model": "gpt-5",
            "gen_ai.input.messages": json.dumps(SPOKEN),
            "gen_ai.output.messages": json.dumps([SAID]),
        },
    },
    "Converse of Bedrock": {
        "model": "gpt-5",
        "messages": [
            {"role": "user", "content": [{"text": "What is 2 + 2?"}]},
            {
                "role": "assistant",
                "content": [
                    {"reasoningContent": {"reasoningText": {"text": "Add.", "signature": "s"}}},
                    {"toolUse": {"toolUseId": "t", "name": "add", "input": {"a": 2}}},
                ],
            },
            {"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": [{"text": "4"}]}}]},
            {"role": "assistant", "content": [{"text": "It is 4."}]},
        ],
    },
    "Gemini": {
        "model": "gpt-5",
        "contents": [
            {"role": "user", "parts": [{"text": "What is 2 + 2?"}]},
            {
                "role": "model",
                "parts": [
                    {"text": "Add.", "thought": True},
                    {"functionCall": {"id": "f", "name": "add", "args": {"a": 2}}},
                ],
            },
            {"role": "user", "parts": [{"functionResponse": {"id": "f", "name": "add", "response": "4"}}]},
            {"role": "model", "parts": [{"text": "It is 4."}]},
        ],
    },
}
PLAIN = {
    "Langfuse": {"model": "gpt-5", "type": "GENERATION", "input": [ASKED], "output": ANSWERED},
    "LangSmith": {"model": "gpt-5", "inputs": {"messages": [ASKED]}, "outputs": {"choices": [{"message": ANSWERED}]}},
    "texts": {"model": "gpt-5", "input": {"question": "What is 2 + 2?"}, "output": "It is 4."},
    "TRL": {"model": "gpt-5", "prompt": [ASKED], "completion": [ANSWERED]},
    "ShareGPT": {
        "model": "gpt-5",
        "conversations": [{"from": "human", "value": "What is 2 + 2?"}, {"from": "gpt", "value": "It is 4."}],
    },
}


def read(value: Any) -> Trace:
    (trace,) = read_any(value, where="line 1")
    return trace


@pytest.mark.parametrize("name", WITH_TOOLS)
def test_reasoning_and_tools_are_read_under_the_names_of_each_protocol(name: str) -> None:
    trace = read(WITH_TOOLS[name])
    assert (trace.problem, trace.thinking, trace.answer) == ("What is 2 + 2?", "Add.", "It is 4.")
    assert (trace.tool_calls, trace.model_name) == (CALLED, "gpt-5")


@pytest.mark.parametrize("name", PLAIN)
def test_question_and_answer_are_read_under_the_names_of_each_program(name: str) -> None:
    trace = read(PLAIN[name])
    assert (trace.problem, trace.answer, trace.model_name) == ("What is 2 + 2?", "It is 4.", "gpt-5")


def test_a_part_in_no_known_form_is_refused_and_not_audited_by_its_name() -> None:
    for part in ({"brandNew": {"words": "It is 4."}}, {"type": "output_text", "words": "It is 4."}):
        with pytest.raises(BadRecordError, match="is a part in no known form"):
            read({"messages": [ASKED, {"role": "assistant", "content": [part]}]})


def test_a_record_without_any_field_of_ours_is_told_which_formats_there_are() -> None:
    chunk = {"id": "c", "object": "chat.completion.chunk", "choices": [{"delta": ANSWERED}]}
    with pytest.raises(BadRecordError, match=r"is in no known format \(.*recorded call.*\)"):
        read(chunk)


def test_a_record_of_ours_stays_one_though_it_has_fields_of_a_call() -> None:
    ours = {"problem": "p", "thinking": "t"}
    assert detect({**ours, "input": "i", "output": "o"}) == "record"
    assert detect({**ours, "spans": [{"start": 0, "end": 1, "label": "wrong"}]}) == "record"
    assert detect({**ours, "key": "k", "result": {"score": 1}}) == "record"


def test_what_went_wrong_in_a_tool_of_inspect_and_its_one_target_are_read() -> None:
    call = {"id": "c", "type": "function", "function": "bash", "arguments": {}}
    failed = {"role": "tool", "content": "", "tool_call_id": "c", "error": {"type": "timeout", "message": "timed out"}}
    talk = [ASKED, {"role": "assistant", "content": "I run it.", "tool_calls": [call]}, failed, ANSWERED]
    log = {"eval": {"task": "t", "model": "m"}, "samples": [{"id": 1, "target": ["4"], "messages": talk}]}
    trace = read(log)
    assert (trace.reference_answer, trace.tool_calls[0].output) == ("4", "timed out")


def test_a_sample_of_an_archive_of_inspect_is_read_alone() -> None:
    sample = {"id": 1, "epoch": 2, "target": "4", "messages": [ASKED, ANSWERED], "output": {"model": "m"}}
    trace = read(sample)
    assert (trace.id, trace.reference_answer, trace.model_name) == ("1/2", "4", "m")


def test_a_log_whose_model_is_read_now_is_the_same_trace_as_before() -> None:
    from hdag.selectors import identity_of

    named, unnamed = read({"messages": [ASKED, ANSWERED], "model": "gpt-5"}), read({"messages": [ASKED, ANSWERED]})
    assert named.model_name != unnamed.model_name
    assert identity_of(trace=named) == identity_of(trace=unnamed)


def test_a_tool_that_speaks_under_its_own_name_is_a_tool() -> None:
    call = {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "name": "add", "args": {"a": 2}}]}
    trace = read({"input": [ASKED, call, {"role": "add", "content": "4"}], "output": ANSWERED})
    assert (trace.tool_calls[0].output, trace.answer) == ("4", "It is 4.")


def test_instructions_that_a_response_repeats_stand_before_what_was_asked() -> None:
    response = {"object": "response", "instructions": "Be terse.", "output": [ANSWERED]}
    assert read({"input": [ASKED], "output": response}).problem == "Be terse.\n\nWhat is 2 + 2?"


def test_the_model_of_a_run_of_langsmith_stands_beside_the_call() -> None:
    run = {"inputs": {"messages": [ASKED]}, "outputs": ANSWERED, "extra": {"invocation_params": {"model": "gpt-5"}}}
    assert read(run).model_name == "gpt-5"
