"""When the sequencer refuses to sign, or merging is late, every page says so and nothing is promised."""

import base64
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from auditing.core.ledger.leaves import Anchor, Digest, encode
from auditing.core.values import Choice
from auditing.models import Audit, Commitment, Leaf, Seat
from auditing.selectors.clock import database_now
from auditing.selectors.ledger.signing import REFUSAL, NotSigningError
from tests.factories.worlds import World, make_world, sealed_vote
from tests.tools.before_story import EGGS, signed_in

pytestmark = pytest.mark.django_db
BANNER = "The ledger is not being signed"


@pytest.fixture
def refusing() -> Iterator[Path]:
    path = Path(settings.LEDGER_DIR) / REFUSAL
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("Nothing is signed any more: the database has 3 leaves, 9 were signed.")
    cache.clear()
    yield path
    path.unlink(missing_ok=True)
    cache.clear()


def test_every_page_the_ledger_and_healthz_say_that_nothing_is_signed(refusing: Path) -> None:
    everybody = Client()
    assert all(BANNER in everybody.get(page).content.decode() for page in ("/", "/ledger", "/verify"))
    assert "the database has 3 leaves, 9 were signed" in everybody.get("/ledger").content.decode()
    health = everybody.get("/healthz")
    assert (health.status_code, health["Retry-After"], list(health.json()["troubles"])) == (503, "5", ["ledger"])
    assert "9 were signed" in health.json()["troubles"]["ledger"]


def test_pages_that_are_missing_or_shut_say_so_too_and_lead_home(refusing: Path) -> None:
    provider = signed_in(make_world().provider)
    for client, address, way in (
        (Client(), "/no/such", 'href="/"'),
        (provider, "/no/such", 'href="/home"'),
        (provider, "/people", 'href="/home"'),
    ):
        page = client.get(address).content.decode()
        assert BANNER in page
        assert way in page
    refusing.unlink()
    cache.clear()
    assert BANNER not in Client().get("/no/such").content.decode()


def test_readers_are_still_sent_to_a_site_whose_ledger_is_not_signed(refusing: Path) -> None:
    reading = Client().get("/healthz/reading")
    assert (reading.status_code, list(reading.json()["troubles"])) == (200, ["ledger"])


def test_a_trace_is_answered_503_and_nothing_of_it_is_kept(refusing: Path) -> None:
    world = make_world()
    body = {**EGGS, "campaign": str(world.campaign.pk)}
    answer = signed_in(world.provider).post("/api/v1/traces", body, content_type="application/json")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert not Audit.objects.exists()


def test_a_vote_over_the_api_is_answered_503_and_no_receipt_is_given(refusing: Path) -> None:
    refusing.unlink()
    world = seated()
    refusing.write_text("Nothing is signed any more.")
    cache.clear()
    seat = Seat.objects.filter(auditor__user=world.reviewers[0]).order_by("pk")[0]
    vote = sealed_vote(seat=seat, choice=Choice.PASS, confidence=9000, reveal_key=world.reveal_key.public_key())
    body = {
        "commitment": vote.digest.hex(),
        "rationale_digest": vote.rationale_digest.hex(),
        "sealed": base64.b64encode(vote.sealed or b"").decode(),
    }
    answer = signed_in(world.reviewers[0]).post(
        f"/api/v1/seats/{seat.pk}/commitment", body, content_type="application/json"
    )
    assert (answer.status_code, answer["Retry-After"], "receipt" in answer.json()) == (503, "5", False)
    assert not Commitment.objects.filter(seat=seat).exists()


def seated() -> World:
    world = make_world()
    world.submit()
    world.settle_machines()
    return world


def test_a_vote_is_not_promised_while_entries_wait_too_long() -> None:
    world = seated()
    assert world.vote(world.reviewers[0]) is not None
    world.sequence()  # the oldest of those that wait tells how long they wait
    leaf = Anchor(chain="1", contract="0x0", transaction="0x0", size=1, root=Digest(bytes(32)))
    Leaf.objects.create(kind=leaf.TYPE, body=encode(leaf=leaf), created=database_now() - timedelta(days=30))
    cache.clear()
    before = Commitment.objects.count()
    with pytest.raises(NotSigningError):
        world.vote(world.reviewers[1])
    assert Commitment.objects.count() == before
    assert BANNER in Client().get("/ledger").content.decode()
    cache.clear()


def test_a_full_disk_is_said_everywhere_and_takes_the_machine_out_of_the_balancer(settings: Any) -> None:
    world = make_world()
    settings.DISK_LEAST_FREE = 2**62
    cache.clear()
    health = Client().get("/healthz")
    assert (health.status_code, set(health.json()["troubles"])) == (503, {"ledger", "disk"})
    assert Client().get("/healthz/reading").status_code == 503
    assert BANNER in Client().get("/").content.decode()
    assert "The disk is full" in Client().get("/ledger").content.decode()
    body = {**EGGS, "campaign": str(world.campaign.pk)}
    answer = signed_in(world.provider).post("/api/v1/traces", body, content_type="application/json")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    cache.clear()


def test_all_is_well_again_when_the_sequencer_signs(refusing: Path) -> None:
    refusing.unlink()
    cache.clear()
    assert Client().get("/healthz").json() == {"status": "ok"}
    assert BANNER not in Client().get("/ledger").content.decode()
