"""The audit record becomes a trace, or a sentence that names the record and the field."""

import pytest

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json
from hdag.readers.records import Limits, read_record


def test_steps_without_thinking_are_joined_by_a_blank_line_and_an_empty_step_keeps_its_index():
    trace = read_record({"id": "a", "problem": "p", "steps": ["one", "", "three"]}, where="line 1")
    assert trace.thinking == "one\n\n\n\nthree"
    assert [(step.index, trace.thinking[step.start : step.end]) for step in trace.steps] == [(0, "one"), (2, "three")]


def test_steps_beside_thinking_are_found_in_it_in_order():
    trace = read_record({"problem": "p", "thinking": "a b a b", "steps": ["b", "a", "b"]}, where="line 1")
    assert [(step.start, step.end) for step in trace.steps] == [(2, 3), (4, 5), (6, 7)]


@pytest.mark.parametrize(
    ("record", "field"),
    [
        ([], "must be an object"),
        ({"problem": "p"}, "thinking"),
        ({"problem": "p", "steps": ["", " "]}, "thinking"),
        ({"thinking": "t"}, "problem"),
        ({"problem": 3, "thinking": "t"}, "problem"),
        ({"problem": "p", "thinking": "a\x00b"}, "thinking"),
        ({"problem": "p", "thinking": "a\ud800b"}, "thinking"),
        ({"problem": "p", "steps": "not a list"}, "steps"),
        ({"problem": "p", "steps": ["a", 7]}, "steps[1]"),
        ({"problem": "p", "thinking": "a b", "steps": ["b", "a"]}, "steps[1]"),
        ({"problem": "p", "thinking": "t", "tool_calls": [{"arguments": {}}]}, "tool_calls[0].name"),
        ({"problem": "p", "thinking": "t" * 2_000_001}, "at most 2,000,000 are taken"),
        ({"problem": "p", "thinking": "t", "id": True}, "id"),
    ],
)
def test_a_bad_record_is_refused_by_record_and_field(record, field):
    with pytest.raises(BadRecordError) as refused:
        read_record(record, where="line 9")
    assert str(refused.value).startswith("line 9")
    assert field in str(refused.value)


def test_the_limits_are_parameters():
    with pytest.raises(BadRecordError, match="steps: 3 items, the limit is 2"):
        read_record({"problem": "p", "steps": ["a", "b", "c"]}, where="line 1", limits=Limits(steps=2))


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":2}',
        '{"a":NaN}',
        "[1e999]",
        "[-Infinity]",
        "[" * 100_000,
        '{"a":' * 50_000,
        "",
        b"\xff{}",
        "[1] x",
        "9" * 5000,
    ],
)
def test_json_that_is_not_strict_is_refused(text):
    with pytest.raises(BadRecordError, match="line 3"):
        read_json(text, where="line 3")


@pytest.mark.parametrize("field", ["thinking", "answer"])
def test_a_thinking_ends_at_its_tag_in_whichever_field_it_comes(field):
    trace = read_record({"problem": "1+1?", field: "<think>1+1=2</think>It is 2."}, where="r")
    assert (trace.thinking, trace.answer) == ("1+1=2", "It is 2.")
