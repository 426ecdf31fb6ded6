"""How the client for strangers waits where a server puts it off: as told, in every form, and never for long."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from auditing.client import ApiError, TrustClient
from auditing.client.session import LONGEST_PAUSE, RETRIES, USUAL_PAUSE

NOW = "Mon, 23 Nov 2026 08:00:00 GMT"


@pytest.fixture
def busy_server():
    """Puts everybody off with the headers that it is given."""
    headers: dict[str, str] = {}

    class Busy(BaseHTTPRequestHandler):
        def log_message(self, *args):
            """Quiet."""

        def do_GET(self):
            body = json.dumps({"code": "busy", "detail": "later"}).encode()
            self.send_response_only(503)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", headers
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "86400"}, LONGEST_PAUSE),
        ({"Retry-After": "Mon, 23 Nov 2026 08:00:30 GMT", "Date": NOW}, 30.0),
        ({"Retry-After": "Monday, 23-Nov-26 08:00:30 GMT", "Date": NOW}, 30.0),
        ({"Retry-After": "Mon Nov 23 08:00:30 2026", "Date": NOW}, 30.0),
        ({"Retry-After": "Tue, 24 Nov 2026 08:00:00 GMT", "Date": NOW}, LONGEST_PAUSE),
        ({"Retry-After": "Sun, 22 Nov 2026 08:00:00 GMT", "Date": NOW}, 0.0),
        ({"Retry-After": "Mon, 23 Nov 2026 08:00:30 GMT"}, USUAL_PAUSE),
        ({"Retry-After": "soon", "Date": NOW}, USUAL_PAUSE),
        ({"Retry-After": "nan"}, USUAL_PAUSE),
        ({"Retry-After": "-5"}, USUAL_PAUSE),
        ({}, USUAL_PAUSE),
    ],
)
def test_a_pause_is_read_in_every_form_and_has_an_end(busy_server, told, seconds):
    url, headers = busy_server
    headers.update(told)
    slept: list[float] = []
    with TrustClient(base=url, token="none", sleep=slept.append) as client, pytest.raises(ApiError) as caught:
        client.audit(key="x")
    assert caught.value.status == 503
    assert slept == [seconds] * (RETRIES - 1)
