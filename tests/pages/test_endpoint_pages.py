"""Endpoints for admins: keys never come out, addresses that lead inside are refused, everybody else stays out."""

import pytest
from django.test import Client
from django.urls import reverse

from auditing.models import Auditor, Document
from auditing.services.model_tier.documents import DocumentSearch
from auditing.services.model_tier.endpoints import save_endpoint
from hdag.models import Endpoint
from hdag.services.endpoint_settings import settings_of
from tests.doubles.chat_server import run_server
from tests.factories.worlds import make_user
from tests.tools.patience import PATIENCE

pytestmark = pytest.mark.django_db
CANARY = "sk-canary-3141592653589793"
FIELDS = {
    "name": "acme",
    "base_url": "https://models.example.com/v1",
    "model": "acme-1",
    "family": "acme",
    "key": CANARY,
    "may_see": "segments only",
    "asks": "judge",
    "price_in": "1",
    "price_out": "2",
    "daily_cap": "1",
    "audit_cap": ".5",
    "max_concurrency": "2",
    "timeout_seconds": "20",
    "enabled": "on",
}


@pytest.fixture
def admin():
    client = Client()
    client.force_login(make_user("admin@example.org", "admin"))
    return client


def test_an_admin_adds_an_endpoint_and_its_key_is_nowhere_to_be_read(admin, caplog):
    assert admin.post(reverse("auditing:new_endpoint"), FIELDS).status_code == 302
    row = Endpoint.objects.get(name="acme")
    pages = [admin.get(url).content.decode() for url in (reverse("auditing:endpoints"), f"/endpoints/{row.pk}")]
    shown = [*pages, caplog.text, repr(settings_of(row=row)), repr(bytes(row.wrapped_key)), str(row.__dict__)]
    assert not any(CANARY in text for text in shown)
    assert settings_of(row=row).key.get_key() == CANARY
    assert Auditor.objects.filter(endpoint=row).count() == 3


def test_an_empty_key_keeps_the_one_that_is_stored_and_a_variable_replaces_it(admin):
    admin.post(reverse("auditing:new_endpoint"), FIELDS)
    row = Endpoint.objects.get()
    admin.post(f"/endpoints/{row.pk}", {**FIELDS, "key": "", "family": "bolt"})
    row.refresh_from_db()
    assert (row.family, settings_of(row=row).key.get_key()) == ("bolt", CANARY)
    admin.post(f"/endpoints/{row.pk}", {**FIELDS, "key": "", "key_variable": "ACME_API_KEY"})
    row.refresh_from_db()
    assert (row.wrapped_key, row.key_variable) == (None, "ACME_API_KEY")


@pytest.mark.parametrize("url", ["https://thief.example/v1", "https://models.example.com:8443/v1"])
def test_a_stored_key_never_follows_a_changed_address(admin, url):
    admin.post(reverse("auditing:new_endpoint"), FIELDS)
    row = Endpoint.objects.get()
    refused = admin.post(f"/endpoints/{row.pk}", {**FIELDS, "key": "", "base_url": url})
    row.refresh_from_db()
    assert (refused.status_code, row.base_url) == (400, FIELDS["base_url"])
    assert "paste the key again" in refused.content.decode()
    assert admin.post(f"/endpoints/{row.pk}", {**FIELDS, "key": "sk-new", "base_url": url}).status_code == 302
    row.refresh_from_db()
    assert (row.base_url, settings_of(row=row).key.get_key()) == (url, "sk-new")


def test_whatever_way_the_address_changes_the_key_is_dropped(admin):
    admin.post(reverse("auditing:new_endpoint"), FIELDS)
    row = Endpoint.objects.get()
    row.base_url = "https://thief.example/v1"
    save_endpoint(row=row, key="", actor=None)
    row.refresh_from_db()
    assert row.wrapped_key is None


def test_another_path_on_the_same_server_keeps_the_key(admin):
    admin.post(reverse("auditing:new_endpoint"), FIELDS)
    row = Endpoint.objects.get()
    path = {**FIELDS, "key": "", "base_url": "https://models.example.com/v2"}
    assert admin.post(f"/endpoints/{row.pk}", path).status_code == 302
    row.refresh_from_db()
    assert settings_of(row=row).key.get_key() == CANARY


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/v1",
        "http://localhost:6379",
        "file:///etc/passwd",
        "gopher://x.example/",
        "http://[::1]/v1",
        "http://0x7f000001/v1",
        "https://user:pass@models.example.com/v1",
        "https://10.0.0.1/v1",
        "https://localhost/",
        "https://[::127.0.0.1]/",
    ],
)
def test_an_address_that_leads_inside_is_refused_with_the_reason(admin, url):
    answer = admin.post(reverse("auditing:new_endpoint"), {**FIELDS, "base_url": url})
    assert answer.status_code == 400
    assert not Endpoint.objects.exists()


def test_only_a_variable_made_for_keys_can_be_named(admin):
    assert admin.post(reverse("auditing:new_endpoint"), {**FIELDS, "key_variable": "SECRET_KEY"}).status_code == 400


def test_trying_an_endpoint_says_what_works_and_echoes_no_key(admin, monkeypatch):
    with run_server() as server:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        for name, behaviour, word in (("well", "oracle", "works"), ("ill", "echo_key", "does not work")):
            row = Endpoint(name=name, base_url=server.url(behaviour), model="m", timeout_seconds=PATIENCE)
            save_endpoint(row=row, key=CANARY, actor=None)
            said = admin.post(f"/endpoints/{row.pk}/try").content.decode()
            assert word in said
            assert CANARY not in said


def test_a_disabled_endpoint_says_so_and_no_model_is_configured(admin):
    admin.post(reverse("auditing:new_endpoint"), FIELDS)
    row = Endpoint.objects.get()
    admin.post(f"/endpoints/{row.pk}/switch", {"enabled": "no"})
    row.refresh_from_db()
    assert row.enabled is False
    assert "Enable" in admin.get("/endpoints").content.decode()


def test_documents_are_found_by_their_words(admin):
    admin.post("/endpoints/documents/new", {"title": "Units", "text": "A furlong is 220 yards long."})
    admin.post("/endpoints/documents/new", {"title": "Birds", "text": "Hens lay eggs."})
    found = DocumentSearch().find(query="how many yards in a furlong", limit=3)
    assert [one.document for one in found] in ([], ["Units"])
    assert [one.document for one in DocumentSearch().find(query="furlong yards", limit=3)] == ["Units"]
    admin.post(f"/endpoints/documents/{Document.objects.get(title='Birds').pk}/remove")
    assert Document.objects.count() == 1


@pytest.mark.parametrize("role", ["provider", "reviewer", "researcher", "consumer", "adjudicator"])
def test_nobody_else_sees_endpoints(role):
    client = Client()
    client.force_login(make_user("x@example.org", role))
    assert client.get("/endpoints").status_code == 403


@pytest.mark.django_db(transaction=True)  # its threads have connections of their own
def test_a_probe_on_the_page_stores_what_works(admin, monkeypatch):
    with run_server() as server:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        row = Endpoint(name="deep", base_url=server.url("dialect-deepseek"), model="deepseek-chat", audit_cap=9)
        save_endpoint(row=row, key="", actor=None)
        page = admin.post(f"/endpoints/{row.pk}/probe").content.decode()
    row.refresh_from_db()
    assert "as any JSON object" in page
    assert (row.answer_mode, row.probe["modes"]["json_schema"]["answered"]) == ("json_object", 0)


@pytest.mark.django_db(transaction=True)  # its threads have connections of their own
@pytest.mark.parametrize(
    ("behaviour", "told", "listed"),
    [
        ("wrong-model", "acme-1 was asked for, and somebody-else answered", False),
        ("429", "The server asks to wait (429).", True),
    ],
)
def test_a_probe_says_who_answers_and_the_list_says_that_nobody_did(admin, monkeypatch, behaviour, told, listed):
    with run_server() as server:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        row = Endpoint(name="deep", base_url=server.url(behaviour), model="acme-1", audit_cap=9)
        save_endpoint(row=row, key="", actor=None)
        page = admin.post(f"/endpoints/{row.pk}/probe").content.decode()
    assert told in page
    assert ("gave no usable answer when probed" in admin.get("/endpoints").content.decode()) == listed


@pytest.mark.django_db(transaction=True)
def test_why_a_trial_failed_is_said_to_the_admin_and_not_to_the_model(admin, monkeypatch):
    with run_server() as server:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        row = Endpoint(name="deep", base_url=server.url("refusal"), model="acme-1", audit_cap=9)
        save_endpoint(row=row, key="", actor=None)
        page = admin.post(f"/endpoints/{row.pk}/try").content.decode()
    assert "The model declined to answer" in page
    assert "you declined" not in page


def test_choices_are_read_as_the_server_and_the_pages_say_them(admin):
    page = " ".join(admin.get("/endpoints/new").content.decode().split())
    for words in (">segments only<", ">whole traces<", ">max_completion_tokens<", ">left out<"):
        assert words in page
    assert ">whole traces<" in admin.get("/endpoints/consents").content.decode()


@pytest.mark.parametrize(
    ("field", "value"),
    [("extra_body", '{"messages": []}'), ("extra_body", "[1]"), ("timeout_seconds", "601"), ("dialect", "nobody")],
)
def test_what_no_endpoint_can_mean_is_refused(admin, field, value):
    assert admin.post(reverse("auditing:new_endpoint"), {**FIELDS, field: value}).status_code == 400


def test_an_endpoint_may_override_its_dialect(admin):
    changes = {
        "temperature": "left out",
        "thinking_tokens": "9000",
        "extra_body": '{"top_k": 5}',
        "timeout_seconds": "300",
    }
    assert admin.post(reverse("auditing:new_endpoint"), {**FIELDS, **changes}).status_code == 302
    settings = settings_of(row=Endpoint.objects.get())
    assert (settings.sends_temperature, settings.thinking_tokens, settings.extra_body) == (False, 9000, {"top_k": 5})
    assert (settings.timeout_seconds, settings.deadline_seconds) == (300, 510)
