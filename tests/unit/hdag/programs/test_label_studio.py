"""Exports of Label Studio: what was labelled is the trace, and nothing of what annotators said of it is.

After docs/source/guide/export.md of HumanSignal/label-studio and its pages on the tags Chat (value.chatmessage),
Paragraphs and Pairwise; read 2026-11-29. The words are our own.
"""

import io
import json
from typing import Any

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.values import ToolCall, Trace
from hdag.readers import detect, read_any
from hdag.readers.archives.surveys import survey
from hdag.readers.records import DEFAULT_LIMITS

ERROR = {
    "id": "Dx_aB91ISN",
    "from_name": "label",
    "to_name": "text",
    "type": "labels",
    "origin": "manual",
    "value": {"start": 8, "end": 17, "text": "2 + 2 = 5", "labels": ["Wrong step"]},
}
CHOICE = {"from_name": "verdict", "to_name": "text", "type": "choices", "value": {"choices": ["no"]}}
TALK = [{"role": "user", "content": "What is 2 + 2?"}, {"role": "assistant", "content": "It is 4."}]


def annotation(number: int, *results: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "id": number,
        "completed_by": 10,
        "result": list(results),
        "was_cancelled": False,
        "ground_truth": False,
        "lead_time": 4.288,
        **fields,
    }


def task(data: dict[str, Any], *annotations: dict[str, Any], **fields: Any) -> dict[str, Any]:
    said = list(annotations) or [annotation(7, ERROR, CHOICE)]
    shape = {"id": 1, "data": data, "annotations": said, "drafts": [], "predictions": [], "meta": {}, "project": 83}
    return {**shape, "inner_id": 1, "created_at": "2026-01-02T03:04:05Z", **fields}


def read(value: dict[str, Any]) -> tuple[Trace, ...]:
    assert detect(value) == "Label Studio"
    return read_any(json.loads(json.dumps(value)), where="line 1")


def message(role: str, content: str) -> dict[str, Any]:
    value = {"chatmessage": {"role": role, "content": content, "createdAt": 1755872989436}}
    return {"from_name": "chat", "to_name": "chat", "type": "chatmessage", "value": value}


@pytest.mark.parametrize(
    "data",
    [
        {"question": "What is 2 + 2?", "reasoning": "I add: 2 + 2 = 4.", "answer": "4"},
        {"prompt": "What is 2 + 2?", "text": "I add: 2 + 2 = 4.", "response": "4", "url": "x"},
        {"problem": "What is 2 + 2?", "response": "<think>I add: 2 + 2 = 4.</think>4"},
        {"instruction": "What is 2 + 2?", "steps": ["I add: 2 + 2 = 4."], "output": "4"},
    ],
)
def test_a_text_task_is_read_by_the_names_of_its_fields(data: dict[str, Any]) -> None:
    (trace,) = read(task(data))
    assert (trace.id, trace.problem) == ("1", "What is 2 + 2?")
    assert (trace.thinking, trace.answer) == ("I add: 2 + 2 = 4.", "4")


def test_where_an_annotator_marked_an_error_is_no_step_and_no_word_of_the_trace() -> None:
    (trace,) = read(task({"text": "We add: 2 + 2 = 5. So 5."}))
    assert (trace.thinking, trace.steps) == ("We add: 2 + 2 = 5. So 5.", ())
    assert "Wrong step" not in repr(trace)


@pytest.mark.parametrize(
    "rows",
    [
        TALK,
        [{"author": "Customer", "text": "What is 2 + 2?"}, {"author": "AI assistant", "text": "It is 4."}],
        [{"speaker": "user", "text": "What is 2 + 2?"}, {"speaker": "gpt-bot", "text": "It is 4."}],
    ],
    ids=["chat", "paragraphs", "speakers"],
)
def test_a_conversation_is_read_whatever_its_field_is_called(rows: list[Any]) -> None:
    (trace,) = read(task({"dialogue": rows, "source": "log"}))
    assert (trace.problem, trace.answer) == ("What is 2 + 2?", "It is 4.")


def test_messages_that_an_annotation_adds_to_a_chat_are_a_trace_for_each_annotation() -> None:
    more = [
        annotation(7, message("user", "Sure?"), message("assistant", "Yes.")),
        annotation(8, message("assistant", "No.")),
    ]
    left = annotation(9, message("assistant", "Never."), was_cancelled=True)
    first, second = read(task({"chat": TALK}, *more, left))
    assert (first.id, first.problem, first.answer) == ("1/7", "What is 2 + 2?\n\nSure?", "Yes.")
    assert (second.id, second.thinking, second.answer) == ("1/8", "It is 4.", "No.")


@pytest.mark.parametrize(
    ("data", "ids"),
    [
        ({"prompt": "What is 2 + 2?", "answer1": "It is 4.", "answer2": "It is 5."}, ["1/answer1", "1/answer2"]),
        ({"prompt": "What is 2 + 2?", "text1": "It is 4.", "text2": "It is 5."}, ["1/text1", "1/text2"]),
        ({"chat": TALK[:1], "response_a": "It is 4.", "response_b": "It is 5."}, ["1/response_a", "1/response_b"]),
        (
            {
                "prompt": "What is 2 + 2?",
                "items": [{"id": "m1", "body": "It is 4."}, {"id": "m2", "title": "x", "body": "It is 5."}],
            },
            ["1/m1", "1/m2"],
        ),
        ({"left": TALK, "right": [TALK[0], {"role": "assistant", "content": "It is 5."}]}, ["1/left", "1/right"]),
    ],
    ids=["answers", "pairwise", "answers to a chat", "list", "two chats"],
)
def test_answers_that_were_compared_are_a_trace_each(data: dict[str, Any], ids: list[str]) -> None:
    traces = read(task(data))
    assert [(trace.id, trace.problem) for trace in traces] == [(name, "What is 2 + 2?") for name in ids]
    assert [trace.answer for trace in traces] == ["It is 4.", "It is 5."]


def test_an_answer_that_only_an_annotation_holds_is_read() -> None:
    written = {"from_name": "response", "to_name": "prompt", "type": "textarea", "value": {"text": ["It is 4."]}}
    (trace,) = read(task({"prompt": "What is 2 + 2?"}, annotation(7, written)))
    assert (trace.id, trace.answer) == ("1/7", "It is 4.")


def test_calls_of_tools_in_a_chat_are_calls() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    rows = [TALK[0], {"role": "assistant", "content": None, "tool_calls": [call]}]
    rows += [{"role": "tool", "tool_call_id": "c", "content": "4"}, TALK[1]]
    (trace,) = read(task({"chat": rows}))
    assert trace.tool_calls == (ToolCall("add", "{}", "4"),)


def test_a_record_of_json_min_is_read_and_its_labels_are_named_as_left_alone() -> None:
    record = {
        "id": 1,
        "question": "What is 2 + 2?",
        "solution": "2 + 2 = 4.",
        "label": [ERROR["value"]],
        "verdict": "no",
        "annotator": 1,
        "annotation_id": 7,
        "created_at": "2026-01-02T03:04:05Z",
        "updated_at": "2026-01-02T03:04:05Z",
        "lead_time": 4.2,
    }
    (trace,) = read(record)
    assert (trace.problem, trace.thinking) == ("What is 2 + 2?", "2 + 2 = 4.")
    seen = survey(lines=io.BytesIO(json.dumps([record], indent=1).encode()), limits=DEFAULT_LIMITS)
    assert seen.ignored == ("label", "verdict")


def test_an_export_is_a_document_of_tasks_of_which_a_bad_one_spoils_no_other() -> None:
    tasks = [task({"text": "2 + 2 = 4."}), task({"image": "https://example.org/a.png"}), task({"text": "1 + 1 = 2."})]
    seen = survey(lines=io.BytesIO(json.dumps(tasks, indent=2).encode()), limits=DEFAULT_LIMITS)
    assert [trace.thinking for trace in seen.traces] == ["2 + 2 = 4.", "1 + 1 = 2."]
    (bad,) = seen.bad
    assert bad.number == 2
    assert bad.problem.startswith("the document, record 2, data: holds no conversation, reasoning or answer")
    assert "(image)" in bad.problem
    assert "annotations" in seen.ignored


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"text": 5}, "data, thinking: must be text"),
        ({"chat": [{"role": "robot", "content": "x"}]}, r"data.chat\[0\].role"),
        ({"items": [{"id": 1}], "prompt": "q"}, r"data.items\[0\]: holds no body"),
        ({"steps": [1]}, r"data, steps\[0\]: must be text"),
    ],
)
def test_a_task_in_no_form_is_refused_by_its_field(data: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRecordError, match=f"line 1, {field}"):
        read(task(data))
