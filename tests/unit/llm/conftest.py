"""A chat server and clients for the tests of judges."""

import pytest

from hdag.chat.address import read_allowlist
from hdag.chat.client import ChatClient, Clock
from hdag.chat.endpoint import EndpointSettings
from tests.doubles.chat_server import run_server
from tests.tools.patience import PATIENCE


@pytest.fixture(scope="session")
def server():
    with run_server() as running:
        yield running


@pytest.fixture
def client_of(server):
    """A client of the named behaviour; closed after the test."""
    opened = []

    def make(behaviour, **changes):
        settings = EndpointSettings(
            behaviour, server.url(behaviour), "m-1", timeout_seconds=PATIENCE, retries=1, **changes
        )
        clock = Clock(sleep=lambda seconds: None)
        opened.append(ChatClient(settings, allowed=read_allowlist(server.origin), clock=clock))
        return opened[-1]

    yield make
    for client in opened:
        client.close()
