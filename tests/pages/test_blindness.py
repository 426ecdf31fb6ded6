"""As a peer of the same round, over every address: no bit of a vote that is not opened, no provider, no model."""

from collections.abc import Iterator
from typing import Any

import pytest
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


def filled(route: str) -> list[str]:
    """The route with every key that a curious peer could try."""
    keys = [
        Audit.objects.values_list("pk", flat=True)[0],
        *Seat.objects.values_list("pk", flat=True),
        *Round.objects.values_list("pk", flat=True)[:2],
        Campaign.objects.values_list("pk", flat=True)[0],
    ]
    if "<" not in route:
        return ["/" + route]
    if route.count("<") != 1 or "uuid:" not in route:
        return []
    head, tail = route.split("<", 1)
    return [f"/{head}{key}{tail.split('>', 1)[1]}" for key in keys]


def everything_seen(user: Any) -> Iterator[tuple[str, str]]:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    client.raise_request_exception = False
    for route in addresses(get_resolver().url_patterns):
        if route.startswith(("admin", "accounts/", "^", "api/schema", "api/docs")):
            continue
        for address in filled(route):
            answer = client.get(address)
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
            yield address, f"{dict(answer.headers)}{body.decode('utf-8', 'replace')}"


def test_no_address_tells_a_peer_who_wrote_the_trace(world: World) -> None:
    telling = ("provider@example.org", world.provider.pseudonym, "Foo Lab", MODEL, "OpenAI", "foo.example", "As an AI")
    seen = dict(everything_seen(world.reviewers[0]))
    assert any("Current reasoning" in body for body in seen.values())
    for address, body in seen.items():
        assert not [word for word in telling if word.lower() in body.lower()], address


def test_no_address_says_how_a_peer_voted_before_the_window_closes(world: World) -> None:
    """The whole of what a peer can read is the same, byte for byte, whether the others sealed pass or fail."""
    world.seal(seat_of(world, 1), seat_of(world, 1).auditor, Choice.FAIL)
    one = Commitment.objects.get(seat__auditor__tier="human")
    for address, body in everything_seen(world.reviewers[0]):
        for secret in (
            bytes(one.digest).hex(),
            bytes(one.rationale_digest).hex(),
            str(one.seat_id),
            "It does not follow.",
        ):
            assert secret not in body or address.startswith("/ledger"), address


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
