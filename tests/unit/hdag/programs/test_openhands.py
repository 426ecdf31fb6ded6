"""OpenHands, before the SDK and since: actions are calls, observations their results, and neither is reasoning.

After openhands/events/serialization/event.py and events/action/*.py of OpenHands, evaluation/utils/shared.py
(EvalOutput), and openhands/sdk/event of software-agent-sdk (docs/sdk/arch/events.md); read 2026-11-29. The words are
our own; odd fields, nulls, repeated events and events of the program are those that it writes.
"""

import json
from typing import Any

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.invariants import find_violations
from hdag.core.values import ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers import detect, read_any


def read(value: Any) -> Trace:
    assert detect(value) == "OpenHands"
    (trace,) = read_any(json.loads(json.dumps(value)), where="line 1")
    assert find_violations(trace=trace, graph=RulesDecomposer().decompose(trace)) == ()
    return trace


def at(second: int) -> str:
    return f"2026-01-02T03:04:{second:02}.000000"


def older(number: int, source: str, **fields: Any) -> dict[str, Any]:
    return {"id": number, "timestamp": at(number), "source": source, "message": "shown to people", **fields}


RUN_ARGS = {
    "command": "ls",
    "is_input": False,
    "thought": "I look around.",
    "blocking": False,
    "hidden": False,
    "confirmation_state": "confirmed",
    "security_risk": None,
}
OLDER = [
    older(0, "agent", action="system", args={"content": "You are careful.", "tools": [{}], "agent_class": "CodeAct"}),
    older(1, "user", action="message", args={"content": "Which file is there?", "image_urls": [], "wait": True}),
    older(2, "user", action="recall", args={"recall_type": "workspace_context", "query": "q", "thought": ""}),
    older(3, "environment", observation="recall", content="Added workspace context", cause=2, extras={}),
    older(4, "environment", observation="agent_state_changed", content="", extras={"agent_state": "running"}),
    older(5, "agent", action="run", args=RUN_ARGS, timeout=120),
    older(6, "agent", observation="run", content="a.py", cause=5, extras={"command": "ls"}, success=True),
    older(7, "agent", action="think", args={"thought": "It must be a.py."}),
    older(8, "agent", observation="think", content="Your thought has been logged.", cause=7, extras={}),
    older(9, "environment", observation="error", content="The server was busy.", extras={"error_id": ""}),
    older(10, "agent", action="finish", args={"final_thought": "It is a.py.", "outputs": {}, "thought": ""}),
]


def newer(number: int, kind: str, source: str, **fields: Any) -> dict[str, Any]:
    return {"id": f"e-{number}", "timestamp": at(number), "source": source, "kind": kind, **fields}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words, "cache_prompt": False}


def called(name: str, key: str, **action: Any) -> dict[str, Any]:
    arguments = json.dumps({name: value for name, value in action.items() if name != "kind"})
    call = {"id": key, "name": name, "arguments": arguments, "origin": "completion"}
    return {"tool_name": name, "tool_call_id": key, "tool_call": call, "action": action, "llm_response_id": "r"}


NEWER = [
    newer(0, "SystemPromptEvent", "agent", system_prompt=text("You are careful."), tools=[]),
    newer(
        1,
        "MessageEvent",
        "user",
        llm_message={"role": "user", "content": [text("Which file is there?")], "thinking_blocks": []},
        extended_content=[],
    ),
    newer(2, "ConversationStateUpdateEvent", "environment", key="execution_status", value="running"),
    newer(
        3,
        "ActionEvent",
        "agent",
        thought=[text("I look around.")],
        reasoning_content="They want a name.",
        thinking_blocks=[],
        responses_reasoning_item=None,
        **called("terminal", "c1", command="ls", kind="TerminalAction"),
    ),
    newer(
        4,
        "ActionEvent",
        "agent",
        thought=[],
        reasoning_content=None,
        **called("terminal", "c2", command="pwd", kind="TerminalAction"),
    ),
    newer(
        5,
        "ObservationEvent",
        "environment",
        tool_name="terminal",
        tool_call_id="c2",
        action_id="e-4",
        observation={"kind": "TerminalObservation", "content": [text("/")], "is_error": False, "exit_code": 0},
    ),
    newer(
        6,
        "ObservationEvent",
        "environment",
        tool_name="terminal",
        tool_call_id="c1",
        observation={"kind": "TerminalObservation", "output": "a.py", "exit_code": 0},
    ),
    newer(
        7,
        "ActionEvent",
        "agent",
        thought=[],
        **called("think", "c3", thought="It must be a.py.", kind="ThinkAction"),
    ),
    newer(
        8,
        "ObservationEvent",
        "environment",
        tool_name="think",
        tool_call_id="c3",
        observation={"kind": "ThinkObservation", "content": [text("Your thought has been logged.")]},
    ),
    newer(9, "AgentErrorEvent", "agent", tool_name="editor", tool_call_id="c9", error="There is no tool editor."),
    newer(10, "ActionEvent", "agent", thought=[], **called("finish", "c4", message="It is a.py.", kind="FinishAction")),
]
PROBLEM = "You are careful.\n\nWhich file is there?"


def test_events_of_before_the_sdk_become_steps_calls_and_the_answer() -> None:
    trace = read(OLDER)
    assert (trace.problem, trace.answer) == (PROBLEM, "It is a.py.")
    assert trace.thinking == "I look around.\n\nIt must be a.py."
    assert [call.text for call in trace.tool_calls] == [
        "run(ls) -> a.py",
        "environment() -> The server was busy.",
    ]


def test_events_of_the_sdk_become_steps_calls_and_the_answer() -> None:
    trace = read({"items": NEWER, "next_page_id": None})
    assert (trace.problem, trace.answer) == (PROBLEM, "It is a.py.")
    assert trace.thinking == "They want a name.\n\nI look around.\n\nIt must be a.py."
    assert trace.tool_calls[:2] == (
        ToolCall("terminal", '{"command": "ls"}', "a.py", 1),
        ToolCall("terminal", '{"command": "pwd"}', "/", 1),
    )
    assert trace.tool_calls[2].text == "editor() -> There is no tool editor."


@pytest.mark.parametrize("events", [OLDER, NEWER], ids=["older", "newer"])
def test_events_out_of_order_and_written_twice_are_read_in_time_and_once(events: list[Any]) -> None:
    assert read([events[0], *reversed(events)]) == read(events)


@pytest.mark.parametrize("events", [OLDER, NEWER], ids=["older", "newer"])
def test_nothing_that_a_tool_or_the_program_said_is_a_step(events: list[Any]) -> None:
    steps = " ".join(s.content for s in RulesDecomposer().decompose(read(events)).segments if s.source == "thinking")
    assert steps
    for words in ("a.py\n", "busy", "logged", "workspace", "no tool", "shown to people", "running"):
        assert words not in steps


def test_a_line_of_a_benchmark_keeps_its_id_and_model() -> None:
    line = {
        "instance_id": "django__django-1",
        "instruction": "Fix it.",
        "instance": {"repo": "django/django"},
        "metadata": {"llm_config": {"model": "m/1", "api_key": None}},
        "history": OLDER,
        "test_result": {"git_patch": "diff --git"},
        "error": None,
    }
    trace = read(line)
    assert (trace.id, trace.model_name, trace.answer) == ("django__django-1", "m/1", "It is a.py.")
    pairs = [[OLDER[5], OLDER[6]], [OLDER[7], OLDER[8]]]
    older_line = read({**line, "history": pairs, "metadata": {"llm": {"model": "m/2"}}})
    assert (older_line.problem, older_line.answer, older_line.model_name) == ("Fix it.", "diff --git", "m/2")
    assert older_line.tool_calls == (ToolCall("run", "ls", "a.py", 0),)
    with pytest.raises(BadRecordError, match=r"line 1, history: holds no event .*runtime died"):
        read_any({**line, "history": [], "error": "runtime died"}, where="line 1")


def test_a_call_is_told_as_the_model_wrote_it_and_its_reasoning_once() -> None:
    call = {"id": "t1", "type": "function", "function": {"name": "execute_bash", "arguments": '{"command": "ls"}'}}
    message = {"content": "I look around.", "reasoning_content": "Hm.", "tool_calls": [call]}
    meta = {
        "function_name": "execute_bash",
        "tool_call_id": "t1",
        "model_response": {"id": "r1", "choices": [{"message": message}]},
    }
    twice = [older(5, "agent", action="run", args=RUN_ARGS, tool_call_metadata=meta)]
    twice += [older(6, "agent", action="run", args=RUN_ARGS | {"thought": ""}, tool_call_metadata=meta)]
    trace = read([OLDER[1], *twice])
    assert trace.thinking == "Hm.\n\nI look around."
    assert trace.tool_calls[0] == ToolCall("execute_bash", '{"command": "ls"}', "", 1)


def test_an_observation_of_an_unknown_action_is_a_call_of_its_own() -> None:
    late = older(12, "agent", observation="browse", content="A page.", cause=99, extras={"url": "u"})
    trace = read([*OLDER[:-1], late, older(13, "agent", action="message", args={"content": "Done."})])
    assert (trace.tool_calls[-1].text, trace.answer) == ("browse() -> A page.", "Done.")


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"kind": "BrandNewEvent", "id": "x", "source": "agent"}, r"events\[1\].kind: 'BrandNewEvent' is no kind"),
        ({"words": 1}, r"events\[1\]: is no event"),
        ("text", r"events\[1\]: must be an object"),
        (older(2, "agent", action="message", args={"content": [5]}), r"events\[1\].args.content\[0\]: must be"),
        (older(2, "agent", action="run", args={"command": "a\x00"}), r"events\[1\].args.*NUL"),
    ],
)
def test_an_event_in_no_form_is_refused_by_its_place(event: Any, reason: str) -> None:
    with pytest.raises(BadRecordError, match=f"line 1, {reason}"):
        read_any([OLDER[1], event], where="line 1")
