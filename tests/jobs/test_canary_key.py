"""Threat 46: a canary key walks a whole audit; afterwards it is in no table, log, page, mail, bell or sandbox."""

import logging
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core import mail
from django.db import connection
from django.test import Client

from auditing.checker.mathematics.tree import Num
from auditing.checker.sandbox.pool import Sandbox
from auditing.core.model_tier import attempts
from auditing.services.model_tier.endpoints import save_endpoint, try_out
from hdag.models import Endpoint
from tests.doubles.chat_server import run_server
from tests.factories.models import everything_moves
from tests.factories.worlds import make_user, make_world
from tests.tools.patience import PATIENCE
from trustweb.celery import app

pytestmark = pytest.mark.django_db
PASTED, NAMED = "sk-canary-pasted-7c1e55aa", "sk-canary-named-92bb01ff"


def rows_of_all_tables() -> str:
    """The whole database as text, bytes as they are and as their characters."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            found += [row[0] for row in cursor.fetchall()]
    return "\n".join(found)


def whole_redis() -> bytes:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        return b"\n".join(key + (client.dump(key) or b"") for key in client.scan_iter())


def pages_of(admin: Client, endpoint: Endpoint, audit: Any) -> str:
    """Whatever an admin can open about the endpoint and the audit."""
    addresses = ["/endpoints", f"/endpoints/{endpoint.pk}", f"/audits/{audit.pk}", f"/audits/{audit.pk}/report"]
    addresses += [f"/api/v1/audits/{audit.pk}", "/admin/", f"/admin/hdag/endpoint/{endpoint.pk}/change/"]
    return "".join(admin.get(address, follow=True).content.decode() for address in addresses)


def fails_aloud(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that breaks while a key is in its hands: the worst moment for an error mail."""

    def broken(self: Any) -> str:
        key = PASTED  # noqa: F841  a local variable, as tracebacks would show it
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("hdag.services.endpoint_keys.SealedKey.get_key", broken)
    client.raise_request_exception = False
    client.post(f"/endpoints/{Endpoint.objects.get(name='pasted').pk}/try")


def test_a_key_leaves_no_trace_of_itself(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2", "django.request"):
        monkeypatch.setattr(logging.getLogger(name), "propagate", True)
    monkeypatch.setenv("CANARY_API_KEY", NAMED)
    admin = Client()
    admin.force_login(make_user("boss@example.org", "admin"), backend="django.contrib.auth.backends.ModelBackend")
    with run_server() as server:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        common = {"model": "m-1", "timeout_seconds": PATIENCE}
        pasted = Endpoint(name="pasted", base_url=server.url("oracle"), family="a", **common)
        save_endpoint(row=pasted, key=PASTED, actor=None)
        named = Endpoint(
            name="named", base_url=server.url("echo-key"), family="b", key_variable="CANARY_API_KEY", **common
        )
        save_endpoint(row=named, key="", actor=None)
        assert not any(trial.works for trial in try_out(row=named))
        monkeypatch.setattr(attempts, "MAX_ATTEMPTS", 1)
        world = make_world()
        audit = world.submit()
        everything_moves(world)
        assert server.stats("oracle")["answered"] > 0 < server.stats("echo-key")["calls"]
        app.send_task("auditing.ask_model", args=["00000000-0000-4000-8000-000000000000"], queue="canary")
        shown = pages_of(admin, pasted, audit) + admin.post(f"/endpoints/{named.pk}/try").content.decode()
        fails_aloud(admin, monkeypatch)
    said = capfd.readouterr()
    places = {
        "the database": rows_of_all_tables(),
        "Redis": whole_redis().decode("latin-1"),
        "pages": shown,
        "logs": caplog.text + said.out + said.err,
        "mails": "".join(str(one.message()) for one in mail.outbox),
    }
    assert "pasted" in places["the database"]
    assert "canary" in places["Redis"]  # the queue's name: the search itself works
    for place, text in places.items():
        for key in (PASTED, NAMED):
            assert key not in text, f"{key} stands in {place}"
            assert key.encode().hex() not in text, f"{key} stands in {place}"


def test_a_sandboxed_process_knows_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_API_KEY", NAMED)
    assert NAMED in str(os.environ)
    with Sandbox() as sandbox:
        sandbox.run(task="same", trees=(Num(Fraction(1)), Num(Fraction(1))), seconds=PATIENCE)
        (worker,) = sandbox._idle
        environment = Path(f"/proc/{worker.process.pid}/environ").read_bytes()
    assert b"PYTHONPATH" in environment
    assert NAMED.encode() not in environment
    assert b"DATABASE_URL" not in environment
