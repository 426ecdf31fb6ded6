"""Threats 18 to 20 over every address: headers on every answer, no inline script, safe cookies, nothing stored."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from accounts.models import Role
from accounts.services.tokens import make_token
from tests.factories.worlds import make_user
from tests.house.test_safety import SAFE, load_settings
from tests.pages.test_doors import addresses
from tests.tools.sweeping import shares

ROOT = Path(__file__).resolve().parents[2]
ALL = sorted(set(addresses(get_resolver().url_patterns)))
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


def everybody() -> Client:
    client = Client(raise_request_exception=False)
    user = make_user("all@example.org", *Role.values)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def check_headers(url: str, answer: Any) -> None:
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS, url
    policy = answer.headers["Content-Security-Policy"]
    for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"):
        assert rule in policy, (url, policy)
    assert "unsafe" not in policy, url
    assert len(answer.headers["X-Request-Id"]) == 16


@pytest.mark.django_db
@pytest.mark.parametrize("one_in", shares(4))
@pytest.mark.parametrize("who", ["stranger", "everybody"])
def test_every_answer_of_every_address_carries_the_headers(who: str, one_in: int) -> None:
    client = Client(raise_request_exception=False) if who == "stranger" else everybody()
    for url in [*ALL[::one_in], "/nothing", "/.git/config", "/static/nothing"]:
        for method in ("get", "post", "options"):
            if url.startswith("/accounts/logout"):
                continue
            answer = getattr(client, method)(url)
            check_headers(url, answer)
            assert answer.status_code != 500, (method, url)


@pytest.mark.django_db
@pytest.mark.parametrize("one_in", shares(4))
def test_no_answer_to_somebody_signed_in_may_be_stored(one_in: int) -> None:
    client = everybody()
    for url in ALL[::one_in]:
        if not url.startswith(("/ledger", "/ipfs", "/static", "/accounts/logout")):
            assert "no-store" in client.get(url).headers.get("Cache-Control", ""), url


@pytest.mark.django_db
def test_no_answer_of_the_api_may_be_stored_however_its_caller_signed_in() -> None:
    secret = make_token(user=make_user("token@example.org", *Role.values), name="t")[1]
    for headers in ({"Authorization": f"Bearer {secret}"}, {"Authorization": "Bearer wrong"}, {}):
        for url in (url for url in ALL if url.startswith("/api/v1/")):
            answer = Client(raise_request_exception=False).get(url, headers=headers)
            assert answer.headers["Cache-Control"] == "no-store", (url, answer.status_code)


@pytest.mark.parametrize("name", ["evil.svg", "page.html", "app.js", "style.css"])
def test_a_static_file_opened_by_itself_runs_nothing_and_stands_in_no_frame(tmp_path: Path, name: str) -> None:
    from whitenoise import WhiteNoise

    from trustweb.content_policy import close_static_file

    (tmp_path / name).write_text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    files = WhiteNoise(None, root=tmp_path, prefix="/static/", add_headers_function=close_static_file)
    sent = dict(files.files[f"/static/{name}"].get_response("HEAD", {}).headers)
    policy = sent["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "frame-ancestors 'none'", "sandbox"} <= set(policy)
    assert (sent["X-Frame-Options"], sent["X-Content-Type-Options"]) == ("DENY", "nosniff")


def test_the_served_files_are_closed_like_that() -> None:
    from django.conf import settings

    from trustweb.content_policy import close_static_file

    assert settings.WHITENOISE_ADD_HEADERS_FUNCTION is close_static_file
    assert "whitenoise.middleware.WhiteNoiseMiddleware" in settings.MIDDLEWARE


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["/", "/accounts/login/", "/nothing", "/api/v1/audits"])
def test_a_foreign_host_and_a_refused_form_get_the_headers_too(url: str) -> None:
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    assert client.get(url, headers={"Host": "evil.com"}).headers["X-Content-Type-Options"] == "nosniff"
    refused = client.post("/accounts/login/", {"login": "a"})
    assert refused.status_code == 403
    check_headers(url, refused)


def test_no_template_holds_inline_script_or_style_or_a_handler() -> None:
    inline = re.compile(r"<script(?![^>]*\bsrc=)|<style|\son[a-z]+=|\sstyle=|[\"']javascript:", re.IGNORECASE)
    data = re.compile(r'<script[^>]*type="application/json"')
    for page in sorted((ROOT / "templates").rglob("*.html")):
        text = data.sub("", page.read_text(encoding="utf-8"))
        assert not inline.search(text), (page.name, inline.search(text))


def test_the_cookies_of_production_are_closed_to_scripts_and_to_other_sites(tmp_path: Path, monkeypatch: Any) -> None:
    found = load_settings(monkeypatch, tmp_path, SAFE)
    for kind in ("SESSION", "CSRF"):
        assert found[f"{kind}_COOKIE_NAME"].startswith("__Host-")
        assert found[f"{kind}_COOKIE_SECURE"] is True
        assert found[f"{kind}_COOKIE_SAMESITE"] in ("Lax", "Strict")
        assert not found.get(f"{kind}_COOKIE_DOMAIN")
    assert found["SESSION_COOKIE_HTTPONLY"] is True
    assert found["SECURE_HSTS_SECONDS"] >= 31_536_000
    assert found["SECURE_SSL_REDIRECT"] is True


def test_messages_between_our_programs_are_json_alone() -> None:
    from django.conf import settings

    from trustweb.celery import app

    assert list(app.conf.accept_content) == ["json"]
    assert app.conf.task_serializer == "json"
    assert "PickleSerializer" not in str(settings.SESSION_ENGINE) + str(settings.CACHES)


def test_a_pickle_in_the_task_queue_is_refused() -> None:
    import pickle

    from kombu.exceptions import ContentDisallowed
    from kombu.serialization import loads

    from trustweb.celery import app

    with pytest.raises(ContentDisallowed):
        loads(pickle.dumps({}), "application/x-python-serialize", "binary", accept=app.conf.accept_content)
