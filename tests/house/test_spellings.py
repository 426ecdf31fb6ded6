"""Numbers and days that come from outside are read by the fields of accounts, which know one spelling of each."""

import ast
import functools
from importlib import import_module
from typing import Any

from rest_framework import serializers

from accounts.api import bodies
from tests.house.test_house import name_of, tracked

LOOSE_IN_FORMS = {"IntegerField", "DecimalField", "FloatField", "DateField", "DateTimeField"}
LOOSE_IN_BODIES = (serializers.IntegerField, serializers.DecimalField, serializers.FloatField, serializers.DateField)
SPELT = (bodies.WholeNumberField, bodies.DecimalNumberField, bodies.DayField)


@functools.cache
def sources():
    paths = [path for path in tracked("*.py") if name_of(path).startswith(("accounts/", "auditing/", "hdag/"))]
    return {name_of(path): path.read_text(encoding="utf-8") for path in paths}


def trees_with(*names):
    """The modules in which one of these names stands, parsed; the others cannot call it."""
    texts = ((name, text) for name, text in sources().items() if any(called in text for called in names))
    return {name: ast.parse(text) for name, text in texts}


def loose_fields(tree):
    """Fields of django.forms that a module uses as they are."""
    calls = [
        node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    return [call.attr for call in calls if call.attr in LOOSE_IN_FORMS and ast.unparse(call.value) == "forms"]


def bodies_read(tree):
    """Names of the serializers that a module reads request bodies by."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return {call.args[0].id for call in calls if call.func.id == "read_body" and isinstance(call.args[0], ast.Name)}


def loose_in(field: Any, name: str) -> list[str]:
    inner = getattr(field, "fields", {}) or ({"[]": field.child} if hasattr(field, "child") else {})
    below = [place for key, each in inner.items() for place in loose_in(each, f"{name}.{key}")]
    return below + ([name] if isinstance(field, LOOSE_IN_BODIES) and not isinstance(field, SPELT) else [])


def test_no_form_reads_a_number_or_a_day_in_every_spelling_that_python_knows():
    assert {name: loose for name, tree in trees_with(*LOOSE_IN_FORMS).items() if (loose := loose_fields(tree))} == {}


def test_no_request_does_either():
    read = [
        (name, body) for name, tree in trees_with("read_body").items() for body in bodies_read(tree) if body != "kind"
    ]
    kinds = [getattr(import_module(name.removesuffix(".py").replace("/", ".")), body) for name, body in read]
    assert len(kinds) > 8
    assert [place for kind in kinds for place in loose_in(kind(), kind.__name__)] == []
