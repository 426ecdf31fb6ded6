"""The subset of JSON Schema that every server takes, and a schema brought into it.

Servers refuse different keywords: OpenAI a property without a type, an object that is open or has optional properties;
Anthropic every bound on numbers, lengths and lists; Gemini an enum of anything but words that are not empty; llama.cpp
bounds of 2,000 and more. What is sent keeps to what all of them take; bounds travel in words, and the answer is checked
against the whole schema here (answers.py).

Sources, read 2026-11-22: developers.openai.com/api/docs/guides/structured-outputs (supported schemas);
platform.claude.com/docs/en/build-with-claude/structured-outputs (JSON Schema limitations);
ai.google.dev/gemini-api/docs/structured-output; github.com/ggml-org/llama.cpp/issues/25746 (2026-07-16).
"""

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["check_strict", "find_strict_violations", "strict_schema"]

Schema = Mapping[str, Any]
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean"})
_KEYWORDS = frozenset({"type", "properties", "required", "additionalProperties", "items", "enum", "description"})
# The lowest limits that were ever documented: 100 properties, five levels, 500 words in all enums.
_MOST_PROPERTIES, _MOST_LEVELS, _MOST_WORDS, _MOST_LETTERS = 100, 5, 500, 15_000
# A bound and how it reads.
_IN_WORDS = {
    "minimum": "not below {}",
    "maximum": "not above {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
}


def strict_schema(schema: Schema) -> dict[str, Any]:
    """`schema` without bounds, which stand in its descriptions instead. Raises ValueError where that is not enough.

    >>> strict_schema({"type": "number", "minimum": 0, "maximum": 1})
    {'type': 'number', 'description': 'not below 0, not above 1'}
    """
    strict = {key: _inner(key, value) for key, value in schema.items() if key not in _IN_WORDS}
    bounds = [words.format(schema[key]) for key, words in _IN_WORDS.items() if key in schema]
    if bounds:
        strict["description"] = ", ".join(filter(None, (schema.get("description", ""), *bounds)))
    return strict


def check_strict(schema: Schema) -> None:
    """Raise ValueError unless every server takes `schema` as it is."""
    violations = find_strict_violations(schema)
    if violations:
        raise ValueError("; ".join(violations))


def find_strict_violations(schema: Schema) -> tuple[str, ...]:
    """What some server refuses in `schema`: place and rule.

    >>> find_strict_violations({"type": "object", "properties": {"vote": {"enum": ["pass"]}}, "required": ["vote"]})
    ('the top: additionalProperties must be false', 'vote: no type')
    """
    if schema.get("type") != "object":
        return ("the top: must be an object",)
    # Limits count over the whole schema, not at each node, so the tree is walked once and kept.
    nodes = list(_nodes(schema, "", 1))
    violations = [f"{path or 'the top'}: {rule}" for path, node, _ in nodes for rule in _broken_rules(node)]
    words = [word for _, node, _ in nodes for word in node.get("enum", ())]
    totals = {
        f"more than {_MOST_LEVELS} levels": max(level for *_, level in nodes) > _MOST_LEVELS,
        f"more than {_MOST_PROPERTIES} properties": sum(len(n.get("properties", ())) for _, n, _ in nodes)
        > _MOST_PROPERTIES,
        f"more than {_MOST_WORDS} words in enums": len(words) > _MOST_WORDS,
        f"more than {_MOST_LETTERS} letters in enums": sum(len(str(word)) for word in words) > _MOST_LETTERS,
    }
    return (*violations, *(rule for rule, broken in totals.items() if broken))


def _inner(key: str, value: Any) -> Any:
    if key == "properties":
        return {name: strict_schema(inner) for name, inner in value.items()}
    return strict_schema(value) if key == "items" else value


def _nodes(schema: Schema, path: str, level: int) -> Iterator[tuple[str, Schema, int]]:
    """Every schema inside `schema`, itself first: its place, itself, how deep in objects it lies."""
    yield path, schema, level
    for name, inner in schema.get("properties", {}).items():
        yield from _nodes(inner, f"{path}/{name}".lstrip("/"), level + (inner.get("type") == "object"))
    if "items" in schema:
        inner = schema["items"]
        yield from _nodes(inner, f"{path}[]", level + (inner.get("type") == "object"))


def _broken_rules(node: Schema) -> Iterator[str]:
    kind = node.get("type")
    if not isinstance(kind, str):
        yield "no type"
    elif kind not in _TYPES:
        yield f"type {kind}"
    yield from (f"keyword {keyword}" for keyword in sorted(node.keys() - _KEYWORDS))
    if kind == "object":
        if node.get("additionalProperties") is not False:
            yield "additionalProperties must be false"
        # Strict modes know no optional field: what may be missing is a type that allows null.
        if sorted(node.get("required", ())) != sorted(node.get("properties", ())):
            yield "every property must be required"
    if kind == "array" and "items" not in node:
        yield "a list without items"
    if "enum" in node and not all(isinstance(word, str) and word for word in node["enum"]):
        yield "an enum holds words that are not empty"
