"""A vote is stored with the version of the guidelines that its voter was shown."""

import base64
from typing import Any

import pytest
from django.test import Client

from auditing.core.values import Choice
from auditing.models import Commitment, Seat
from auditing.research.campaigns.services.campaigns import rewrite_guidelines
from auditing.selectors.clock import database_now
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import TWO_SEATS, World, sealed_vote, waiting_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_seat_hens() -> World:
    return waiting_world(reviewers=2, policy=TWO_SEATS)


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def held(world: World) -> Seat:
    seat = claim_next(auditor=auditor_of(user=world.reviewers[0]), now=database_now())
    assert seat is not None
    return seat


def test_a_vote_records_the_guidelines_it_was_shown(two_seat_hens: World) -> None:
    rewrite_guidelines(campaign=two_seat_hens.campaign, text="Be strict.", actor=None)
    page = signed_in(two_seat_hens.reviewers[0]).get("/desk").content.decode()
    assert "Guidelines, version 2" in page
    assert [recorded_guidelines(two_seat_hens, **said) for said in ({"guidelines": 1}, {})] == [1, 2]


def test_guidelines_that_the_campaign_never_had_are_refused(two_seat_hens: World) -> None:
    assert seal(two_seat_hens, held(two_seat_hens), guidelines=7).status_code == 400
    assert not Commitment.objects.filter(seat__auditor__user=two_seat_hens.reviewers[0]).exists()


def seal(world: World, seat: Seat, **said: Any) -> Any:
    vote = sealed_vote(seat=seat, choice=Choice.PASS, confidence=9000, reveal_key=world.reveal_key.public_key())
    sealed = base64.b64encode(vote.sealed or b"").decode()
    body = {"commitment": vote.digest.hex(), "rationale_digest": vote.rationale_digest.hex(), "sealed": sealed, **said}
    client = signed_in(seat.auditor.user)
    return client.post(f"/api/v1/seats/{seat.pk}/commitment", body, content_type="application/json")


def recorded_guidelines(world: World, **said: Any) -> int | None:
    """The version that the next vote of the first reviewer is stored with."""
    seat = held(world)
    assert seal(world, seat, **said).status_code == 200
    shown = Commitment.objects.select_related("guidelines").get(seat=seat).guidelines
    return shown.version if shown else None
