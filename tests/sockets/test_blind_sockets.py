"""Open pages, Celery and everything else in Redis: sealing a fail and sealing a pass look the same from there."""

import base64
import json
import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
import redis
from django.conf import settings
from django.test import Client
from websockets.sync.client import ClientConnection

from auditing import broadcast
from auditing.core.values import Choice
from auditing.models import Audit, Round, Seat
from auditing.services.voting import commitment
from tests.factories.worlds import World, make_user, sealed_vote
from tests.sockets.test_hostile_pages import opened, subscribe, wait_until_heard
from tests.tools.patience import PATIENCE
from tests.tools.site import Site

pytestmark = pytest.mark.django_db(transaction=True)
PREFIX = settings.CACHES["default"]["KEY_PREFIX"].split(":")[0]
CHANCE = re.compile(r"specific\.\w+!\w+|[0-9a-f]{8}-[0-9a-f-]{27}|\d+(\.\d+)?|[A-Za-z0-9+/=_-]{24,}")
WAITING = ("BZPOPMIN", "DEL", "EXPIRE", "ZREM")  # what a socket that waits does every few seconds
REASON = "It does not follow."
END = "the end"


@contextmanager
def redis_traffic() -> Iterator[list[str]]:
    """Every command of this test process that reaches Redis meanwhile."""
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE)
    lines: list[str] = []
    ready = threading.Event()

    def listen() -> None:
        with client.monitor() as monitor:
            ready.set()
            for said in monitor.listen():
                if END in said["command"]:
                    return
                if f"{PREFIX}:" in said["command"]:
                    lines.append(said["command"])

    listener = threading.Thread(target=listen)
    listener.start()
    assert ready.wait(PATIENCE)
    try:
        yield lines
    finally:
        client.echo(END)
        listener.join(PATIENCE)
        client.close()


def bells(lines: list[str]) -> list[Any]:
    """Names and arguments of the Celery tasks that were rung for."""
    found = []
    for line in lines:
        for body, task in re.findall(r'"body": "([A-Za-z0-9+/=]+)".*?"task": "([\w.]+)"', line.replace('\\"', '"')):
            found.append((task, json.loads(base64.b64decode(body))[:2]))
    return found


def seats_of(world: World) -> list[Seat]:
    """Two seats of one reviewer, in rounds where the first one sits too and nobody has sealed yet."""
    mine = Seat.objects.filter(auditor__user=world.reviewers[0]).values("round")
    found = Seat.objects.filter(auditor__user=world.reviewers[1], round__in=mine, round__stage="committing")
    return list(found.select_related("round__audit", "round__segment__block", "auditor").order_by("pk")[:2])


def heard_so_far(page: ClientConnection, user: Any) -> list[str]:
    """Every frame before one that we ring for ourselves: a page hears everything in the order in which it rang."""
    frames, end = list[str](), f"news.{user.public_id}"
    broadcast._send(end)
    while end not in (frame := str(page.recv(timeout=PATIENCE))):
        frames.append(frame)
    return frames


def seal_and_listen(site: Site, world: World, seat: Seat, choice: Choice, listeners: list[Any]) -> dict[str, Any]:
    with ExitStack() as open_pages:
        return overheard(site, world, seat, choice, listeners, open_pages)


def overheard(
    site: Site, world: World, seat: Seat, choice: Choice, listeners: list[Any], open_pages: ExitStack
) -> dict[str, Any]:
    """Seal over HTTP as a browser does; what open pages, Celery and Redis hear until the walker has been there."""
    client = Client()
    client.force_login(world.reviewers[1], backend="django.contrib.auth.backends.ModelBackend")
    vote = sealed_vote(seat=seat, choice=choice, confidence=9000, reveal_key=world.reveal_key.public_key())
    body = {
        "commitment": vote.digest.hex(),
        "rationale_digest": vote.rationale_digest.hex(),
        "sealed": base64.b64encode(vote.sealed or b"").decode(),
    }
    pages = [(open_pages.enter_context(opened(site, user)), user) for user in listeners]
    more = f"audit.{Audit.objects.get().pk}"
    for number, (page, user) in enumerate(pages):
        subscribe(page, f"news.{user.public_id}", "audits", "ledger", *[more][: min(number, 1)], "desk")
        wait_until_heard(page, "desk")
    for page, user in pages:  # each has also heard what the next one was waited for with
        heard_so_far(page, user)
    with redis_traffic() as lines:
        answer = client.post(f"/api/v1/seats/{seat.pk}/commitment", body, content_type="application/json")
        assert answer.status_code == 200, answer.content
        world.sequence()
        world.walk()
        frames = [heard_so_far(page, user) for page, user in pages]
    said = "\n".join(lines)
    told = [word for word in (REASON, vote.digest.hex(), vote.rationale_digest.hex()) if word in said]
    kinds = {CHANCE.sub("…", " ".join(line.split()[:2])) for line in lines if not line.startswith(WAITING)}
    return {"frames": frames, "bells": bells(lines), "kinds": kinds, "told": told}


def test_nothing_that_is_sent_tells_a_fail_from_a_pass(site: Site, live_waiting_hens: World) -> None:
    listeners = [
        live_waiting_hens.reviewers[0],
        live_waiting_hens.provider,
        make_user("all@example.org", "admin", "researcher", "reviewer"),
    ]
    fail, passed = (
        seal_and_listen(site, live_waiting_hens, seat, choice, listeners)
        for seat, choice in zip(seats_of(live_waiting_hens), (Choice.FAIL, Choice.PASS), strict=True)
    )
    assert fail == passed
    assert fail["told"] == []
    assert fail["kinds"], "nothing was overheard"


def test_a_frame_that_tells_is_found(site: Site, live_waiting_hens: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same look, with a leak planted: the topic says how the vote went."""
    seats = seats_of(live_waiting_hens)
    topics = {str(seat.pk): topic for seat, topic in zip(seats, ("desk", "ledger"), strict=True)}
    honest = commitment.leaves.commit_leaf

    def tell(**said: Any) -> Any:
        broadcast.tell(topics[str(said["seat"].pk)])
        return honest(**said)

    monkeypatch.setattr(commitment.leaves, "commit_leaf", tell)
    fail, passed = (
        seal_and_listen(site, live_waiting_hens, seat, choice, [live_waiting_hens.reviewers[0]])
        for seat, choice in zip(seats, (Choice.FAIL, Choice.PASS), strict=True)
    )
    assert fail["frames"] != passed["frames"]
    assert Round.objects.filter(stage="committing").exists()
