"""Models that gave no answer are named with the reason: to admins and to the provider, once their round is counted."""

import re
from dataclasses import replace

import pytest

from auditing.core.policy import DEFAULT, FAST
from auditing.core.values import Choice
from auditing.models import Audit, SeatAttempt
from auditing.research.reports.selectors.no_answers import WHY
from hdag.chat.errors import Failure
from tests.doubles.chat_server import run_server
from tests.factories.models import everything_moves, make_endpoint, model_seats, models_vote
from tests.factories.worlds import World, make_user, make_world
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
CARD = "Language models without an answer"
TWO = replace(FAST, llm=replace(DEFAULT.llm, k=2))
REASONS = {
    "prose": "it answered out of format",
    "refusal": "it declined to answer",
    "hang": "it did not answer in time",
    "500": "its server failed",
    "400": "its server refused the request",
}


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _listed(server, monkeypatch):
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)


def words_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def page_for(person, audit: Audit, **query: str) -> str:
    return words_of(signed_in(person).get(f"/audits/{audit.pk}", query).content.decode())


def asked(server, behaviour: str) -> tuple[World, Audit]:
    """An audit whose models all behave alike, people having judged the rest."""
    make_endpoint(server.url(behaviour), "mute", retries=0, timeout_seconds=1 if behaviour == "hang" else 30)
    world = make_world(policy=FAST)
    audit = world.submit()
    everything_moves(world)
    assert SeatAttempt.objects.exists()
    return world, audit


@pytest.mark.parametrize("behaviour", REASONS)
def test_provider_and_admin_read_which_model_was_silent_and_why(server, behaviour):
    world, audit = asked(server, behaviour)
    for person in (world.provider, world.campaign.owner):
        told = page_for(person, audit).split(CARD)[1]
        assert f"mute : {REASONS[behaviour]}" in told


def test_a_model_that_abstained_is_named_to_admins_alone(server):
    make_endpoint(server.url("oracle"), "mute")
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    for seat in model_seats(audit):
        world.seal(seat, seat.auditor, Choice.ABSTAIN)
    world.settle_machines()
    assert "mute : it abstained" in page_for(world.campaign.owner, audit).split(CARD)[1]
    page = page_for(world.provider, audit).split(CARD)[1]
    assert "A language model : it abstained" in page
    assert "mute" not in page


def test_a_segment_says_it_beside_its_votes(server):
    world, audit = asked(server, "500")
    label = SeatAttempt.objects.first().seat.round.segment.label
    beside = page_for(world.provider, audit, segment=label).split("Models without an answer")[1]
    assert "mute: its server failed" in beside


def test_others_are_told_nothing_of_it(server):
    _, audit = asked(server, "prose")
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    for role in ("researcher", "consumer"):
        page = page_for(make_user(f"{role}@example.org", role), audit)
        assert CARD not in page
        assert "out of format" not in page


def test_nothing_is_told_while_the_round_is_open(server):
    make_endpoint(server.url("prose"), "mute", retries=0)
    make_endpoint(server.url("prose"), "other", retries=0)
    world = make_world(policy=TWO)
    audit = world.submit()
    world.settle_machines()
    models_vote()
    assert SeatAttempt.objects.exclude(seat__round__stage="tallied").exists()
    assert CARD not in page_for(world.campaign.owner, audit)


def test_every_failure_of_a_call_has_its_words():
    assert {str(failure) for failure in Failure} <= {str(key) for key in WHY}
