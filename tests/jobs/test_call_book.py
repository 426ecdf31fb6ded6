"""The book of calls holds across workers: caps, places, settlements (F18)."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.db.models.functions import Now

from auditing.selectors.clock import database_now
from auditing.selectors.model_tier.endpoints import is_left_alone
from hdag.chat.address import read_allowlist
from hdag.chat.book import LONGEST_PAUSE, Entry, Settlement
from hdag.chat.client import ChatClient, Clock
from hdag.chat.errors import CapReachedError, CircuitOpenError, EndpointBusyError, NoAnswerError
from hdag.chat.question import Message, Question
from hdag.chat.retries import Circuit
from hdag.chat.usage import Usage
from hdag.models import ChatCall, Endpoint
from hdag.services.answer_cache import configured_cache, forget
from hdag.services.call_book import DatabaseBook, client_for
from hdag.services.endpoint_settings import settings_of
from tests.doubles.chat_server import run_server
from tests.tools.patience import PATIENCE

EPOCH = datetime(2020, 1, 1, tzinfo=UTC)
ENTRY = Entry("audit:1", "judge", Decimal("0.3"), 100)
SCHEMA = {"type": "object", "required": ["vote"], "properties": {"vote": {"enum": ["pass", "fail"]}}}
QUESTION = Question("test", (Message("user", "2 + 2 = 4"),), SCHEMA, longest_answer=50)


def row(**changes):
    usual = {"name": "e", "base_url": "https://x.example/v1", "model": "m-1", "max_concurrency": 2}
    return Endpoint.objects.create(**{**usual, "price_in": 10, "price_out": 30, **changes})


@pytest.mark.django_db
def test_a_row_stands_before_the_call_and_is_settled_once():
    endpoint = settings_of(row=row())
    ticket = DatabaseBook().open_call(endpoint=endpoint, entry=ENTRY)
    assert ChatCall.objects.get().cost == Decimal("0.3")
    DatabaseBook().close_call(ticket=ticket, settlement=Settlement(Usage(10, 5), Decimal("0.1")))
    DatabaseBook().close_call(ticket=ticket, settlement=Settlement(cost=Decimal(9), error="late"))
    call = ChatCall.objects.get()
    assert (call.state, call.cost, call.tokens_in, call.error) == ("done", Decimal("0.1"), 10, "")


@pytest.mark.django_db
def test_caps_of_an_account_and_of_a_day_hold():
    endpoint = settings_of(row=row(audit_cap=Decimal("0.5"), daily_cap=Decimal("0.7"), max_concurrency=9))
    DatabaseBook().open_call(endpoint=endpoint, entry=ENTRY)
    with pytest.raises(CapReachedError, match=r"audit:1 has spent 0\.3"):
        DatabaseBook().open_call(endpoint=endpoint, entry=ENTRY)
    DatabaseBook().open_call(endpoint=endpoint, entry=replace(ENTRY, account="audit:2"))
    with pytest.raises(CapReachedError, match="today"):
        DatabaseBook().open_call(endpoint=endpoint, entry=replace(ENTRY, account="audit:3"))


@pytest.mark.django_db
def test_a_dead_worker_frees_its_place_but_not_its_money():
    endpoint = settings_of(row=row())
    for _ in range(2):
        DatabaseBook().open_call(endpoint=endpoint, entry=ENTRY)
    with pytest.raises(EndpointBusyError):
        DatabaseBook().open_call(endpoint=endpoint, entry=replace(ENTRY, account="b"))
    ChatCall.objects.update(created=Now() - timedelta(hours=1))
    DatabaseBook().open_call(endpoint=endpoint, entry=replace(ENTRY, account="b"))
    with pytest.raises(CapReachedError):
        DatabaseBook().open_call(endpoint=endpoint, entry=replace(ENTRY, reserve=Decimal("0.5")))


def fails(book, endpoint, error="server_error", **changes):
    ticket = book.open_call(endpoint=endpoint, entry=replace(ENTRY, reserve=Decimal("0.001"), **changes))
    book.close_call(ticket=ticket, settlement=Settlement(error=error))


@pytest.mark.django_db
def test_the_circuit_of_one_worker_is_the_circuit_of_all():
    made = row(max_concurrency=99)
    endpoint = settings_of(row=made)
    for _ in range(Circuit().limit - 1):
        fails(DatabaseBook(), endpoint)
    fails(DatabaseBook(), endpoint, error="rejected")  # it was there: the row of failures is broken
    for _ in range(Circuit().limit):
        fails(DatabaseBook(), endpoint)
    with pytest.raises(CircuitOpenError):
        fails(DatabaseBook(), endpoint)
    made.refresh_from_db()
    assert is_left_alone(endpoint=made, now=database_now())
    Endpoint.objects.update(circuit_opened=Now() - timedelta(seconds=Circuit().rest_seconds))
    fails(DatabaseBook(), endpoint, error="interrupted")  # the trial died with its worker: another waits its turn
    with pytest.raises(CircuitOpenError):
        fails(DatabaseBook(), endpoint)
    Endpoint.objects.update(circuit_opened=Now() - timedelta(seconds=Circuit().rest_seconds))
    fails(DatabaseBook(), endpoint, error="")
    made.refresh_from_db()
    assert (made.failures_in_a_row, made.circuit_opened) == (0, None)


@pytest.mark.django_db
def test_whoever_asks_to_wait_is_left_in_peace_by_all_and_not_called_ill():
    made = row(max_concurrency=99, failures_in_a_row=Circuit().limit - 1)
    endpoint = settings_of(row=made)
    tickets = [DatabaseBook().open_call(endpoint=endpoint, entry=replace(ENTRY, account=str(n))) for n in range(3)]
    for ticket, pause in zip(tickets, (60.0, 2.0, 10**9), strict=True):
        made.refresh_from_db()
        before = made.paused_until
        DatabaseBook().close_call(ticket=ticket, settlement=Settlement(error="rate_limited", pause=pause))
        made.refresh_from_db()
        assert before is None or made.paused_until >= before  # a shorter wish takes nothing back
    assert (made.failures_in_a_row, made.circuit_opened) == (Circuit().limit - 1, None)
    with pytest.raises(EndpointBusyError, match="asked everybody to wait") as told:
        fails(DatabaseBook(), endpoint)
    assert 60 < told.value.wait <= LONGEST_PAUSE
    Endpoint.objects.update(paused_until=Now())
    fails(DatabaseBook(), endpoint, error="rate_limited")  # it does not say until when: that counts
    made.refresh_from_db()
    assert made.circuit_opened is not None


@pytest.mark.django_db(transaction=True)
def test_exactly_one_of_many_workers_tries_an_endpoint_that_was_left_alone():
    endpoint = settings_of(row=row(max_concurrency=99, failures_in_a_row=20, circuit_opened=EPOCH))
    assert sorted(race(8, endpoint)) == ["CircuitOpenError"] * 7 + ["in"]


@pytest.mark.django_db(transaction=True)
def test_racing_failures_are_all_counted_and_open_the_circuit_once():
    made = row(max_concurrency=99, audit_cap=99, daily_cap=99)
    endpoint, limit = settings_of(row=made), Circuit().limit
    tickets = [DatabaseBook().open_call(endpoint=endpoint, entry=ENTRY) for _ in range(limit)]
    in_threads(
        [lambda t=t: DatabaseBook().close_call(ticket=t, settlement=Settlement(error="timed_out")) for t in tickets]
    )
    made.refresh_from_db()
    assert made.failures_in_a_row == limit
    assert made.circuit_opened is not None


def in_threads(works):
    start = threading.Barrier(len(works))

    def run(work):
        start.wait()
        try:
            work()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def race(many, endpoint):
    """How `many` workers fare that open a call at the same moment."""
    ends = []

    def work():
        try:
            DatabaseBook().open_call(endpoint=endpoint, entry=ENTRY)
            ends.append("in")
        except (EndpointBusyError, CapReachedError, CircuitOpenError) as error:
            ends.append(type(error).__name__)

    in_threads([work] * many)
    return ends


@pytest.mark.django_db(transaction=True)
def test_racing_workers_cannot_pass_a_cap_or_take_a_place_too_many():
    endpoint = settings_of(row=row(max_concurrency=4, audit_cap=Decimal("0.95")))
    ends = race(8, endpoint)
    assert (len(ends), ends.count("in"), ends.count("CapReachedError")) == (8, 3, 5)


@pytest.mark.django_db(transaction=True)
def test_a_race_for_places_and_for_the_day_lets_in_no_more_than_there_are():
    made = row(max_concurrency=3, audit_cap=99, daily_cap=99)
    assert sorted(race(8, settings_of(row=made))) == ["EndpointBusyError"] * 5 + ["in"] * 3
    ChatCall.objects.all().delete()
    Endpoint.objects.update(max_concurrency=99, daily_cap=Decimal("1.3"))
    made.refresh_from_db()
    assert sorted(race(8, settings_of(row=made))) == ["CapReachedError"] * 4 + ["in"] * 4


@pytest.mark.django_db
@pytest.mark.parametrize(("behaviour", "seconds"), [("chaos-5", 0.2), ("mixed-5", PATIENCE)])
def test_random_faults_end_with_an_answer_or_a_reason_under_the_cap_and_nothing_is_left_open(behaviour, seconds):
    with run_server() as server:
        made = row(base_url=server.url(behaviour), audit_cap=Decimal("0.2"), max_concurrency=9)
        settings = replace(settings_of(row=made), timeout_seconds=seconds, deadline_seconds=4 * PATIENCE)
        clock = Clock(sleep=lambda seconds: None)
        with ChatClient(settings, DatabaseBook(), allowed=read_allowlist(server.origin), clock=clock) as client:
            ends = [_end(client) for _ in range(14)]
        answered = server.stats(behaviour)
    assert len(ends) == 14
    assert "pass" in ends or seconds < PATIENCE  # on a busy machine an answer may look like a silence
    assert not ChatCall.objects.filter(state="open").exists()
    assert ChatCall.objects.count() >= answered["calls"]  # a call may be given up before the server sees it
    assert sum(call.cost for call in ChatCall.objects.all()) <= Decimal("0.2")


def _end(client):
    try:
        return client.ask(question=QUESTION, account="audit:1").data["vote"]
    except NoAnswerError as error:
        return str(error.failure)


@pytest.mark.django_db
def test_a_row_becomes_a_client():
    with client_for(row=row(key_variable="ACME_API_KEY"), allowed=frozenset()) as client:
        assert client.endpoint.key.variable == "ACME_API_KEY"
        assert client.endpoint.prices.per_million_in == 10


@pytest.mark.django_db
@pytest.mark.parametrize(("switch", "calls"), [("on", 1), ("off", 2)])
def test_an_answer_is_shared_by_all_workers_and_paid_once_unless_the_operator_says_no(switch, calls, monkeypatch):
    monkeypatch.setenv("TRUST_CHAT_CACHE", switch)
    forget()
    with run_server() as server:
        made = row(base_url=server.url("shared"))
        for _ in range(2):
            with client_for(row=made, allowed=read_allowlist(server.origin), cache=configured_cache()) as client:
                assert client.ask(question=QUESTION, account="a").data["vote"] == "pass"
        assert server.stats("shared")["calls"] == calls
    assert ChatCall.objects.count() == calls
