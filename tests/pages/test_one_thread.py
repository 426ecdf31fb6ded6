"""The application answers a request in one thread, with everything that Django's own handler promises."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.cache import cache
from django.db import connection
from django.db.backends.postgresql import base
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.urls import path

from accounts.prepared.cursors import fetch
from tests.tools.patience import wait_for
from trustweb.middleware.handler import PROGRAMS, OneThreadHandler, PeopleFirst
from trustweb.postgresql.base import DatabaseWrapper

seen: list[int] = []
inside: list[object] = []
let_go = threading.Event()
PROGRAM = [(b"authorization", b"Bearer some")]


def whole(request):
    seen.append(threading.get_ident())
    return HttpResponse("whole")


def piecewise(request):
    async def chunks():
        yield b"piece"
        yield b"wise"

    return StreamingHttpResponse(chunks())


def streams(request):
    """Asks the database, then tells piece by piece which of its processes was asked."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = cursor.fetchone()[0]
    return StreamingHttpResponse([str(backend).encode()])


def broken(request):
    raise RuntimeError("secret detail")


def held(request):
    """Stays until the test lets it go; counts who came in."""
    inside.append(request)
    assert let_go.wait(60)
    return HttpResponse("held")


def finds(request):
    """Whether the held page had been let go when this began."""
    return JsonResponse(let_go.is_set(), safe=False)


async def slow(request):
    await asyncio.sleep(0)
    return HttpResponse("slow")


def rests(request):
    """Who answers at the other ends: PostgreSQL's process, and the client of Redis."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return JsonResponse({"backend": cursor.fetchone()[0], "client": id(cache._cache.get_client())})


def leaves(request):
    connection.close()
    return HttpResponse()


urlpatterns = [
    path("whole", whole),
    path("piecewise", piecewise),
    path("streams", streams),
    path("broken", broken),
    path("held", held),
    path("finds", finds),
    path("slow", slow),
    path("rests", rests),
    path("leaves", leaves),
]
handler500 = "trustweb.middleware.failures.show_server_error"


@pytest.fixture
def nobody_inside():
    inside.clear()
    let_go.clear()
    yield
    let_go.set()


async def ask(address, handler=None, headers=()):
    """Status, headers and body of one request through every middleware."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": address,
        "query_string": b"",
        "headers": [(b"host", b"localhost"), *headers],
    }
    web = ApplicationCommunicator(handler or OneThreadHandler(), scope)
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


@pytest.mark.urls(__name__)
def test_nobody_waits_behind_programs(db, nobody_inside):
    """However many come with a token at once, few are answered at a time, and a page is at once."""

    async def crowd():
        handler = OneThreadHandler()
        programs = [asyncio.create_task(ask("/held", handler, PROGRAM)) for _ in range(3 * PROGRAMS)]
        try:
            while len(inside) < PROGRAMS:
                await asyncio.sleep(0.01)
            page = await ask("/whole", handler)
            came_in = len(inside)
        finally:
            let_go.set()
        return page, came_in, await asyncio.gather(*programs)

    page, came_in, programs = asyncio.run(crowd())
    assert (page[0], page[2], came_in) == (200, b"whole", PROGRAMS)
    assert {program[2] for program in programs} == {b"held"}


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(("most", "found"), [(60.0, b"true"), (0.0, b"false")])
def test_a_program_lets_people_go_first_but_not_for_ever(db, nobody_inside, most, found):
    async def meeting():
        handler = OneThreadHandler()
        handler.turns = PeopleFirst(most)
        page = asyncio.create_task(ask("/held", handler))
        while not inside:
            await asyncio.sleep(0.01)
        program = asyncio.create_task(ask("/finds", handler, PROGRAM))
        try:
            for _ in range(5):  # a program that does not wait is answered meanwhile
                await ask("/whole", handler)
            if not most:
                await program
        finally:
            let_go.set()
        return (await program)[2], (await page)[2], await ask("/finds", handler, PROGRAM)

    answer, page, afterwards = asyncio.run(meeting())
    assert (answer, page, afterwards[2]) == (found, b"held", b"true")


@pytest.mark.urls(__name__)
def test_a_page_that_fails_holds_no_program_back(db):
    handler = OneThreadHandler()
    handler.turns = PeopleFirst(3_600.0)
    asyncio.run(ask("/broken", handler))
    assert asyncio.run(ask("/whole", handler, PROGRAM))[0] == 200


@pytest.fixture
def staying(db, monkeypatch):
    """A handler whose connections rest as in the web process; in the tests each request closes its own."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 600)
    monkeypatch.setitem(connection.settings_dict, "CONN_HEALTH_CHECKS", True)
    handler = OneThreadHandler()
    handler.threads = ThreadPoolExecutor(1)  # one, so that the next request meets it again
    yield handler
    asyncio.run(ask("/leaves", handler))


def rested(handler):
    return json.loads(asyncio.run(ask("/rests", handler))[2])


@pytest.mark.urls(__name__)
def test_the_next_request_finds_the_connections_of_the_one_before(staying):
    assert rested(staying) == rested(staying)


@pytest.mark.urls(__name__)
def test_a_connection_that_ended_while_it_rested_is_made_anew(staying):
    before = rested(staying)["backend"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [before])
    assert rested(staying)["backend"] != before


@pytest.mark.urls(__name__)
def test_a_connection_that_rested_costs_no_statement(staying, monkeypatch):
    rested(staying)
    asked = []
    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", lambda self: bool(asked.append(self)) or True)
    assert rested(staying)
    assert (asked, DatabaseWrapper.is_usable is base.DatabaseWrapper.is_usable) == ([], False)


@pytest.mark.urls(__name__)
def test_a_streaming_answer_leaves_no_connection_where_none_rests(db):
    handler = OneThreadHandler()
    backend = int(asyncio.run(ask("/streams", handler))[2])
    with connection.cursor() as cursor:

        def is_gone():
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [backend])
            return cursor.fetchone()[0] == 0

        wait_for(is_gone)


@pytest.mark.django_db
def test_what_is_prepared_is_never_planned_for_the_values_of_one_call():
    for number in range(10):
        fetch("SELECT 'planned', id FROM accounts_user WHERE id = $1", [number])
    with connection.cursor() as cursor:
        cursor.execute("SELECT custom_plans FROM pg_prepared_statements WHERE statement LIKE 'SELECT ''planned''%'")
        assert cursor.fetchall() == [(0,)]
