"""What the reader of HTTP keeps of a request that does not end."""

import socket

import pytest

from tests.tools.patience import PATIENCE
from tests.tools.site import Site
from trustweb.serve.http_reader import LONGEST_HEAD

pytestmark = pytest.mark.django_db(transaction=True)
HEAD = b"POST /api/v1/desk/next HTTP/1.1\r\nHost: 127.0.0.1\r\n"
PIECES = HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n"
BYTES = 10 * LONGEST_HEAD


def answer_to(site: Site, start: bytes, piece: bytes) -> tuple[bytes, int]:
    """What the server answers to a request that goes on, and how many bytes of it were sent until then."""
    sent = 0
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as wire:
        wire.sendall(start)
        wire.setblocking(False)
        while sent < BYTES:
            wire.settimeout(PATIENCE)
            try:
                wire.sendall(piece)
            except OSError:  # the server has hung up
                break
            sent += len(piece)
            wire.settimeout(0.01)
            try:
                return wire.recv(4096), sent
            except (TimeoutError, ConnectionError):
                continue
        return b"", sent


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (b"GET /", b"x" * 4096),
        (HEAD + b"Cookie: ", b"x" * 4096),
        (HEAD, b"X-Some: thing\r\n" * 300),
        (PIECES, b"X-Trailer: thing\r\n" * 300),
    ],
    ids=["address", "header", "headers", "trailers"],
)
def test_a_head_that_does_not_end_is_refused_before_it_fills_memory(site: Site, start: bytes, piece: bytes) -> None:
    answer, sent = answer_to(site, start, piece)
    assert answer.startswith(b"HTTP/1.1 4")
    assert sent < BYTES / 2


def test_a_body_may_be_longer_than_a_head(site: Site) -> None:
    body = b'{"text": "' + b"x" * BYTES + b'"}'
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as wire:
        wire.sendall(HEAD + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body)
        assert wire.recv(4096).startswith(b"HTTP/1.1 401")


def test_two_lengths_of_one_body_are_refused(site: Site) -> None:
    """Who stands before us may believe the other one: request smuggling (RFC 9112, section 6.3)."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as wire:
        wire.sendall(HEAD + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        assert wire.recv(4096).startswith(b"HTTP/1.1 400")
