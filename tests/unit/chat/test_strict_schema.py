"""Every schema that is sent keeps to the subset that all servers take."""

import ast
from pathlib import Path

import pytest

from auditing.services.model_tier.questions import example_questions
from hdag.chat.strict_schema import check_strict, find_strict_violations, strict_schema
from tests.doubles.dialects import schemas

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("hdag", "auditing", "accounts", "trustweb")


@pytest.mark.parametrize("question", example_questions(), ids=lambda question: question.purpose)
def test_every_schema_that_is_sent_is_in_the_strictest_subset(question):
    sent = strict_schema(question.schema)
    check_strict(sent)
    rules = (schemas.openai_strict, schemas.anthropic_strict, schemas.gemini_schema, schemas.grammar)
    assert [rule(sent) for rule in rules] == ["", "", "", ""]


def test_no_question_of_the_product_is_missing_from_the_examples():
    """Whatever names a purpose in the code is tried by a probe."""
    named = set()
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        source = path.read_text()
        for node in ast.walk(ast.parse(source)) if "purpose=" in source else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Question", "fenced_question", "Task"):
                named |= {
                    keyword.value.value
                    for keyword in node.keywords
                    if keyword.arg == "purpose" and isinstance(keyword.value, ast.Constant)
                }
    assert named - {"probe", "odds"} <= {question.purpose for question in example_questions()}


def test_bounds_travel_in_words():
    sent = strict_schema({"type": "array", "maxItems": 8, "items": {"type": "string", "maxLength": 600}})
    assert sent["description"] == "at most 8 entries"
    assert sent["items"] == {"type": "string", "description": "at most 600 characters"}


@pytest.mark.parametrize(
    ("node", "rule"),
    [
        ({"enum": ["a"]}, "no type"),
        ({"type": "string", "enum": ["a", ""]}, "an enum holds words that are not empty"),
        ({"type": "integer", "enum": [0, 1]}, "an enum holds words that are not empty"),
        ({"type": "string", "maxLength": 3}, "keyword maxLength"),
        ({"type": ["string", "null"]}, "no type"),
        ({"type": "array"}, "a list without items"),
        ({"type": "object", "properties": {}, "required": []}, "additionalProperties must be false"),
    ],
)
def test_what_some_server_refuses_is_named(node, rule):
    schema = {"type": "object", "additionalProperties": False, "required": ["x"], "properties": {"x": node}}
    assert find_strict_violations(schema) == (f"x: {rule}",)
