"""Answers are read strictly; nothing half-right passes (docs/threats.md 43)."""

import pytest

from hdag.chat.answers import UnusableAnswerError, read_answer

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["vote"],
    "properties": {"vote": {"enum": ["pass", "fail"]}, "confidence": {"type": "number", "minimum": 0.5, "maximum": 1}},
}


@pytest.mark.parametrize("text", ['{"vote": "pass"}', ' {"vote":"pass"}\n', '```json\n{"vote": "pass"}\n```'])
def test_one_object_is_read_with_or_without_a_fence(text):
    assert read_answer(text=text, schema=SCHEMA) == {"vote": "pass"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pass",
        "null",
        "[]",
        '"pass"',
        '{"vote": "maybe"}',
        '{"vote": "pass", "confidence": 2.0}',
        "{}",
        '{"vote": "pass"} {"vote": "fail"}',
        '{"vote": "fail", "vote": "pass"}',
        '{"vote": "pass", "confidence": NaN}',
        '{"vote": "pass", "confidence": 1e999}',
        '{"vote": "pass", "why": "x"}',
        'Sure: {"vote": "pass"}',
        '{"vote": "pass"',
        "[" * 100_000,
        '{"vote": "pass", "confidence": true}',
        " " * 500_000,
        '{"vote": "合格"}',
    ],
)
def test_anything_else_is_refused_with_its_violations(text):
    with pytest.raises(UnusableAnswerError) as caught:
        read_answer(text=text, schema=SCHEMA)
    assert caught.value.violations
    assert all(len(violation) <= 300 for violation in caught.value.violations)
