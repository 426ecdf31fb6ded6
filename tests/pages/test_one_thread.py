"""The application answers a request in one thread, with everything that Django's own handler promises."""

import asyncio
import threading

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import path

from trustweb.middleware.handler import OneThreadHandler

seen: list[int] = []


def whole(request):
    seen.append(threading.get_ident())
    return HttpResponse("whole")


def piecewise(request):
    async def chunks():
        yield b"piece"
        yield b"wise"

    return StreamingHttpResponse(chunks())


def broken(request):
    raise RuntimeError("secret detail")


async def slow(request):
    await asyncio.sleep(0)
    return HttpResponse("slow")


urlpatterns = [path("whole", whole), path("piecewise", piecewise), path("broken", broken), path("slow", slow)]
handler500 = "trustweb.middleware.failures.show_server_error"


async def ask(address):
    """Status, headers and body of one request through every middleware."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": address,
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
    }
    web = ApplicationCommunicator(OneThreadHandler(), scope)
    await web.send_input({"type": "http.request", "body": b""})
    start = await web.receive_output(timeout=60)
    body, more = b"", True
    while more:
        message = await web.receive_output(timeout=60)
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await web.wait(timeout=60)
    return start["status"], dict(start["headers"]), body


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "status", "text"),
    [
        ("/whole", 200, b"whole"),
        ("/piecewise", 200, b"piecewise"),
        ("/slow", 200, b"slow"),
        ("/none", 404, b"Not Found"),
    ],
)
def test_whatever_a_view_is_it_is_answered_with_every_header(db, address, status, text):
    answer = asyncio.run(ask(address))
    assert (answer[0], text in answer[2]) == (status, True)
    assert len(answer[1][b"X-Request-Id"]) == 16
    assert b"default-src 'none'" in answer[1][b"Content-Security-Policy"]


@pytest.mark.urls(__name__)
def test_a_fault_is_a_page_without_its_stack(db):
    status, _, body = asyncio.run(ask("/broken"))
    assert status == 500
    assert b"secret detail" not in body


@pytest.mark.urls(__name__)
def test_a_view_runs_beside_the_event_loop(db):
    asyncio.run(ask("/whole"))
    assert seen
    assert threading.get_ident() not in seen
