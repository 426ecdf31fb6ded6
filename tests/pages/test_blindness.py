"""As a peer of the same round, over every address: no bit of a vote that is not opened, no provider, no model."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import Profile
from auditing.core.values import Choice
from auditing.models import Audit, Campaign, Commitment, Round, Seat
from hdag.core.values import Trace
from tests.factories.worlds import World, make_world

pytestmark = pytest.mark.django_db
MODEL = "Acme-Solver-9B"
SECRET = (
    "As an AI made by OpenAI I solve it.\n\nEach week the hens lay 12 * 5 = 60 eggs, says Acme-Solver-9B of Foo Lab."
    "\n\nAsk provider@example.org or https://foo.example/x.\n\nIn 3 weeks they lay 60 * 3 = 180 eggs."
)
TRACE = Trace(problem="Foo Lab asks: how many eggs?", thinking=SECRET, answer="180", domain="school maths",
              title="Eggs of Foo Lab", model_name=MODEL)  # fmt: skip


@pytest.fixture
def world() -> World:
    world = make_world(reviewers=3)
    Profile.objects.create(user=world.provider, organisation="Foo Lab")
    world.submit(trace=TRACE)
    world.settle_machines()
    return world


def addresses(patterns: list[Any], before: str = "") -> Iterator[str]:
    """Every route of the URLconf as text."""
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns, before + str(one.pattern))
        elif isinstance(one, URLPattern):
            yield before + str(one.pattern)


def keys_of(kind: str) -> list[str]:
    """What a curious peer could put in the place of a parameter. KeyError for a converter nobody thought of."""
    uuids = [
        Audit.objects.values_list("pk", flat=True)[0],
        *Seat.objects.filter(auditor__tier="human")
        .order_by("auditor__user", "pk")
        .distinct("auditor__user")
        .values_list("pk", flat=True)[:2],
        Round.objects.filter(tier="human").values_list("pk", flat=True)[0],
        Campaign.objects.values_list("pk", flat=True)[0],
    ]
    words = ["G1", "O1", "S1", "beta", "0", "x000"]
    known = {"uuid": uuids, "int": [0, 1, 2], "str": words, "slug": words, "path": words}
    return [str(key) for key in known[kind]]


def filled(route: str) -> list[str]:
    """The route with every key in the place of every parameter; with two parameters, the first few of each."""
    found = [""]
    for number, piece in enumerate(re.split(r"<([^>]+)>", route)):
        if number % 2 == 0:
            found = [before + piece for before in found]
            continue
        keys = keys_of(piece.split(":")[0] if ":" in piece else "str")
        most = len(keys) if route.count("<") == 1 else 3
        found = [before + key for before in found for key in keys[:most]]
    return ["/" + one for one in found]


LEFT_OUT = ("admin", "accounts/", "api/schema", "api/docs")  # Django's and allauth's own; nothing of a trace


def everything_seen(user: Any) -> Iterator[tuple[str, str]]:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    client.raise_request_exception = False
    routes = [route for route in addresses(get_resolver().url_patterns) if not route.startswith(LEFT_OUT)]
    assert len(routes) > 80
    for route in routes:
        for address in filled(route):
            answer = client.get(address)
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
            yield address, f"{dict(answer.headers)}{body.decode('utf-8', 'replace')}"
    answer = client.post("/api/v1/desk/next")
    yield "/api/v1/desk/next", f"{dict(answer.headers)}{answer.content.decode()}"


def test_no_address_tells_a_peer_who_wrote_the_trace(world: World) -> None:
    telling = ("provider@example.org", world.provider.pseudonym, "Foo Lab", MODEL, "OpenAI", "foo.example", "As an AI")
    seen = dict(everything_seen(world.reviewers[0]))
    assert any("Current reasoning" in body for body in seen.values())
    for address, body in seen.items():
        assert not [word for word in telling if word.lower() in body.lower()], address


def test_no_address_and_no_log_line_says_how_a_peer_voted_before_the_window_closes(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    world.seal(seat_of(world, 1), seat_of(world, 1).auditor, Choice.FAIL)
    one = Commitment.objects.get(seat__auditor__tier="human")
    secrets = (bytes(one.digest).hex(), bytes(one.rationale_digest).hex(), str(one.seat_id), "It does not follow.")
    for address, body in everything_seen(world.reviewers[0]):
        told = [secret for secret in secrets if secret in body]
        assert not told or address.startswith("/ledger") or f"/{one.seat_id}" in address, (address, told)
    lines = [record.getMessage() for record in caplog.records if not record.name.startswith(("django.db", "httpx"))]
    assert not [line for line in lines if any(secret in line for secret in (*secrets[:2], secrets[3]))]


def test_everything_a_peer_can_read_is_the_same_whatever_the_others_seal(world: World) -> None:
    """Every address, headers included, after a sealed fail and after a sealed pass; only the seal itself differs."""
    seen: list[dict[str, str]] = []
    for choice in (Choice.FAIL, Choice.PASS):
        with suppress(Undo), transaction.atomic():
            world.seal(seat_of(world, 1), seat_of(world, 1).auditor, choice)
            seen.append({address: without_chance(body) for address, body in everything_seen(world.reviewers[0])})
            raise Undo
    assert seen[0].keys() == seen[1].keys()
    differs = [address for address in seen[0] if seen[0][address] != seen[1][address]]
    assert differs == [], first_difference(*(one[differs[0]] for one in seen))


def first_difference(one: str, other: str) -> tuple[str, str]:
    at = next(place for place, (a, b) in enumerate(zip(one + "\0", other + "\0", strict=False)) if a != b)
    return one[max(0, at - 60) : at + 60], other[max(0, at - 60) : at + 60]


class Undo(Exception):
    """Roll back what was sealed, so that the next choice is sealed in the same world."""


def without_chance(body: str) -> str:
    """The answer without what differs at every request: tokens, seals and their signatures, numbers, times."""
    said = re.sub(r'(csrf[^"\']{0,40}["\'][^"\']{0,20}["\'])[^"\']{20,}', r"\1", body, flags=re.IGNORECASE)
    said = re.sub(r"[A-Za-z0-9+/=_-]{30,}|\b[0-9a-f]{12,}\b", "…", said)
    return re.sub(r"\d+", "0", said)


def seat_of(world: World, number: int) -> Seat:
    found = Seat.objects.select_related("round__audit", "round__segment__block", "auditor")
    return found.filter(auditor__user=world.reviewers[number]).order_by("pk")[0]


def test_pages_of_a_peer_are_the_same_whatever_the_others_seal(world: World) -> None:
    client = Client()
    client.force_login(world.reviewers[0], backend="django.contrib.auth.backends.ModelBackend")
    before = parts(client.get("/desk").content.decode())
    for number, choice in ((1, Choice.FAIL), (2, Choice.PASS)):
        world.seal(seat_of(world, number), seat_of(world, number).auditor, choice)
    assert parts(client.get("/desk").content.decode()) == before


def parts(page: str) -> list[str]:
    """The page without what changes at every request."""
    return [line for line in page.splitlines() if "csrf" not in line.lower()]
