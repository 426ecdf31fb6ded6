"""A Redis that takes connections and answers nothing: pages ask it once and go on, and nobody waits for a message."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from threading import Thread

import pytest
from celery import Celery
from django.conf import settings

from auditing import dispatch
from auditing.dispatch import Message, Outbox
from tests.tools.patience import wait_for
from trustweb.cache import TolerantRedisCache

ADVANCE = Message("auditing.advance_audit", ("1",))


def app_at(broker: str) -> Celery:
    """An application beside ours: whatever the thread sends after this test must not go to a broker that is gone."""
    return Celery("elsewhere", broker=broker, set_as_current=False)


class Hung:
    """A server that listens, takes every connection and never says a word."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"redis://127.0.0.1:{self.listener.getsockname()[1]}/0"
        self.taken: list[socket.socket] = []
        Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        with ExitStack() as closing:
            closing.enter_context(self.listener)
            while True:
                try:
                    self.taken.append(self.listener.accept()[0])
                except OSError:  # the end of the test
                    return

    def end(self) -> None:
        """Take no more, and break off what was taken."""
        self.listener.shutdown(socket.SHUT_RDWR)
        for connection in self.taken:
            connection.close()


@pytest.fixture
def hung() -> Iterator[Hung]:
    server = Hung()
    yield server
    server.end()


@pytest.fixture
def cache(hung: Hung, monkeypatch: pytest.MonkeyPatch) -> TolerantRedisCache:
    monkeypatch.setattr(TolerantRedisCache, "_asked_again_at", 0.0)
    return TolerantRedisCache(hung.address, {"OPTIONS": {"socket_timeout": 0.2, "socket_connect_timeout": 0.2}})


def test_a_cache_that_hangs_is_asked_once_and_then_rests(cache: TolerantRedisCache, hung: Hung) -> None:
    assert cache.get("name", 7) == 7
    assert len(hung.taken) == 1
    other_thread = TolerantRedisCache(hung.address, {"OPTIONS": {"socket_timeout": 0.2}})
    for one in (cache, other_thread):
        assert one.get("name", 7) == 7
        assert one.take_turn("name", most=1, seconds=60, now=0.0) is None
        assert one.add("name", 1)
    assert len(hung.taken) == 1


def test_after_its_rest_the_cache_is_asked_again(
    cache: TolerantRedisCache, hung: Hung, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.get("name")
    monkeypatch.setattr(TolerantRedisCache, "_asked_again_at", 0.0)
    cache.get("name")
    assert len(hung.taken) == 2


def test_a_cache_that_refuses_does_not_rest() -> None:
    cache = TolerantRedisCache("unix:///nowhere/s", {"OPTIONS": {"socket_timeout": 2, "socket_connect_timeout": 2}})
    assert cache.get("name", 7) == 7
    assert TolerantRedisCache._asked_again_at == 0.0


def test_whoever_puts_a_message_does_not_wait_for_a_broker_that_hangs(
    hung: Hung, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "current_app", app_at(hung.address))
    outbox = Outbox()
    outbox.put(ADVANCE, is_urgent=True)
    wait_for(lambda: hung.taken)  # from here on the thread waits for an answer
    for _ in range(3):
        outbox.put(Message("auditing.advance_audit", ("2",)), is_urgent=True)
    assert list(outbox._urgent) == [Message("auditing.advance_audit", ("2",))]


def test_a_broker_that_refuses_is_asked_once_for_each_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each message of a task would wait for seconds, and the task run into its limit."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        asked = list[int]()

        def refuse() -> None:
            with suppress(OSError):  # the end of the test
                while True:
                    listener.accept()[0].close()
                    asked.append(1)

        Thread(target=refuse, daemon=True).start()
        app = app_at(f"redis://127.0.0.1:{listener.getsockname()[1]}/0")
        app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
        monkeypatch.setattr(dispatch, "current_app", app)
        for _ in range(3):
            ADVANCE.send()
        assert len(asked) == 3
        listener.shutdown(socket.SHUT_RDWR)


def test_a_broker_that_hangs_fills_no_memory(hung: Hung, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "current_app", app_at(hung.address))
    monkeypatch.setattr(dispatch, "MOST", 5)
    outbox = Outbox()
    outbox.put(ADVANCE, is_urgent=True)
    wait_for(lambda: hung.taken)
    for number in range(9):
        outbox.put(Message("auditing.advance_audit", (str(number),)), is_urgent=True)
    assert [message.args for message in outbox._urgent] == [(str(number),) for number in range(5)]


def test_urgent_messages_go_at_once_and_take_along_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "TURN", 3_600.0)
    monkeypatch.setattr(Outbox, "_run", lambda self: None)
    outbox = Outbox()
    outbox.put(Message("auditing.close_windows"), is_urgent=False)
    outbox.put(ADVANCE, is_urgent=True)
    assert outbox._take() == [ADVANCE, Message("auditing.close_windows")]
