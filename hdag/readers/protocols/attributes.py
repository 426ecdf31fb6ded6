"""Attributes of spans -> the two sides of a call: lists under keys with dots, values in the boxes of OTLP.

Sources, read 2026-11-29: OTLP/JSON (AnyValue, KeyValue); OpenTelemetry's GenAI conventions; semantic_conventions.md and
llm_spans.md of openinference (llm.input_messages.0.message.content); instrumentations of openllmetry
(gen_ai.prompt.0.content, gen_ai.completion.0.tool_calls.0.name); spans of MLflow (mlflow.spanInputs).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json

__all__ = ["CONVENTIONS", "Convention", "side_of", "unboxed"]

Convention = tuple[str, str, str]  # what was asked, what was answered, the instructions
# The narrower first: what holds messages before what holds whatever a program was given.
CONVENTIONS: Sequence[Convention] = (
    ("gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions"),
    ("llm.input_messages", "llm.output_messages", ""),
    ("gen_ai.prompt", "gen_ai.completion", ""),
    ("llm.prompts", "llm.completions", ""),
    ("llm.prompts", "llm.choices", ""),
    ("ai.prompt.messages", "ai.response.text", ""),
    ("mlflow.spanInputs", "mlflow.spanOutputs", ""),
    ("langfuse.observation.input", "langfuse.observation.output", ""),
    ("traceloop.entity.input", "traceloop.entity.output", ""),
    ("input.value", "output.value", ""),
)
_BOXES = ("stringValue", "boolValue", "intValue", "doubleValue", "string_value", "bool_value", "int_value")
_WRAPS = ("message", "tool_call", "message_content", "prompt", "completion")  # names that openinference says twice
_DEEPEST = 12


def unboxed(attributes: Any, *, where: str, at: str) -> dict[str, Any]:
    """Attributes by their keys, from a list of {"key", "value": {"stringValue"}} or an object.

    >>> unboxed([{"key": "a", "value": {"intValue": "4"}}], where="", at="")
    {'a': '4'}
    """
    if isinstance(attributes, dict):
        return attributes
    if not isinstance(attributes, list):
        raise BadRecordError(where=where, field=at, reason="must be an object or a list of {key, value}")
    values: dict[str, Any] = {}
    for index, row in enumerate(attributes):
        if not isinstance(row, Mapping) or not isinstance(row.get("key"), str):
            raise BadRecordError(where=where, field=f"{at}[{index}]", reason="must be an object with key and value")
        values[row["key"]] = _open(row.get("value"), where, f"{at}[{index}].value")
    return values


def _open(box: Any, where: str, at: str, depth: int = 0) -> Any:
    """What is in an AnyValue; a bare value is what it is."""
    if depth > _DEEPEST:
        raise BadRecordError(where=where, field=at, reason="nested too deeply")
    if not isinstance(box, Mapping) or len(box) != 1:
        return box
    ((form, inner),) = box.items()
    if form in _BOXES:
        return inner
    values = inner.get("values") if isinstance(inner, Mapping) else None
    if form in ("arrayValue", "array_value"):
        return [_open(row, where, at, depth + 1) for row in values or []]
    if form in ("kvlistValue", "kvlist_value"):
        rows = [row for row in values or [] if isinstance(row, Mapping)]
        return {str(row.get("key")): _open(row.get("value"), where, at, depth + 1) for row in rows}
    return box


def side_of(attributes: Mapping[str, Any], name: str, *, where: str) -> Any:
    """What stands under `name`: a value, or a list whose members stand under name.0, name.1; None for nothing.

    >>> side_of({"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "2 + 2?"}, "gen_ai.prompt", where="")
    [{'role': 'user', 'content': '2 + 2?'}]
    """
    if not name:
        return None
    if name in attributes:
        value = attributes[name]
        # A list of messages stands in an attribute as JSON; cut off at some length, it is none and must say so.
        if isinstance(value, str) and name.startswith("gen_ai.") and value.lstrip().startswith("["):
            value = read_json(value, where=f"{where}, {name}")
        # Only openinference's lists have dots in their keys; a dot in an argument of a tool is the tool's.
        return _bare(value, where, name) if name.startswith("llm.") else value
    members = {key.removeprefix(f"{name}."): inner for key, inner in attributes.items() if key.startswith(f"{name}.")}
    if not members:
        # Phoenix writes the same tree as objects: {"llm": {"input_messages": [{"message": {...}}]}}.
        head, _, tail = name.partition(".")
        inner = attributes.get(head)
        inner = side_of(inner, tail, where=where) if tail and isinstance(inner, Mapping) else None
        return _bare(inner, where, name) if head == "llm" else inner
    return _bare(members, where, name)


def _bare(value: Any, where: str, at: str, depth: int = 0) -> Any:
    """Keys with dots as a tree, numbered members as lists, and names that are said twice once."""
    if depth > _DEEPEST:
        raise BadRecordError(where=where, field=at, reason="nested too deeply")
    if isinstance(value, list):
        return [_bare(row, where, at, depth + 1) for row in value]
    if not isinstance(value, dict):
        return value
    tree: dict[str, Any] = {}
    for key, inner in value.items():
        head, _, tail = key.partition(".")
        if not tail:
            tree[head] = {**tree[head], **inner} if _are_both_objects(tree.get(head), inner) else inner
        elif isinstance(tree.setdefault(head, {}), dict):
            tree[head][tail] = inner
    tree = {name: _bare(inner, where, f"{at}.{name}", depth + 1) for name, inner in tree.items()}
    if tree and all(name.isascii() and name.isdigit() and len(name) < 7 for name in tree):
        return [tree[name] for name in sorted(tree, key=int)]
    return _unwrapped(tree)


def _are_both_objects(left: Any, right: Any) -> bool:
    return isinstance(left, dict) and isinstance(right, dict)


def _unwrapped(tree: dict[str, Any]) -> Any:
    for name in _WRAPS:
        if isinstance(tree.get(name), dict):
            beside = {key: inner for key, inner in tree.items() if key != name}
            tree = beside | tree[name]
    # The parts of openinference's messages stand beside its content.
    if isinstance(tree.get("contents"), list) and "role" in tree:
        tree = {key: inner for key, inner in tree.items() if key != "contents"} | {"content": tree["contents"]}
    return tree
