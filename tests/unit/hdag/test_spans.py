"""Spans as exporters of OpenTelemetry write them: values in boxes, lists under numbered keys, every call of an agent.

Sources, read 2026-11-29: OTLP/JSON; GenAI conventions (docs/gen-ai); openinference (spec/llm_spans.md); openllmetry
(its instrumentations and their tests); MLflow's traces. The words are our own.
"""

import json
from typing import Any

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.values import ToolCall, Trace
from hdag.readers import detect, read_any

ASKED = {"role": "user", "parts": [{"type": "text", "content": "What is 2 + 2?"}]}
CALLED = {
    "role": "assistant",
    "parts": [
        {"type": "reasoning", "content": "Add."},
        {"type": "tool_call", "id": "c", "name": "add", "arguments": {"a.b": 2}},
    ],
}
RETURNED = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c", "response": "4"}]}
SAID = {"role": "assistant", "parts": [{"type": "text", "content": "It is 4."}], "finish_reason": "stop"}


def boxed(attributes: dict[str, str]) -> list[dict[str, Any]]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]


def otel(asked: list[Any], answered: list[Any], **more: Any) -> dict[str, str]:
    sides = {"gen_ai.input.messages": json.dumps(asked), "gen_ai.output.messages": json.dumps(answered)}
    return {"gen_ai.request.model": "m", **sides, **more}


def export(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "s"}, "spans": list(spans)}]}]}


def read(value: Any) -> Trace:
    (trace,) = read_any(value, where="line 1")
    return trace


FIRST = {"spanId": "a", "attributes": boxed(otel([ASKED], [{**CALLED, "finish_reason": "tool_call"}]))}
TOOL = {"spanId": "b", "attributes": boxed({"gen_ai.tool.name": "add", "gen_ai.operation.name": "execute_tool"})}
TERSE = json.dumps([{"type": "text", "content": "Be terse."}])
LAST = {"spanId": "c", "attributes": boxed(otel([ASKED, CALLED, RETURNED], [SAID]))}


def test_an_export_is_one_trace_for_each_conversation_and_not_for_each_call() -> None:
    trace = read(export(FIRST, TOOL, LAST))
    assert (trace.problem, trace.thinking, trace.answer) == ("What is 2 + 2?", "Add.", "It is 4.")
    assert trace.tool_calls == (ToolCall("add", '{"a.b": 2}', "4", 0),)
    assert (trace.id, trace.model_name) == ("c", "m")


def test_a_call_is_gone_on_with_though_its_instructions_stand_in_another_span() -> None:
    instructed = {**FIRST, "attributes": [*FIRST["attributes"], *boxed({"gen_ai.system_instructions": TERSE})]}
    assert read(export(instructed, LAST)).id == "c"


def test_two_conversations_of_an_export_are_two_traces() -> None:
    other = {
        "spanId": "d",
        "attributes": boxed(otel([{**ASKED, "parts": [{"type": "text", "content": "And 3?"}]}], [SAID])),
    }
    assert [trace.id for trace in read_any(export(LAST, other), where="line 1")] == ["c", "d"]


def test_structured_attributes_are_opened() -> None:
    text = {
        "kvlistValue": {
            "values": [
                {"key": "role", "value": {"stringValue": "user"}},
                {"key": "content", "value": {"stringValue": "Sum?"}},
            ]
        }
    }
    asked = {"key": "gen_ai.input.messages", "value": {"arrayValue": {"values": [text]}}}
    attributes = [asked, *boxed({"gen_ai.output.messages": json.dumps([SAID])})]
    assert read({"attributes": attributes}).problem == "Sum?"


def test_of_several_choices_the_first_is_the_answer_and_none_is_reasoning() -> None:
    other = {**SAID, "parts": [{"type": "text", "content": "Four."}]}
    trace = read({"attributes": otel([ASKED], [SAID, other])})
    assert (trace.thinking, trace.answer) == ("", "It is 4.")


FLAT = {
    "openllmetry": {
        "gen_ai.request.model": "m",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "What is 2 + 2?",
        "gen_ai.prompt.2.role": "assistant",
        "gen_ai.prompt.2.tool_calls.0.id": "c",
        "gen_ai.prompt.2.tool_calls.0.name": "add",
        "gen_ai.prompt.2.tool_calls.0.arguments": '{"a": 2}',
        "gen_ai.prompt.10.role": "tool",
        "gen_ai.prompt.10.content": "4",
        "gen_ai.prompt.10.tool_call_id": "c",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "It is 4.",
        "gen_ai.completion.0.reasoning": "Add.",
    },
    "openinference": {
        "llm.model_name": "m",
        "input.value": "{}",
        "output.value": "{}",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "What is 2 + 2?",
        "llm.input_messages.1.message.role": "assistant",
        "llm.input_messages.1.message.tool_calls.0.tool_call.id": "c",
        "llm.input_messages.1.message.tool_calls.0.tool_call.function.name": "add",
        "llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments": '{"a": 2}',
        "llm.input_messages.2.message.role": "tool",
        "llm.input_messages.2.message.content": "4",
        "llm.input_messages.2.message.tool_call_id": "c",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.contents.0.message_content.type": "reasoning",
        "llm.output_messages.0.message.contents.0.message_content.text": "Add.",
        "llm.output_messages.0.message.contents.1.message_content.type": "text",
        "llm.output_messages.0.message.contents.1.message_content.text": "It is 4.",
    },
}


@pytest.mark.parametrize("name", FLAT)
@pytest.mark.parametrize("is_boxed", [False, True])
def test_lists_under_numbered_keys_are_conversations(name: str, is_boxed: bool) -> None:
    attributes = FLAT[name]
    trace = read({"name": "chat", "attributes": boxed(attributes) if is_boxed else attributes})
    assert (trace.problem, trace.thinking, trace.answer) == ("What is 2 + 2?", "Add.", "It is 4.")
    assert (trace.tool_calls, trace.model_name) == ((ToolCall("add", '{"a": 2}', "4"),), "m")


MESSAGES = {"messages": [{"role": "user", "content": "Sum?"}]}
CHOSEN = {"choices": [{"message": {"role": "assistant", "content": "It is 4."}}]}
NESTED = {
    "input_messages": [{"message": {"role": "user", "content": "Sum?"}}],
    "output_messages": [{"message": {"role": "assistant", "content": "It is 4."}}],
}


@pytest.mark.parametrize(
    "value",
    [
        {
            "info": {"trace_id": "t"},
            "data": {
                "spans": [
                    {
                        "attributes": {
                            "mlflow.spanInputs": json.dumps(MESSAGES),
                            "mlflow.spanOutputs": json.dumps(CHOSEN),
                        }
                    }
                ]
            },
        },
        {"attributes": {"llm": NESTED}},
        {
            "attributes": {
                "llm.input_messages": [{"message.role": "user", "message.content": "Sum?"}],
                "llm.output_messages": [{"message.role": "assistant", "message.content": "It is 4."}],
            }
        },
        {
            "attributes": {"gen_ai.system": "o"},
            "events": [
                {"name": "gen_ai.content.prompt", "attributes": {"gen_ai.prompt": json.dumps(MESSAGES["messages"])}},
                {"name": "gen_ai.content.completion", "attributes": {"gen_ai.completion": "It is 4."}},
            ],
        },
        export({"attributes": boxed({"input.value": "Sum?", "output.value": "It is 4."})}),
    ],
    ids=["MLflow", "Phoenix", "openinference", "events", "values alone"],
)
def test_other_shapes_of_spans_are_read(value: dict[str, Any]) -> None:
    assert detect(value) == "spans"
    trace = read(value)
    assert (trace.problem, trace.answer) == ("Sum?", "It is 4.")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (export(TOOL), "line 1: no span holds what a model was asked and answered"),
        (
            export({"attributes": [3]}),
            r"resourceSpans\[0\].scopeSpans\[0\].spans\[0\].attributes\[0\]: must be an object",
        ),
        (export({"attributes": "x"}), r"spans\[0\].attributes: must be an object or a list"),
        ({"resourceSpans": [4]}, r"line 1, resourceSpans\[0\]: must be an object"),
        ({"resourceSpans": [{"scopeSpans": {}}]}, "no span holds"),
        ({"resourceSpans": [{"scopeSpans": 4}]}, r"resourceSpans\[0\].scopeSpans: must be a list"),
        (
            {"attributes": {"gen_ai.input.messages": '[{"role": ', "gen_ai.output.messages": "[]"}},
            "gen_ai.input.messages: not JSON",
        ),
        ({"attributes": {f"gen_ai.completion{'.0' * 400}": "4"}}, "nested too deeply"),
    ],
)
def test_a_broken_export_is_refused_by_its_place(value: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadRecordError, match=reason):
        read(value)
