"""What a person, a program and a log reader meet when something goes wrong."""

import json
import logging
import sys
from types import ModuleType

import psycopg.errors
import pytest
import redis
from asgiref.sync import async_to_sync
from billiard.exceptions import WorkerLostError
from django.db import DatabaseError, OperationalError, connection
from django.test import AsyncClient, Client, RequestFactory
from django.urls import path

from accounts.services.tokens import make_token
from hdag.models import Trace
from tests.factories.worlds import make_world
from trustweb.cache import TolerantRedisCache
from trustweb.middleware import failures


@pytest.mark.django_db
def test_every_answer_carries_the_headers_and_a_request_id(client):
    answer = client.get("/healthz")
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert len(answer["X-Request-Id"]) == 16


@pytest.mark.django_db
def test_a_page_of_somebody_signed_in_is_stored_nowhere(client, django_user_model):
    client.force_login(
        django_user_model.objects.create_user(email="a@b.example", password="x"),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    assert client.get("/api/docs")["Cache-Control"] == "no-store"


@pytest.mark.parametrize(("address", "kind"), [("/x", "text/html"), ("/api/v1/x", "application/json")])
def test_a_lost_database_is_503_with_a_time_to_try_again(address, kind):
    failing = failures.NotNow(lambda request: None)
    answer = failing.process_exception(RequestFactory().get(address), OperationalError("gone"))
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer["Content-Type"].startswith(kind)


def test_a_database_lost_outside_every_view_is_503_too():
    try:
        raise OperationalError("gone while the session was read")
    except OperationalError:
        assert failures.show_server_error(RequestFactory().get("/")).status_code == 503


AWAY = (
    "DiskFull",
    "ReadOnlySqlTransaction",
    "QueryCanceled",
    "DeadlockDetected",
    "TooManyConnections",
    "OutOfMemory",
    "LockNotAvailable",
    "CannotConnectNow",
    "AdminShutdown",
    "CrashShutdown",
    "SerializationFailure",
    "IoError",
    "IdleInTransactionSessionTimeout",
)
OURS = (
    "UniqueViolation",
    "NotNullViolation",
    "UndefinedTable",
    "SyntaxError",
    "InsufficientPrivilege",
    "DataException",
    "InFailedSqlTransaction",
)


@pytest.mark.parametrize(("names", "away"), [(AWAY, True), (OURS, False)])
def test_every_way_in_which_postgresql_can_be_ill_is_told_from_our_own_faults(names, away):
    """F6: disk full, read-only, timeouts, deadlocks, connections; as Django hands them on."""
    for name in names:
        with pytest.raises(DatabaseError) as caught, connection.wrap_database_errors:
            raise getattr(psycopg.errors, name)("said by the server")
        assert failures.is_database_away(caught.value) is away, name


@pytest.mark.django_db(transaction=True)
def test_a_database_that_takes_no_writes_is_503_and_leaves_nothing_half_done():
    world = make_world(reviewers=1)
    token = make_token(user=world.provider, name="t")[1]
    record = {"problem": "What is 1 + 1?", "steps": ["1 + 1 = 2."], "answer": "2"}

    def hand_in():
        asked = {"content_type": "application/json", "headers": {"Authorization": f"Bearer {token}"}}
        return Client(raise_request_exception=False).post("/api/v1/traces", json.dumps(record), **asked)

    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        try:
            answer = hand_in()
        finally:
            cursor.execute("SET default_transaction_read_only = off")
    assert (answer.status_code, answer["Retry-After"], Trace.objects.count()) == (503, "5", 0)
    assert hand_in().status_code == 201


def test_a_fault_of_ours_is_not_called_a_lost_database():
    assert failures.NotNow(lambda request: None).process_exception(RequestFactory().get("/"), ValueError()) is None


@pytest.mark.django_db
def test_a_fault_shows_its_request_id_and_nothing_of_the_inside(settings):
    def fail(request):
        raise ValueError("secret detail")

    settings.ROOT_URLCONF = faulty = ModuleType("faulty")
    faulty.urlpatterns = [path("fault", fail)]
    faulty.handler500 = "trustweb.middleware.failures.show_server_error"
    answer = Client(raise_request_exception=False).get("/fault")
    text = answer.content.decode()
    assert answer.status_code == 500
    assert answer["X-Request-Id"] in text
    assert "secret detail" not in text
    assert "Traceback" not in text


def test_a_line_break_in_a_name_forges_no_log_line():
    record = logging.LogRecord("x", logging.INFO, "", 0, "login of %s", ("a\n[CRITICAL] admin\u2028b\x1b[0m",), None)
    failures.AddRequestId().filter(record)
    line = failures.OneLine().format(record)
    assert line.endswith("login of a\\n[CRITICAL] admin\\u2028b\\x1b[0m")


def line_of(error):
    try:
        raise error
    except type(error):
        record = logging.LogRecord("x", logging.ERROR, "", 0, "Task failed", (), sys.exc_info())
    failures.AddRequestId().filter(record)
    return failures.OneLine().format(record)


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("server closed the connection\n\tunexpectedly"),
        redis.ConnectionError("gone"),
        BrokenPipeError("gone"),
        WorkerLostError("signal 9"),
    ],
)
def test_a_failure_that_passes_by_itself_is_one_line(error):
    line = line_of(error)
    assert "\n" not in line
    assert line.endswith(f"Task failed ({type(error).__name__}: {' '.join(str(error).split())})")


def test_a_failure_that_nobody_expects_brings_its_stack():
    line = line_of(ValueError("what is this"))
    assert "\n    | Traceback" in line
    assert line.endswith("    | ValueError: what is this")


def test_a_cache_without_redis_is_empty_and_raises_nothing():
    cache = TolerantRedisCache("unix:///nowhere/s", {})
    assert cache.get("name", 7) == 7
    assert cache.add("name", 1)
    assert cache.incr("name") == 1
    cache.set("name", 1)
    assert cache.get_many(["name"]) == {}
    assert cache.take_turn("name", most=1, seconds=60, now=0.0) is None
    assert cache.take_turn("name", most=1, seconds=60, now=0.0) is None


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/.git/config", "/static/", "/media/", "/static/../manage.py"])
def test_no_directory_and_no_inside_is_listed(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_the_description_of_the_api_is_a_page_without_script(client):
    assert client.get("/api/schema", headers={"Accept": "application/json"}).status_code == 200
    assert "API" in client.get("/api/docs").content.decode()


@pytest.mark.django_db(transaction=True)
def test_an_address_that_asks_for_nobody_answers_a_signed_in_person_too(django_user_model):
    """Under ASGI, where a session must not be read outside the views."""
    client = AsyncClient()
    person = django_user_model.objects.create_user(email="a@b.example", password="x")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    answer = async_to_sync(client.get)("/healthz")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
