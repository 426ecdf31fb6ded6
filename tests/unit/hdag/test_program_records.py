"""Records in the shapes that programs really write, found in their repositories: nothing is lost, nothing misread.

Sources, read 2026-11-29: langchain_core.load and langsmith-sdk, the traces that langfuse keeps of frameworks,
openai-python (types/responses), the batches of OpenAI and Anthropic, responses of Gemini and Bedrock, LLaMA-Factory's
data/README, ms-swift, Hermes, inspect_ai (_util/content.py), the AI SDK of Vercel, SWE-agent's trajectories. The words
are our own.
"""

import json
from typing import Any

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.values import ToolCall, Trace
from hdag.readers import read_any

ASKED = {"role": "user", "content": "What is 2 + 2?"}
SAID = {"content": "It is 4."}
CALL = {"name": "add", "arguments": {"a": 2}}


def lc(kind: str, **kwargs: Any) -> dict[str, Any]:
    """A message as LangChain dumps it."""
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": kwargs}


def response(*items: dict[str, Any]) -> dict[str, Any]:
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is 4."}]}
    return {"object": "response", "id": "r", "model": "m", "input": "What is 2 + 2?", "output": [*items, said]}


def read(value: Any) -> Trace:
    (trace,) = read_any(value, where="line 1")
    return trace


LC_CALL = {"id": "c", "name": "add", "args": {"a": 2}, "type": "tool_call"}
LC_TALK = [
    lc("HumanMessage", content="What is 2 + 2?"),
    lc("AIMessage", content="", tool_calls=[LC_CALL], additional_kwargs={"reasoning_content": "Add."}),
    lc("ToolMessage", content="4", tool_call_id="c"),
]
TYPED = [
    {"type": "human", "content": "What is 2 + 2?"},
    {
        "type": "ai",
        "content": [
            {"type": "thinking", "thinking": "Add."},
            {"type": "tool_use", "id": "c", "name": "add", "input": {"a": 2}},
        ],
        "tool_calls": [LC_CALL],
    },
    {"type": "tool", "content": "4", "tool_call_id": "c"},
    {"type": "ai", "content": "It is 4."},
]
VERCEL = [
    {"role": "user", "content": [{"type": "text", "text": "What is 2 + 2?"}]},
    {
        "role": "assistant",
        "content": [
            {"type": "reasoning", "text": "Add."},
            {"type": "tool-call", "toolCallId": "c", "toolName": "add", "input": {"a": 2}},
        ],
    },
    {
        "role": "tool",
        "content": [{"type": "tool-result", "toolCallId": "c", "output": {"type": "text", "value": "4"}}],
    },
]
WITH_TOOLS = {
    "run of LangSmith": {
        "inputs": {"messages": [LC_TALK]},
        "outputs": {"generations": [[{"text": "It is 4.", "message": lc("AIMessage", content="It is 4.")}]]},
    },
    "run of LangGraph that repeats what was asked": {
        "inputs": {"messages": [{"type": "human", "content": "What is 2 + 2?"}]},
        "outputs": {"messages": TYPED},
    },
    "observation of Langfuse, JSON in a text": {
        "type": "GENERATION",
        "input": json.dumps({"messages": TYPED[:3]}),
        "output": json.dumps({"role": "assistant", "content": "It is 4."}),
    },
    "AI SDK": {"input": VERCEL, "output": "It is 4."},
    "Responses with a custom tool": response(
        {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Add."}]},
        {"type": "custom_tool_call", "call_id": "c", "name": "add", "input": '{"a": 2}'},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "4"},
    ),
}


@pytest.mark.parametrize("name", WITH_TOOLS)
def test_reasoning_calls_and_answer_are_read_as_each_program_writes_them(name: str) -> None:
    trace = read(WITH_TOOLS[name])
    assert (trace.problem, trace.thinking, trace.answer) == ("What is 2 + 2?", "Add.", "It is 4.")
    assert trace.tool_calls == (ToolCall("add", '{"a": 2}', "4", 0),)


@pytest.mark.parametrize(
    "messages",
    [
        [{"from": "function_call", "value": json.dumps(CALL)}, {"from": "observation", "value": "4"}],
        [{"role": "tool_call", "content": json.dumps([CALL])}, {"role": "tool_response", "content": "4"}],
    ],
    ids=["ShareGPT", "ms-swift"],
)
def test_calls_and_observations_of_training_sets_are_no_reasoning(messages: list[Any]) -> None:
    trace = read({"conversations": [ASKED, *messages, {"from": "gpt", "value": "It is 4."}], "system": "Be terse."})
    assert (trace.problem, trace.thinking, trace.answer) == ("Be terse.\n\nWhat is 2 + 2?", "", "It is 4.")
    assert trace.tool_calls == (ToolCall("add", '{"a": 2}', "4"),)


def test_a_call_that_a_model_wrote_into_its_text_has_the_output_of_the_tool() -> None:
    text = f"I add.\n<tool_call>\n{json.dumps(CALL)}\n</tool_call>"
    trace = read({"messages": [ASKED, {"role": "assistant", "content": text}, {"role": "tool", "content": "4"}]})
    assert (trace.thinking, trace.tool_calls) == (text, (ToolCall("add", '{"a": 2}', "4", 0),))


@pytest.mark.parametrize(
    ("item", "call"),
    [
        (
            {"type": "web_search_call", "id": "w", "status": "completed", "action": {"query": "sums"}},
            ToolCall("web_search", '{"query": "sums"}', ""),
        ),
        (
            {"type": "code_interpreter_call", "id": "c", "code": "2+2", "outputs": [{"type": "logs", "logs": "4"}]},
            ToolCall("code_interpreter", "2+2", "4"),
        ),
        (
            {
                "type": "file_search_call",
                "id": "f",
                "status": "completed",
                "queries": ["s"],
                "results": [{"text": "4"}],
            },
            ToolCall("file_search", '["s"]', "4"),
        ),
        (
            {"type": "mcp_call", "id": "m", "name": "add", "arguments": "2", "output": None, "error": "no server"},
            ToolCall("add", "2", "no server"),
        ),
        (
            {"type": "image_generation_call", "id": "i", "status": "completed", "result": "aGVsbG8="},
            ToolCall("image_generation", "", "[image]"),
        ),
    ],
    ids=["web", "code", "files", "MCP", "image"],
)
def test_tools_that_run_at_openai_are_calls_with_their_results(item: dict[str, Any], call: ToolCall) -> None:
    trace = read(response({"type": "mcp_list_tools", "id": "l", "tools": []}, item))
    assert (trace.tool_calls, trace.answer) == ((call,), "It is 4.")


def test_encrypted_reasoning_is_named() -> None:
    assert read(response({"type": "reasoning", "summary": [], "encrypted_content": "gA"})).thinking == (
        "[redacted reasoning]"
    )


RAN = [{"type": "text", "text": "I run it."}]
GEMINI_RAN = [
    {"text": "I run it.", "function_call": None},
    {"executableCode": {"language": "PYTHON", "code": "2+2"}},
    {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "4"}},
    {"text": "It is 4.", "inline_data": None},
]
ANTHROPIC_RAN = [
    *RAN,
    {"type": "server_tool_use", "id": "s", "name": "code_execution", "input": "2+2"},
    {"type": "code_execution_tool_result", "tool_use_id": "s", "content": "4"},
    {"type": "text", "text": "It is 4."},
]
INSPECT_RAN = [
    *RAN,
    {"type": "tool_use", "id": "s", "name": "code_execution", "arguments": "2+2", "result": "4", "error": None},
    {"type": "text", "text": "It is 4."},
]


@pytest.mark.parametrize(
    "value",
    [
        {"contents": [{"parts": [{"text": "q"}]}, {"role": "model", "parts": GEMINI_RAN}]},
        {"candidates": [{"content": {"parts": GEMINI_RAN}}], "modelVersion": "g"},
        {"type": "message", "role": "assistant", "model": "c", "content": ANTHROPIC_RAN},
        {"messages": [ASKED, {"role": "assistant", "content": INSPECT_RAN}]},
    ],
    ids=["Gemini", "response of Gemini", "Anthropic", "inspect"],
)
def test_what_is_said_behind_a_tool_of_the_provider_is_the_answer(value: dict[str, Any]) -> None:
    trace = read(value)
    assert (trace.thinking, trace.answer) == ("I run it.", "It is 4.")
    assert trace.tool_calls == (ToolCall("code_execution", "2+2", "4", 0),)


def test_hits_of_a_search_are_kept_whole() -> None:
    hits = [{"type": "web_search_result", "title": "Sums", "url": "https://example.org"}]
    parts = [
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "sums"}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": hits},
        {"type": "text", "text": "It is 4."},
    ]
    assert json.loads(read({"messages": [ASKED, {"role": "assistant", "content": parts}]}).tool_calls[0].output) == hits


def test_blocks_of_converse_that_are_no_text_are_named_and_cited_text_is_read() -> None:
    asked = [{"text": "Sum?"}, {"image": {"format": "png"}}, {"cachePoint": {"type": "default"}}]
    cited = [{"citationsContent": {"content": [{"text": "It is 4."}], "citations": []}}]
    trace = read({"messages": [{"role": "user", "content": asked}, {"role": "assistant", "content": cited}]})
    assert (trace.problem, trace.answer) == ("Sum?\n[image]\n", "It is 4.")


@pytest.mark.parametrize(
    ("value", "identifier"),
    [
        ({"custom_id": "a", "response": {"status_code": 200, "body": response()}, "error": None}, "a"),
        (
            {
                "custom_id": "b",
                "result": {"type": "succeeded", "message": {"role": "assistant", "content": "It is 4."}},
            },
            "b",
        ),
        ({"key": "c", "response": {"candidates": [{"content": {"parts": [{"text": "It is 4."}]}}]}}, "c"),
        ({"recordId": "d", "modelInput": {"messages": [ASKED]}, "modelOutput": {"output": "It is 4."}}, "d"),
    ],
    ids=["OpenAI", "Anthropic", "Gemini", "Bedrock"],
)
def test_a_line_of_a_batch_is_read_and_keeps_the_callers_id(value: dict[str, Any], identifier: str) -> None:
    trace = read(value)
    assert (trace.answer, trace.id) == ("It is 4.", identifier)


@pytest.mark.parametrize(
    "value",
    [
        {"custom_id": "a", "response": {"status_code": 429, "body": {"error": {"message": "too many"}}}},
        {"custom_id": "a", "response": None, "error": {"code": "batch_expired", "message": "too many"}},
        {"custom_id": "a", "result": {"type": "errored", "error": {"message": "too many"}}},
    ],
)
def test_a_request_that_failed_is_refused_with_its_reason(value: dict[str, Any]) -> None:
    with pytest.raises(BadRecordError, match=r"line 1: is the result of a request that failed: .*too many"):
        read(value)


def test_a_trajectory_of_swe_agent_keeps_observations_apart_from_thoughts() -> None:
    step = {"action": "ls\n", "observation": "a.py", "response": "I look.\nls", "thought": "I look."}
    history = [{"role": "system", "content": "Be careful.", "agent": "main"}, {**ASKED, "agent": "main"}]
    trace = read({"trajectory": [step], "history": history, "info": {"submission": "diff"}})
    assert (trace.problem, trace.thinking, trace.answer) == ("Be careful.\n\nWhat is 2 + 2?", "I look.", "diff")
    assert trace.tool_calls == (ToolCall("shell", "ls\n", "a.py", 0),)
    thought = {"role": "assistant", "content": "I look.\nls", "thought": "I look.", "action": "ls\n", "agent": "main"}
    older = read({"history": [*history, thought, {"role": "user", "content": "a.py", "agent": "main"}]})
    assert (older.thinking, older.tool_calls) == (trace.thinking, trace.tool_calls)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"input": None, "output": None}, "input: nothing was recorded"),
        ({"input": [["a"], ["b"]], "output": "4"}, "input: holds 2 texts or conversations"),
        ({"input": "q", "output": {"choices": [3]}}, r"output.choices\[0\]: must be an object"),
        ({"input": "q", "output": {"choices": [{"delta": {}}]}}, "holds no message or text"),
        ({"input": "q", "output": 4}, "output: must be text, a message or a list"),
        ({"input": [ASKED, 5], "output": "4"}, r"input\[1\]: must be an object"),
        ({"input": [ASKED, {"type": "brand_new", "words": "4"}], "output": "4"}, r"input\[1\].role: must be system"),
    ],
)
def test_a_side_in_no_form_is_refused_by_its_place(value: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadRecordError, match=f"line 1, .*{reason}"):
        read(value)


@pytest.mark.parametrize("wrapper", ["message", "messages", "output", "content"])
@pytest.mark.parametrize("depth", [3, 50, 900])
def test_wrappers_in_wrappers_end(wrapper: str, depth: int) -> None:
    value = json.loads(f'{{"{wrapper}": ' * depth + '"It is 4."' + "}" * depth)
    assert "It is 4." in read({"input": "q", "output": value}).answer
