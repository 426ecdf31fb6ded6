"""The live site of the tests comes to rest: the database is emptied when nobody is at work any more."""

import asyncio
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from websockets.frames import Frame, Opcode

from tests.factories.worlds import make_user
from tests.sockets.test_hostile_pages import closing_code, cookie_of, opened
from tests.tools.patience import PATIENCE, wait_for
from tests.tools.site import Site
from trustweb.serve.web import LiveSocket

pytestmark = pytest.mark.django_db(transaction=True)
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'accounts_user'::regclass"


def fetch(site: Site, address: str, headers: dict[str, str]) -> int:
    request = urllib.request.Request(site.url + address, headers=headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return int(answer.status)


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return bool(cursor.fetchone()[0])


def test_at_rest_no_socket_is_left_and_the_next_request_is_answered(site: Site) -> None:
    with opened(site, make_user("ada@example.org", "reviewer")) as page:
        site.rest()
        assert closing_code(page) == 1012
    assert not site.server.server_state.connections
    assert fetch(site, "/healthz", {}) == 200


def test_a_request_under_way_is_waited_for_though_its_database_keeps_it(site: Site) -> None:
    headers = cookie_of(make_user("ada@example.org", "reviewer"))
    ends: list[str] = []
    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("LOCK TABLE accounts_user IN ACCESS EXCLUSIVE MODE")
            asked = pool.submit(lambda: (fetch(site, "/me", headers), ends.append("answered")))
            wait_for(somebody_waits)
            rested = pool.submit(lambda: (site.rest(), ends.append("rested")))
            wait_for(lambda: any(told.cycle.keep_alive is False for told in list(site.server.server_state.connections)))
            assert ends == []
        assert asked.result(PATIENCE)[0] == 200
        rested.result(PATIENCE)
    assert sorted(ends) == ["answered", "rested"]


def take_leave(site: Site) -> None:
    """Every open page sends its close frame, and the server is asked to end before it has answered."""

    async def hear_the_frame_only() -> None:
        for socket in list(site.server.server_state.connections):
            if isinstance(socket, LiveSocket):
                socket.conn.receive_data(Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
                socket.shutdown()

    assert site.server.loop
    asyncio.run_coroutine_threadsafe(hear_the_frame_only(), site.server.loop).result(PATIENCE)


def test_the_server_ends_a_socket_whose_browser_is_taking_leave(site: Site) -> None:
    with opened(site, make_user("ada@example.org", "reviewer")):
        take_leave(site)
        site.rest()
    assert not site.server.server_state.connections
