"""Logs as OpenAI, Anthropic, OpenRouter, Inspect and LangChain document them: no call, reasoning or refusal is lost."""

from typing import Any

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.values import ToolCall, Trace
from hdag.readers import read_any

ASKED = {"role": "user", "content": "What is 6*7 + 1?"}
LAST = {"role": "assistant", "content": "So 43."}
LAST_TEXT = {"type": "text", "text": "So 43."}
SIGNED = {"type": "thinking", "thinking": "I multiply first.", "signature": "EqQB"}


def read(*messages: dict[str, Any], **beside: Any) -> Trace:
    (trace,) = read_any({"messages": [ASKED, *messages], **beside}, where="line 1")
    return trace


def calls_tool(**call: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", **call}]}


CUSTOM = calls_tool(type="custom", custom={"name": "calc", "input": "6*7"})
FLAT = calls_tool(name="calc", arguments="6*7")
EARLIER = {"role": "assistant", "content": None, "function_call": {"name": "calc", "arguments": "6*7"}}


@pytest.mark.parametrize(
    ("call", "result"),
    [
        (CUSTOM, {"role": "tool", "tool_call_id": "c1", "content": "42"}),
        (FLAT, {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "42"}]}),
        (EARLIER, {"role": "function", "name": "calc", "content": "42"}),
    ],
    ids=["custom tool", "flat call", "function_call"],
)
def test_a_call_of_openai_has_its_output_in_each_form(call: dict[str, Any], result: dict[str, Any]) -> None:
    assert read(call, result, LAST).tool_calls == (ToolCall("calc", "6*7", "42"),)


@pytest.mark.parametrize("prefix", ["", "server_"])
@pytest.mark.parametrize("output", ["42", [{"type": "text", "text": "42"}]], ids=["text", "parts"])
def test_tools_of_anthropic_are_calls_and_no_part_of_the_problem(prefix: str, output: object) -> None:
    use = {"type": f"{prefix}tool_use", "id": "t1", "name": "calc", "input": {"e": "6*7"}}
    parts = [SIGNED, {"type": "text", "text": "Calling calc."}, use]
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": output}]}
    trace = read({"role": "assistant", "content": parts}, result, LAST, system="Be terse.", model="claude")
    assert (trace.problem, trace.model_name) == ("Be terse.\n\nWhat is 6*7 + 1?", "claude")
    assert (trace.thinking, trace.answer) == ("I multiply first.\n\nCalling calc.", "So 43.")
    assert trace.tool_calls == (ToolCall("calc", '{"e": "6*7"}', "42", 1),)


@pytest.mark.parametrize(
    ("part", "thinking"),
    [
        ({"type": "redacted_thinking", "data": "Q0lQSEVS"}, "[redacted reasoning]"),
        ({"type": "reasoning", "reasoning": "Q0lQSEVS", "redacted": True}, "[redacted reasoning]"),
        (
            {"type": "reasoning", "reasoning": "Q0lQSEVS", "summary": "It multiplied.", "redacted": True},
            "It multiplied.",
        ),
        ({"type": "thinking", "thinking": [{"type": "text", "text": "I multiply first."}]}, "I multiply first."),
        ({"type": "reasoning", "summary": [{"type": "summary_text", "text": "Six sevens."}]}, "Six sevens."),
    ],
    ids=["Anthropic", "Inspect", "Inspect, with a summary", "Mistral", "a summary"],
)
def test_hidden_reasoning_is_named_and_its_cipher_is_none(part: dict[str, Any], thinking: str) -> None:
    trace = read({"role": "assistant", "content": [part, {"type": "text", "text": "43"}]})
    assert (trace.thinking, trace.answer) == (thinking, "43")


def test_reasoning_in_details_beside_a_message_is_read() -> None:
    details = [{"type": "reasoning.text", "text": "Six sevens."}, {"type": "reasoning.summary", "summary": "And one."}]
    assert read({**LAST, "reasoning": None, "reasoning_details": details}).thinking == "Six sevens.\n\nAnd one."


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "refusal": "I cannot."},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "I cannot."}]},
    ],
    ids=["field", "part"],
)
def test_a_refusal_is_what_the_model_answered(message: dict[str, Any]) -> None:
    assert read(message).answer == "I cannot."


@pytest.mark.parametrize("model", [7, ["m"], "m" * 1_001], ids=["number", "list", "long"])
def test_a_model_that_is_no_name_is_refused(model: object) -> None:
    with pytest.raises(BadRecordError, match="line 1, model"):
        read(LAST, model=model)


def test_a_result_without_a_call_is_named_with_its_place() -> None:
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "42"}]}
    with pytest.raises(BadRecordError, match=r"messages\[1\].tool_use_id: answers no tool call"):
        read(result, LAST)


def test_intermediate_steps_of_langchain_are_pairs_of_an_action_and_what_was_observed() -> None:
    action = {"tool": "calc", "tool_input": "6*7", "log": "I multiply first.", "type": "AgentAction"}
    record = {"input": "What is 6*7?", "output": "42", "intermediate_steps": [[action, "42"]]}
    (trace,) = read_any(record, where="line 1")
    assert (trace.problem, trace.thinking, trace.answer) == ("What is 6*7?", "I multiply first.", "42")
    assert trace.tool_calls == (ToolCall("calc", "6*7", "42", 0),)


@pytest.mark.parametrize("depth", [2, 100, 400])
def test_pieces_and_results_that_nest_are_read_as_json_however_deep(depth: int) -> None:
    """As deep as JSON may be read: nobody follows them, so that no depth breaks the reader."""
    thought, result = [{"text": "x"}], [{"type": "text", "text": "42"}]
    for _ in range(depth):
        thought = [{"type": "reasoning", "summary": thought}]
        result = [{"type": "tool_result", "tool_use_id": "c1", "content": result}]
    trace = read(FLAT, {"role": "user", "content": result}, {"role": "assistant", "content": [*thought, LAST_TEXT]})
    assert trace.tool_calls[0].output.count("tool_result") == depth - 1
    assert (trace.thinking.count("summary"), trace.answer) == (max(0, depth - 2), "So 43.")
