"""Sessions of Claude Code and of Codex: a line an event, and all of them the conversation that was held.

After notes/transcript-format.md of DRMacIver/claude-reliability, docs/JSONL-STRUCTURE.md of alicoding/claude-parser,
docs/codex-format.md of kvsankar/agent-history and .agent/research/codex/format-comparison.md of jnarowski/agentcmd;
read 2026-11-29. The words are our own.
"""

import json
from typing import Any

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.invariants import find_violations
from hdag.core.values import ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers import detect, read_any


def read_all(value: list[Any], name: str) -> tuple[Trace, ...]:
    assert detect(value) == name
    traces = read_any(json.loads(json.dumps(value)), where="lines 1 to 9")
    assert not any(find_violations(trace=trace, graph=RulesDecomposer().decompose(trace)) for trace in traces)
    return traces


def line(number: int, kind: str, content: Any, parent: int | None = None, **fields: Any) -> dict[str, Any]:
    """An event of a transcript that goes on with the one before, or with `parent`."""
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": "msg_1", "model": "claude-x", "type": "message", "stop_reason": None, "usage": {}}
    return {
        "parentUuid": f"u{number - 1 if parent is None else parent}" if number else None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/somebody",
        "sessionId": "s1",
        "version": "2.0.1",
        "type": kind,
        "message": message,
        "uuid": f"u{number}",
        "timestamp": f"2026-01-02T03:04:{number:02}.000Z",
        **fields,
    }


def result(key: str, output: Any) -> list[dict[str, Any]]:
    return [{"tool_use_id": key, "type": "tool_result", "content": output}]


READ = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file": "a.py"}}
SESSION = [
    {"type": "summary", "summary": "Sums in a.py", "leafUuid": "u6"},
    {"type": "file-history-snapshot", "messageId": "u0", "snapshot": {}, "isSnapshotUpdate": False},
    line(0, "user", "What does a.py add?"),
    line(1, "user", "<local-command-stdout></local-command-stdout>", isMeta=True),
    line(2, "assistant", [{"type": "thinking", "thinking": "I must read it.", "signature": "EqQB"}]),
    line(3, "assistant", [{"type": "text", "text": "I read the file."}]),
    line(4, "assistant", [READ]),
    line(5, "user", result("toolu_1", [{"type": "text", "text": "2 + 2"}]), toolUseResult={"file": {}}),
    line(6, "assistant", [{"type": "text", "text": "It adds 2 and 2."}]),
    {"type": "system", "subtype": "turn_duration", "uuid": "u7", "sessionId": "s1", "content": "3 s"},
]


def test_a_transcript_becomes_steps_calls_and_the_answer() -> None:
    (trace,) = read_all(SESSION, "Claude Code")
    assert (trace.problem, trace.answer) == ("What does a.py add?", "It adds 2 and 2.")
    assert trace.thinking == "I must read it.\n\nI read the file."
    assert trace.tool_calls == (ToolCall("Read", '{"file": "a.py"}', "2 + 2", 1),)
    assert (trace.id, trace.title, trace.model_name) == ("s1", "Sums in a.py", "claude-x")


def test_events_that_a_resumed_session_repeats_are_read_once() -> None:
    assert read_all([*SESSION, *SESSION[2:]], "Claude Code") == read_all(SESSION, "Claude Code")


def test_a_subagent_is_a_conversation_of_its_own() -> None:
    side = [
        line(20, "user", "Look for sums.", isSidechain=True, parentUuid=None),
        line(21, "assistant", [{"type": "text", "text": "There is one."}], isSidechain=True),
    ]
    main, sub = read_all([*SESSION[:5], *side, *SESSION[5:]], "Claude Code")
    assert main.thinking == "I must read it.\n\nI read the file."
    assert (sub.problem, sub.answer, sub.id) == ("Look for sums.", "There is one.", "s1/u20")
    named = [event | {"agentId": "a7"} for event in side]
    assert read_all(named, "Claude Code")[0].id == "s1/a7"


def test_a_question_that_was_asked_anew_leaves_its_branch_behind() -> None:
    anew = [line(8, "user", "And in b.py?", parent=6), line(9, "assistant", [{"type": "text", "text": "Nothing."}])]
    again = [line(10, "user", "And in c.py?", parent=6), line(11, "assistant", [{"type": "text", "text": "3 + 3."}])]
    (trace,) = read_all([*SESSION, *anew, *again], "Claude Code")
    assert trace.problem == "What does a.py add?\n\nAnd in c.py?"
    assert "Nothing." not in trace.thinking


def test_errors_of_the_programs_server_and_summaries_are_no_words_of_the_model() -> None:
    error = line(7, "assistant", [{"type": "text", "text": "API Error: 529"}], isApiErrorMessage=True)
    packed = line(8, "user", "This session goes on with another: ...", isCompactSummary=True)
    assert read_all([*SESSION, error, packed], "Claude Code") == read_all(SESSION, "Claude Code")


def test_a_stream_of_the_program_is_read_as_its_transcript() -> None:
    stream = [
        {"type": "system", "subtype": "init", "session_id": "s2", "tools": ["Read"], "model": "claude-x"},
        {"type": "assistant", "message": {"content": [READ]}, "session_id": "s2", "parent_tool_use_id": None},
        {"type": "user", "message": {"content": result("toolu_1", "2 + 2")}, "session_id": "s2"},
        {"type": "assistant", "message": {"content": [{"type": "text", "text": "4"}]}, "session_id": "s2"},
        {"type": "result", "subtype": "success", "result": "4", "session_id": "s2", "total_cost_usd": 0.1},
    ]
    (trace,) = read_all(stream, "Claude Code")
    assert (trace.answer, trace.id) == ("4", "s2")
    assert trace.tool_calls == (ToolCall("Read", '{"file": "a.py"}', "2 + 2"),)


def item(number: int, **payload: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-01-02T03:04:{number:02}Z", "type": "response_item", "payload": payload}


def words(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


ITEMS = [
    words("user", "What does a.py add?"),
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "I must read it."}], "encrypted_content": "gA"},
    {"type": "function_call", "name": "shell", "arguments": '{"command": ["cat"]}', "call_id": "call_1"},
    {"type": "function_call_output", "call_id": "call_1", "output": '{"output": "2 + 2", "metadata": {}}'},
    words("assistant", "It adds 2 and 2."),
]
ROLLOUT = [
    {"timestamp": "t", "type": "session_meta", "payload": {"id": "s3", "cwd": "/", "instructions": None}},
    {"timestamp": "t", "type": "turn_context", "payload": {"model": "gpt-x", "effort": "high"}},
    item(1, **ITEMS[0]),
    {"timestamp": "t", "type": "event_msg", "payload": {"type": "agent_reasoning", "text": "I must read it."}},
    *(item(number, **row) for number, row in enumerate(ITEMS[1:], 2)),
    {"timestamp": "t", "type": "event_msg", "payload": {"type": "token_count", "info": None}},
]
OLDER = [{"id": "s3", "timestamp": "t", "instructions": None, "git": {}}, {"record_type": "state"}, *ITEMS]
STREAM = [
    {"type": "thread.started", "thread_id": "s3"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"id": "i0", "type": "reasoning", "text": "I must read it."}},
    {
        "type": "item.completed",
        "item": {"type": "command_execution", "command": "cat", "aggregated_output": "2 + 2", "exit_code": 0},
    },
    {"type": "item.completed", "item": {"id": "i1", "type": "agent_message", "text": "It adds 2 and 2."}},
    {"type": "turn.completed", "usage": {"input_tokens": 9}},
]


@pytest.mark.parametrize("lines", [ROLLOUT, OLDER, STREAM], ids=["rollout", "older", "exec --json"])
def test_a_rollout_becomes_steps_calls_and_the_answer(lines: list[Any]) -> None:
    (trace,) = read_all(lines, "Codex")
    assert (trace.thinking, trace.answer, trace.id) == ("I must read it.", "It adds 2 and 2.", "s3")
    assert [(call.name, call.step) for call in trace.tool_calls] == [("shell", 0)]
    assert "2 + 2" in trace.tool_calls[0].output
    assert trace.problem == ("" if lines is STREAM else "What does a.py add?")


def test_a_search_of_codex_and_an_output_that_no_call_waits_for_are_calls() -> None:
    search = item(7, type="web_search_call", id="w", status="completed", action={"type": "search", "query": "sums"})
    late = item(8, type="custom_tool_call_output", call_id="gone", output="9")
    (trace,) = read_all([*ROLLOUT[:-2], search, late, item(9, **ITEMS[-1])], "Codex")
    assert [call.text for call in trace.tool_calls[1:]] == [
        'web_search({"query": "sums", "type": "search"}) -> ',
        "environment() -> 9",
    ]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([*SESSION, 5], r"events\[10\]: must be an object"),
        (SESSION[:3], "events: no event holds what the model answered"),
        ([*SESSION, line(7, "assistant", [{"type": "text", "text": 3}])], r"events\[10\].message.content\[0\].*text"),
        ([*ROLLOUT, "x"], r"lines\[9\]: must be an object"),
        (ROLLOUT[:2], "lines: no assistant message holds text"),
        ([*ROLLOUT, item(9, **words("assistant", "a\x00"))], r"lines\[9\].payload.*NUL"),
    ],
)
def test_a_session_in_no_form_is_refused_by_its_place(lines: list[Any], reason: str) -> None:
    with pytest.raises(BadRecordError, match=f"lines 1 to 9, {reason}"):
        read_any(lines, where="lines 1 to 9")
