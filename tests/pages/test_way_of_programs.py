"""A program's request goes a shorter way through the middlewares: what it is answered is the same."""

import io
import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import IntConverter, UUIDConverter

from accounts import pace
from accounts.services.tokens import make_token
from auditing.models import Audit
from tests.factories.worlds import make_user, waiting_world
from tests.tools.sweeping import sampled
from trustweb.middleware.handler import OneThreadHandler

OTHER = uuid.UUID(int=7)
ELSEWHERE = ["/api/v1/none", "/api/v1/audits/", "/api/v1/audits?access_token=secret", "/api/v1/audits?limit=none"]
# A page's middleware that asks for the session says so to caches, which may keep neither answer.
MAY_DIFFER = {"X-Request-Id", "Vary", "Content-Length"}


def addresses(audit: Audit) -> list[str]:
    """Every address of the API, about what is there, and some that are none."""
    known = {"audit_id": audit.pk, "campaign_id": audit.campaign_id}

    def walk(patterns: list[Any], before: str) -> Iterator[str]:
        for one in patterns:
            route = before + str(one.pattern)
            if isinstance(one, URLResolver):
                yield from walk(one.url_patterns, route)
            elif isinstance(one, URLPattern) and route.startswith("api/v1/"):
                for name, converter in one.pattern.converters.items():
                    plain: Any = "1" if isinstance(converter, IntConverter) else "x"
                    value = known.get(name, OTHER) if isinstance(converter, UUIDConverter) else plain
                    start = route.index(f"{name}>")
                    start = route.rindex("<", 0, start)
                    route = f"{route[:start]}{value}{route[route.index('>', start) + 1 :]}"
                yield f"/{route}"

    return [*walk(get_resolver().url_patterns, ""), *ELSEWHERE]


def ask(handler: OneThreadHandler, method: str, address: str, headers: dict[str, str], body: bytes) -> Any:
    """One request, and nothing of what it changed."""
    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost"), (b"content-length", str(len(body)).encode())]
        + [(name.lower().encode(), value.encode()) for name, value in headers.items()],
    }
    with transaction.atomic():
        answer = handler.answer(scope, io.BytesIO(body))
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        answer.close()
        transaction.set_rollback(True)
    return answer, content


@pytest.fixture(scope="module")
def ways() -> tuple[OneThreadHandler, OneThreadHandler]:
    """The server's own handler, and one in which programs go everybody's way."""
    short, whole = OneThreadHandler(), OneThreadHandler()
    whole.of_programs = whole  # type: ignore[assignment]
    return short, whole


@pytest.fixture
def one_transaction(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a request leaves the test's own connection alone."""
    monkeypatch.setitem(connection.settings_dict, "AUTOCOMMIT", False)
    monkeypatch.setattr(connections[DEFAULT_DB_ALIAS], "close_at", None)


@pytest.mark.parametrize("role", sampled(["admin", "reviewer", "provider", ""], one_in=3))
def test_each_address_answers_the_same_either_way(
    one_transaction: None, ways: tuple[OneThreadHandler, OneThreadHandler], role: str
) -> None:
    audit = Audit.objects.filter(campaign=waiting_world().campaign)[0]
    token = make_token(user=make_user("way@example.org", role), name="way")[1] if role else "none"
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    statuses = set()
    asked = [(method, address) for method in ("GET", "POST", "DELETE") for address in addresses(audit)]
    for method, address in asked:
        body = b"{}" if method == "POST" else b""
        (short, told), (whole, told_too) = [ask(way, method, address, headers, body) for way in ways]
        assert short.status_code == whole.status_code, address
        kept = [{name: text for name, text in one.items() if name not in MAY_DIFFER} for one in (short, whole)]
        assert kept[0] == kept[1], address
        assert short["X-Request-Id"] != whole["X-Request-Id"]
        if method == "GET" and short["Content-Type"] == "application/json":
            assert nameless(told) == nameless(told_too), address
        statuses.add(short.status_code)
    assert statuses >= ({200, 403, 404, 405} if role else {401, 404})


def nameless(body: bytes) -> Any:
    """The answer without the name of its request and the moment in which it was given."""
    value = json.loads(body)
    return {name: one for name, one in value.items() if name not in NAMES} if isinstance(value, dict) else value


NAMES = {"request_id", "now", "at"}


@pytest.mark.parametrize(
    ("path", "shown", "is_short"),
    [
        ("/api/v1/audits", {"Authorization": "Bearer x"}, True),
        ("/api/v1/audits", {"Authorization": "Bearer x", "Cookie": "sessionid=x"}, False),
        ("/api/v1/audits", {}, False),
        ("/work", {"Authorization": "Bearer x"}, False),
    ],
)
def test_pages_and_whoever_shows_a_cookie_go_the_whole_way(
    one_transaction: None, path: str, shown: dict[str, str], is_short: bool
) -> None:
    went: list[str] = []

    class Noting(OneThreadHandler):
        """Says which way a request went."""

        def get_response(self, request: Any) -> Any:
            went.append("whole")
            return super().get_response(request)

    ask(Noting(), "GET", path, shown, b"")
    assert (went == []) is is_short


@pytest.mark.parametrize("token", ["none", "known"])
@pytest.mark.parametrize("address", ["/api/v1/none", f"/api/v1/audits/{OTHER}"])
def test_guesses_are_counted_on_the_shorter_way_too(
    one_transaction: None, settings: Any, token: str, address: str
) -> None:
    settings.TRUST_UNKNOWN_PER_MINUTE = 1
    secret = make_token(user=make_user("guess@example.org", "admin"), name="way")[1] if token == "known" else "none"
    handler, headers = OneThreadHandler(), {"Authorization": f"Bearer {secret}"}
    answers = [ask(handler, "GET", address, headers, b"")[0].status_code for _ in range(pace.MANY_AT_ONE_ADDRESS + 1)]
    known_address = address != "/api/v1/none"
    assert (answers[-1] == 429) is (token == "known" or not known_address)  # an unknown token is 401 and no guess
