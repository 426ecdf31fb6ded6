"""Handing traces in over the API."""

import json
from typing import Any

import pytest
from django.test import Client

from auditing.models import Audit
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db
RECORD = {"problem": "What is 2 + 2?", "steps": ["2 + 2 = 4"], "answer": "4"}


def post(world: World, body: Any, user: Any = None) -> Any:
    client = Client()
    client.force_login(user or world.provider, backend="django.contrib.auth.backends.ModelBackend")
    data = body if isinstance(body, bytes | str) else json.dumps(body)
    return client.post("/api/v1/traces", data=data, content_type="application/json")


def test_a_trace_becomes_an_audit_and_the_same_trace_is_the_same_audit(idle_hens: World) -> None:
    first, again = post(idle_hens, RECORD), post(idle_hens, RECORD)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["audit"] == again.json()["audit"]
    assert post(idle_hens, {**RECORD, "copy": True}).status_code == 201
    assert Audit.objects.count() == 2


def test_only_providers_hand_traces_in(idle_hens: World) -> None:
    assert post(idle_hens, RECORD, idle_hens.reviewers[0]).status_code == 403
    assert Client().post("/api/v1/traces", data="{}", content_type="application/json").status_code in (401, 403)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "{",
        '{"problem":"a","problem":"b","answer":"c"}',
        '{"problem":"a","answer":NaN}',
        "[" * 100_000,
        b"\xff\xfe",
        {"problem": "x"},
        {"problem": 1, "answer": "2"},
        {"problem": "a", "answer": "nul \x00"},
        {"problem": "a", "steps": "no list"},
        {"problem": "a", "answer": "b", "campaign": "not-an-id"},
        {"problem": "a", "answer": "b", "campaign": 7},
        {"problem": "a", "answer": "b", "copy": "yes"},
        {"problem": "a", "answer": "b", "decomposer": []},
        {"problem": "a", "answer": "b", "decomposer": {"rules": 1}},
        '{"problem":"a","answer":"\\ud800"}',
    ],
    ids=str,
)
def test_bad_input_is_a_clear_400_and_stores_nothing(idle_hens: World, body: Any) -> None:
    answer = post(idle_hens, body)
    assert answer.status_code in (400, 404), answer.content
    assert answer.json()["detail"]
    assert not Audit.objects.exists()


def test_ten_megabytes_are_refused(idle_hens: World) -> None:
    answer = post(idle_hens, {"problem": "a", "answer": "x" * 10_000_000})
    assert answer.status_code == 413, answer.content[:200]
