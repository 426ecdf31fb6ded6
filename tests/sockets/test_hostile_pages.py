"""Threats 16 and 17 on a real server: foreign origins, foreign topics, floods and rubbish; the server stays alive."""

import contextlib
import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from accounts.models import Role, User
from accounts.services.roles import revoke_role
from accounts.services.tokens import make_token
from auditing import broadcast
from auditing.models import Audit
from tests.factories.worlds import World, make_user
from tests.tools.patience import PATIENCE, wait_for
from tests.tools.site import Site


@pytest.fixture(scope="module")
def built_once(stored_once: Path) -> Path:
    return stored_once


@pytest.fixture
def transactional_db(stored_once: Path) -> None:
    """Emptied after the last test of the module."""


@pytest.fixture
def hens(_waiting_hens: World) -> World:
    """The waiting hens, built once where the live server sees them: a test that changes a person makes its own."""
    return _waiting_hens


@pytest.fixture
def topic(hens: World) -> str:
    """What the provider may hear of the audit that waits."""
    return f"audit.{Audit.objects.get(stage='auditing').pk}"


def cookie_of(user: User | None) -> dict[str, str]:
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return {"Cookie": "; ".join(f"{name}={value.value}" for name, value in client.cookies.items())}


def opened(site: Site, user: User | None, origin: Any = "same") -> ClientConnection:
    headers = cookie_of(user)
    if origin is not None:
        headers["Origin"] = site.url if origin == "same" else origin
    return connect(f"{site.socket_url}/ws/live", additional_headers=headers, open_timeout=PATIENCE, proxy=None)


def closing_code(page: ClientConnection) -> int:
    with contextlib.suppress(ConnectionClosed):
        for _ in range(2_000):
            page.recv(timeout=PATIENCE)
    assert page.close_code is not None, "the page is still open"
    return page.close_code


def subscribe(page: ClientConnection, *topics: str) -> None:
    page.send(json.dumps({"subscribe": topics}))


def wait_until_heard(page: ClientConnection, topic: str) -> str:
    """The first frame of a topic that is rung for until then: its subscription may be on its way."""
    frames: list[str] = []

    def heard() -> bool:
        broadcast._send(topic)
        with contextlib.suppress(TimeoutError):
            frames.append(str(page.recv(timeout=0.25)))
        return bool(frames)

    wait_for(heard)
    return frames[0]


@pytest.fixture
def page(site: Site, hens: World) -> Iterator[ClientConnection]:
    with opened(site, hens.provider) as page:
        yield page


@pytest.fixture(autouse=True)
def _the_server_lives(site: Site) -> Iterator[None]:
    yield
    with urllib.request.urlopen(f"{site.url}/healthz", timeout=PATIENCE) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("origin", ["http://evil.com", "null", None, "http://127.0.0.1.evil.com", "file://"])
def test_a_foreign_origin_is_refused_in_the_handshake(site: Site, hens: World, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        opened(site, hens.provider, origin)
    assert refused.value.response.status_code == 403


def test_any_host_at_all_is_refused_at_the_start_of_production() -> None:
    from trustweb import safety

    said = list(
        safety._addresses(
            {
                **{name: getattr(settings, name) for name in dir(settings) if name.isupper()},
                "ALLOWED_HOSTS": ["*"],
                "REDIS_URL": "unix:///s",
            }
        )
    )
    assert any("ALLOWED_HOSTS" in one for one in said)


def test_a_stranger_is_sent_away(site: Site) -> None:
    with opened(site, None) as page:
        assert closing_code(page) == 4401


@pytest.mark.parametrize(
    "topic", ["audit.00000000-0000-4000-8000-000000000000", "person.1", "desk.1", "x", "audit.", ""]
)
def test_a_topic_that_is_not_mine_closes_the_page(page: ClientConnection, topic: str) -> None:
    subscribe(page, topic)
    assert closing_code(page) == 4403


def test_a_reviewer_hears_nothing_of_an_open_audit(site: Site, hens: World, topic: str) -> None:
    with opened(site, hens.reviewers[0]) as page:
        subscribe(page, topic)
        assert closing_code(page) == 4403


@pytest.mark.parametrize(
    "frame",
    [
        b"\x00\x01binary",
        "{",
        "[]",
        "null",
        '{"subscribe": "audits"}',
        '{"subscribe": [1]}',
        '{"subscribe": [], "more": 1}',
        '{"subscribe": ["' + "x" * 100 + '"]}',
        "[" * 4_000,
        "x" * 5_000,
        "x" * 1_000_000,
        json.dumps({"subscribe": [f"audits{number}" for number in range(200)]}),
    ],
    ids=lambda frame: repr(frame[:24]),
)
def test_rubbish_closes_the_page(page: ClientConnection, frame: str | bytes) -> None:
    page.send(frame)
    assert closing_code(page) in (4400, 4403, 1009)


def test_a_thousand_messages_close_the_page(page: ClientConnection) -> None:
    try:
        for _ in range(1_000):
            subscribe(page, "audits")
    except ConnectionClosed:
        pass
    assert closing_code(page) == 4429


def test_ids_travel_and_bodies_never(page: ClientConnection, topic: str) -> None:
    subscribe(page, topic)
    assert json.loads(wait_until_heard(page, topic)) == {"topic": topic}


def test_a_change_made_over_http_is_heard_by_open_pages(site: Site, page: ClientConnection, hens: World) -> None:
    """Nobody rings by hand here: the server's own thread tells the page, as in production."""
    user = hens.provider
    subscribe(page, "audits", f"news.{user.public_id}")
    wait_until_heard(page, f"news.{user.public_id}")
    _, secret = make_token(user=user, name="program")
    body = json.dumps({"problem": "What is 2 + 2?", "steps": ["2 + 2 = 4"], "answer": "4"}).encode()
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{site.url}/api/v1/traces", body, headers)
    assert urllib.request.urlopen(request, timeout=PATIENCE).status == 201
    while json.loads(page.recv(timeout=PATIENCE)) != {"topic": "audits"}:
        pass


def test_a_role_taken_away_closes_the_page(site: Site, hens: World) -> None:
    leaver = make_user("leaver@example.org", "provider")
    with opened(site, leaver) as page:
        subscribe(page, "audits")
        revoke_role(user=leaver, role=Role.PROVIDER)
        assert closing_code(page) == 4403


def test_a_ring_after_signing_out_closes_the_page(site: Site, hens: World, topic: str) -> None:
    headers = cookie_of(hens.provider)
    with connect(f"{site.socket_url}/ws/live", additional_headers={**headers, "Origin": site.url}, proxy=None) as page:
        subscribe(page, topic)
        client = Client()
        client.cookies.load(headers["Cookie"])
        client.post("/accounts/logout/")
        wait_for(lambda: is_closed_by_a_ring(page, topic))
        assert page.close_code == 4403


def is_closed_by_a_ring(page: ClientConnection, topic: str) -> bool:
    broadcast._send(topic)
    try:
        pytest.fail(f"a signed-out page heard {page.recv(timeout=0.25)!r}")
    except TimeoutError:
        return False
    except ConnectionClosed:
        return True
