"""What schema rules of servers say about a JSON schema, each as the server's own message; empty where it is taken."""

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]


def walk(schema: Schema, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Schema]]:
    """Every schema inside one, with its path."""
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from walk(inner, (*path, "properties", name))
    if isinstance(schema.get("items"), dict):
        yield from walk(schema["items"], (*path, "items"))


def openai_strict(schema: Schema) -> str:
    """developers.openai.com/api/docs/guides/structured-outputs, supported schemas (read 2026-11-22).

    Messages as in github.com/bingoYB/ham_home/issues/16 (2026-09-07) and community threads of 2024 to 2026.
    """
    if schema.get("type") != "object":
        return "schema must be a JSON Schema of 'type: \"object\"'"
    for path, node in walk(schema):
        broken = _openai_node(node)
        if broken:
            return f"In context={path!r}, {broken}"
    properties = sum(len(node.get("properties", {})) for _, node in walk(schema))
    depth = max(path.count("properties") for path, _ in walk(schema))
    words = sum(len(node.get("enum", ())) for _, node in walk(schema))
    letters = sum(
        len(name) for _, node in walk(schema) for name in (*node.get("properties", {}), *node.get("enum", ()))
    )
    # Limits of February 2026: jsonschemaprofiles.unitvectorylabs.com/schemas/openai
    too_large = properties > 5_000 or depth > 10 or words > 1_000 or letters > 120_000
    return "Schema is too large" if too_large else ""


def _openai_node(node: Schema) -> str:
    if not node.keys() & {"type", "anyOf", "$ref"}:
        return "schema must have a 'type' key."
    # `default`: zenn.dev/nicopin/scraps/a8d8f53f5faebb (read 2026-11-22)
    for keyword in ("allOf", "not", "dependentRequired", "dependentSchemas", "if", "then", "else", "default"):
        if keyword in node:
            return f"'{keyword}' is not permitted."
    if node.get("type") != "object":
        return ""
    if node.get("additionalProperties") is not False:
        return "'additionalProperties' is required to be supplied and to be false."
    missing = [name for name in node.get("properties", {}) if name not in node.get("required", ())]
    return f"'required' is required to be supplied. Missing '{missing[0]}'." if missing else ""


def anthropic_strict(schema: Schema) -> str:
    """platform.claude.com/docs/en/build-with-claude/structured-outputs, JSON Schema limitations (read 2026-11-22).

    Message as in github.com/agentjido/req_llm/issues/302 (2025-12-28).
    """
    bounds = ("minimum", "maximum", "multipleOf", "minLength", "maxLength", "maxItems", "uniqueItems")
    for _, node in walk(schema):
        for bound in bounds:
            if bound in node:
                return f"For '{node.get('type')}' type, property '{bound}' is not supported"
        if node.get("minItems", 0) > 1:
            return "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
        if node.get("type") == "object" and node.get("additionalProperties") is not False:
            return "For 'object' type, 'additionalProperties' must be explicitly set to false"
    return ""


def gemini_schema(schema: Schema) -> str:
    """ai.google.dev/gemini-api/docs/structured-output (read 2026-11-22).

    Messages as in github.com/sbroenne/mcp-server-excel/issues/607 (2026-04-24).
    """
    for path, node in walk(schema):
        place = "GenerateContentRequest.generation_config.response_schema" + "".join(f".{step}" for step in path)
        if node.get("type") == "array" and "items" not in node:
            return f"* {place}.items: missing field."
        if "enum" in node and node.get("type") != "string":
            return f"* {place}.enum: only allowed for STRING type"
        for number, word in enumerate(node.get("enum", ())):
            if word == "":
                return f"* {place}.enum[{number}]: cannot be empty"
    return ""


def grammar(schema: Schema) -> str:
    """github.com/ggml-org/llama.cpp/issues/25746 (2026-07-16) and 17473 (2025-11-24): bounds of 2,000 and more."""
    for _, node in walk(schema):
        if max(node.get("maxLength", 0), node.get("maxItems", 0)) >= 2_000:
            return "Failed to initialize samplers: failed to parse grammar"
    return ""
