"""Exports of ChatGPT, of Claude's app and of Open WebUI: the branch that was shown, tools apart from what was thought.

After docs/chatgpt-data-export-format.md of mitkury/chatgpt-export-parser, docs/providers/claude-ai.md of
Sinity/polylogue and README.md of chromaticsequence/aistudio_to_openwebui_migration; 2026-11-29. The words are ours.
"""

import html
import json
from typing import Any

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.invariants import find_violations
from hdag.core.values import ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers import detect, read_any


def read(value: Any, name: str) -> Trace:
    assert detect(value[0] if isinstance(value, list) else value) == name
    (trace,) = read_any(json.loads(json.dumps(value)), where="line 1")
    assert find_violations(trace=trace, graph=RulesDecomposer().decompose(trace)) == ()
    return trace


def said(role: str, *parts: Any, name: str | None = None, to: str = "all", **content: Any) -> dict[str, Any]:
    return {
        "author": {"role": role, "name": name, "metadata": {}},
        "create_time": None,
        "content": {"content_type": "text", "parts": list(parts)} | content if parts or not content else content,
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {"model_slug": "gpt-x"} if role == "assistant" else {},
        "recipient": to,
    }


def tree(*messages: dict[str, Any] | None, **fields: Any) -> dict[str, Any]:
    keys = [f"n{index}" for index in range(len(messages))]
    nodes = {
        key: {"id": key, "message": message, "parent": keys[index - 1] if index else None, "children": []}
        for index, (key, message) in enumerate(zip(keys, messages, strict=True))
    }
    return {"title": "Sums", "create_time": 1.5, "mapping": nodes, "current_node": keys[-1], "id": "c1", **fields}


THOUGHTS = [{"summary": "Adding", "content": "I add.", "chunks": [], "finished": True}, {"summary": "Then check"}]
CHAT = (
    None,
    said("system", ""),
    said("user", {"content_type": "image_asset_pointer", "asset_pointer": "x"}, "What is 2 + 2?"),
    said("assistant", content_type="thoughts", thoughts=THOUGHTS, source_analysis_msg_id="m"),
    said("assistant", content_type="code", language="unknown", text="print(2 + 2)", to="python"),
    said("tool", content_type="execution_output", text="4", name="python"),
    said("tool", "done", name="python"),
    said("assistant", content_type="reasoning_recap", content="Thought for 3s"),
    said("assistant", "It is 4."),
)


def test_the_shown_branch_of_chatgpt_becomes_steps_calls_and_the_answer() -> None:
    trace = read([tree(*CHAT)], "ChatGPT export")
    assert (trace.problem, trace.answer) == ("[image]\nWhat is 2 + 2?", "It is 4.")
    assert trace.thinking == "I add.\n\nThen check"
    assert trace.tool_calls == (ToolCall("python", "print(2 + 2)", "4\ndone", 0),)
    assert (trace.id, trace.title, trace.model_name) == ("c1", "Sums", "gpt-x")


def test_branches_that_were_left_are_not_read() -> None:
    chat = tree(*CHAT)
    chat["mapping"]["other"] = {"id": "other", "message": said("assistant", "It is 5."), "parent": "n2", "children": []}
    assert read(chat, "ChatGPT export") == read([tree(*CHAT)], "ChatGPT export")
    assert read(chat | {"current_node": "other"}, "ChatGPT export").answer == "It is 5."


def test_a_tree_that_bites_its_tail_is_refused() -> None:
    chat = tree(*CHAT)
    chat["mapping"]["n0"]["parent"] = "n8"
    with pytest.raises(BadRecordError, match=r"line 1, mapping.n8: is its own ancestor"):
        read_any(chat, where="line 1")


def test_every_conversation_of_an_export_is_a_trace_and_a_bad_one_is_named() -> None:
    assert [trace.id for trace in read_any([tree(*CHAT), tree(*CHAT, id="c2")], where="line 1")] == ["c1", "c2"]
    bad = tree(said("user", "q"), said("robot", "a"))
    with pytest.raises(BadRecordError, match=r"line 1, record 2, mapping.n1.message.author.role"):
        read_any([tree(*CHAT), bad], where="line 1")


CLAUDE = {
    "uuid": "c3",
    "name": "Sums",
    "account": {"uuid": "a"},
    "chat_messages": [
        {
            "uuid": "m1",
            "sender": "human",
            "text": "What is 2 + 2?",
            "content": [{"type": "text", "text": "What is 2 + 2?", "citations": []}],
            "attachments": [{"file_name": "a.txt", "extracted_content": "Mind the sign.", "file_size": 3}],
            "files": [],
        },
        {
            "uuid": "m2",
            "sender": "assistant",
            "text": "",
            "content": [
                {"type": "thinking", "thinking": "I add.", "summaries": [], "cut_off": False},
                {"type": "tool_use", "id": None, "name": "repl", "input": {"code": "2 + 2"}},
                {
                    "type": "tool_result",
                    "tool_use_id": None,
                    "name": "repl",
                    "content": [{"type": "text", "text": "4"}],
                },
                {"type": "token_budget"},
                {"type": "text", "text": "It is 4."},
            ],
            "attachments": [],
        },
    ],
}


def test_an_export_of_claudes_app_becomes_steps_calls_and_the_answer() -> None:
    trace = read([CLAUDE], "chat export")
    assert (trace.problem, trace.answer) == ("What is 2 + 2?\n\nMind the sign.", "It is 4.")
    assert (trace.thinking, trace.id, trace.title) == ("I add.", "c3", "Sums")
    assert [(call.name, call.output) for call in trace.tool_calls] == [("repl", "4")]


FOLDED = (
    '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n'
    "&gt; I add.\n> 2 &lt; 3.\n</details>\nI run it.\n"
)
CALLED = '<details type="tool_calls" done="true" id="call_1" name="run" arguments="{}"'.format(
    html.escape(html.escape('{"code": "2 + 2"}')).replace("&amp;", "&")
)


@pytest.mark.parametrize(
    "call",
    [
        f'{CALLED} result="&quot;4 &gt; 3&quot;">\n<summary>Tool Executed</summary>\n</details>\n',
        f"{CALLED}>\n<summary>Tool Executed</summary>\n&quot;4 &gt; 3&quot;\n</details>\n",
    ],
    ids=["result in an attribute", "result inside"],
)
def test_parts_that_fold_out_in_open_webui_are_reasoning_and_calls(call: str) -> None:
    messages = {
        "a": {"id": "a", "parentId": None, "childrenIds": ["b"], "role": "user", "content": "What is 2 + 2?"},
        "b": {"id": "b", "parentId": "a", "role": "assistant", "content": f"{FOLDED}{call}It is 4.", "model": "m/1"},
        "c": {"id": "c", "parentId": "a", "role": "assistant", "content": "It is 5.", "model": "m/2"},
    }
    chat = {"title": "Sums", "models": ["m/1"], "history": {"messages": messages, "currentId": "b"}, "messages": []}
    trace = read({"id": "c4", "user_id": "u", "title": "Sums", "chat": chat}, "chat export")
    assert (trace.thinking, trace.answer) == ("I add.\n2 < 3.\n\nI run it.", "It is 4.")
    assert trace.tool_calls == (ToolCall("run", '{"code": "2 + 2"}', '"4 > 3"', 1),)
    assert (trace.id, trace.model_name) == ("c4", "m/1")


@pytest.mark.parametrize(
    "text",
    ['<details type="reasoning" done="true">never closed', '<details type="', "a</details>b", "<details>x</details>"],
)
def test_a_fold_that_is_none_is_what_the_model_wrote(text: str) -> None:
    chat = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": text}]}
    assert read({"id": "c5", "chat": chat}, "chat export").answer == text
