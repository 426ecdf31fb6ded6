"""A chat server for the tests of this room."""

import pytest

from hdag.chat.address import read_allowlist
from hdag.chat.client import ChatClient
from tests.doubles.chat_server import RunningServer, run_server


@pytest.fixture(scope="session")
def server():
    with run_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _close_clients(monkeypatch):
    opened = []
    made = ChatClient.__post_init__
    monkeypatch.setattr(ChatClient, "__post_init__", lambda self: (opened.append(self), made(self))[0])
    yield
    for client in opened:
        client.close()


@pytest.fixture(scope="session")
def allowed(server: RunningServer):
    return read_allowlist(server.origin)
