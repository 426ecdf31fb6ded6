"""Endpoints by command and by API: added in one line, probed, and then asked as the probe found."""

import io
import json
import re
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from auditing.services.model_tier.questions import example_questions
from hdag.models import ChatCall, Endpoint
from hdag.services.call_book import client_for
from tests.doubles.chat_server import run_server
from tests.doubles.dialects.servers import SERVERS
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _listed(server, monkeypatch):
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)


def run(*words):
    out = io.StringIO()
    call_command("endpoint", *words, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("name", ["openai-reasoning", "plain", "pro"])  # tests/unit/chat has all of them
def test_an_added_endpoint_is_asked_as_its_probe_found(server, name):
    url, model = server.url(f"dialect-{name}"), SERVERS[name].models[0]
    assert "endpoint probe ours" in run("add", "ours", "--url", url, "--model", model, "--audit-cap", "9")
    assert "stored: ours is asked by" in run("probe", "ours")
    row = Endpoint.objects.get()
    assert row.probe["modes"][row.answer_mode]["failed"] == {}
    from auditing.services.model_tier.origins import allowed_origins

    with client_for(row=row, allowed=allowed_origins()) as client:
        for question in example_questions()[:3]:
            assert client.ask(question=question, account="test").data
    assert not ChatCall.objects.filter(state="open").exists()


def test_a_probe_that_finds_nothing_fails_with_the_reason_and_changes_nothing(server):
    run("add", "ours", "--url", server.url("dialect-vllm"), "--model", "another")
    with pytest.raises(CommandError, match=r"no usable answer.*404"):
        run("probe", "ours")
    row = Endpoint.objects.get()
    assert (row.answer_mode, row.limit_field, row.circuit_opened) == ("", "", None)


def test_what_is_left_out_comes_from_the_dialect():
    run("add", "deep", "--dialect", "deepseek", "--model", "deepseek-chat")
    row = Endpoint.objects.get()
    assert (row.base_url, row.key_variable) == ("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY")
    assert (row.family, row.dialect) == ("deepseek", "deepseek")
    assert "deepseek" in run("list")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--url", "http://10.0.0.1/v1"), "plain http"),
        (("--dialect", "azure"), "no address of its own"),
        (("--url", "https://models.example.com/v1", "--key-variable", "SECRET_KEY"), "_API_KEY"),
    ],
)
def test_a_bad_endpoint_is_refused_with_the_reason(words, reason):
    with pytest.raises(CommandError, match=reason):
        run("add", "bad", "--model", "m", *words)
    assert not Endpoint.objects.exists()


TERMS = {
    "answer_mode": "json_object",
    "limit_field": "max_completion_tokens",
    "temperature": "left out",
    "reasoning_effort": "low",
    "thinking_tokens": 4000,
    "extra_body": {"top_k": 5},
    "asks": "tools",
    "retries": 1,
}


def test_every_term_of_a_dialect_can_be_overridden_by_command_and_api():
    words = [f"{name}={json.dumps(value) if name == 'extra_body' else value}" for name, value in TERMS.items()]
    run("add", "one", "--model", "m", "--url", "https://a.example.com/v1", *[f"--set={word}" for word in words])
    client = Client()
    client.force_login(make_user("admin@example.org", "admin"))
    body = {"name": "two", "model": "m", "base_url": "https://a.example.com/v1", "terms": TERMS}
    body |= {"may_see": "whole traces", "price_in": "0.15", "audit_cap": "2"}
    told = client.post("/api/v1/endpoints", json.dumps(body), content_type="application/json")
    assert (told.status_code, told.json()["may_see"], told.json()["terms"]) == (201, "whole traces", TERMS)
    for row in Endpoint.objects.all():
        assert {name: getattr(row, name) for name in TERMS} == TERMS
    second = Endpoint.objects.get(name="two")
    assert (second.price_in, second.audit_cap) == (Decimal("0.15"), 2)


@pytest.mark.parametrize(
    ("term", "reason"),
    [
        ({"model": "other"}, "none of|one of"),
        ({"extra_body": {"messages": []}}, "Not messages"),
        ({"extra_body": [1]}, "A JSON object"),
        ({"extra_body": {"x": "\0"}}, "cannot be stored|extra_body"),
        ({"extra_body": {"x": "\ud800"}}, "surrogate"),
        ({"answer_mode": "telepathy"}, "answer_mode"),
        ({"retries": "many"}, "retries"),
    ],
)
def test_a_term_that_no_server_can_have_is_refused_by_command_and_api(term, reason):
    [(name, value)] = term.items()
    word = f"{name}={json.dumps(value) if name == 'extra_body' else value}"
    with pytest.raises(CommandError, match=reason):
        run("add", "bad", "--model", "m", "--url", "https://a.example.com/v1", "--set", word)
    client = Client()
    client.force_login(make_user("admin@example.org", "admin"))
    body = {"name": "bad", "model": "m", "base_url": "https://a.example.com/v1", "terms": term}
    told = client.post("/api/v1/endpoints", json.dumps(body), content_type="application/json")
    assert told.status_code == 400
    assert re.search(reason, told.content.decode())
    assert not Endpoint.objects.exists()


def test_every_dialect_is_listed_with_its_source():
    listed = run("dialects")
    assert "llama.cpp" in listed
    assert "github.com/ggml-org/llama.cpp/issues/25746 (2026-07-16)" in listed


def test_the_api_adds_and_probes_for_admins_and_echoes_no_key(server):
    client = Client()
    client.force_login(make_user("admin@example.org", "admin"))
    body = {"name": "ours", "model": "gpt-4o", "base_url": server.url("dialect-openai"), "key": "sk-canary-271828"}
    added = client.post("/api/v1/endpoints", json.dumps(body), content_type="application/json")
    assert (added.status_code, added.json()["holds_key"]) == (201, True)
    probed = client.post(f"/api/v1/endpoints/{added.json()['id']}/probe", content_type="application/json")
    assert (probed.json()["works"], probed.json()["answer_mode"]) == (True, "json_schema")
    listed = client.get("/api/v1/endpoints")
    assert not any("sk-canary" in answer.content.decode() for answer in (added, probed, listed))
    client.force_login(make_user("r@example.org", "researcher"))
    assert client.get("/api/v1/endpoints").status_code == 403


def test_an_endpoint_whose_server_has_no_batches_that_are_spoken_is_not_set_to_them():
    with pytest.raises(CommandError, match="a form of its own, not spoken here"):
        run("add", "ours", "--dialect", "mistral", "--model", "mistral-small-latest", "--batches")
    run("add", "ours", "--dialect", "openai", "--model", "gpt-4o-mini", "--batches")
    assert Endpoint.objects.get().batches
    assert "batches: in OpenAI's form" in run("dialects")


def test_the_whole_address_of_a_call_is_understood(server):
    run("add", "ours", "--url", f"{server.url('oracle')}/chat/completions", "--model", "m-1")
    assert Endpoint.objects.get().base_url == server.url("oracle")
