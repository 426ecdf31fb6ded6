"""The health check of the web container, as the image runs it."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.doubles.authority import make_authority
from tests.doubles.tls_front import TlsFront
from trustweb import health


class Answers(BaseHTTPRequestHandler):
    """A web server that answers as Django does: its own host's questions alone."""

    def do_GET(self):
        is_asked = (self.path, self.headers["Host"]) == ("/healthz/reading", "trust.example")
        self.send_response(200 if is_asked else 400)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def web():
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("hosts", ["trust.example", ".trust.example, other.example"])
def test_a_web_server_that_answers_is_well(web, monkeypatch, hosts):
    monkeypatch.setenv("ALLOWED_HOSTS", hosts)
    assert health.main(web) == 0


def test_a_web_server_that_refuses_is_ill(web, monkeypatch):
    monkeypatch.setenv("ALLOWED_HOSTS", "other.example")
    assert health.main(web) == 1


def test_a_web_server_that_speaks_tls_alone_is_asked_over_tls(web, monkeypatch, tmp_path):
    monkeypatch.setenv("ALLOWED_HOSTS", "trust.example")
    certificate = make_authority(directory=tmp_path / "own", host="trust.example")[1]
    monkeypatch.setenv("UVICORN_SSL_CERTFILE", str(certificate))
    with TlsFront(certificate=certificate, behind=("127.0.0.1", web), is_asked_first=False).running() as front:
        assert health.main(front.port) == 0
        monkeypatch.delenv("UVICORN_SSL_CERTFILE")
        assert health.main(front.port) == 1
