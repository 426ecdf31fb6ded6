"""What a reviewer chooses of the seats that were drawn for them, and what the desk tells of votes that were counted."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from auditing.core.values import Choice
from auditing.models import Audit, Auditor, Seat
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.selectors.clock import database_now
from tests.factories.worlds import ONE_SEAT, TRACE, World, make_world
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _two_fields(built_once: None) -> tuple[World, Audit, Audit]:
    world = make_world(reviewers=1, policy=ONE_SEAT)
    maths = world.submit()
    world.settle_machines()
    clinic = open_campaign(title="Clinic", owner=world.campaign.owner, policy=world.campaign.policy)
    medicine = World(world.provider, world.reviewers, clinic).submit(
        replace(TRACE, domain="medicine", thinking=TRACE.thinking.replace("hens", "patients"), title="Patients")
    )
    world.settle_machines()
    Seat.objects.filter(round__audit=maths).update(wanted_by=database_now() - timedelta(days=9))
    return world, maths, medicine


@pytest.fixture
def two_fields(_two_fields: tuple[World, Audit, Audit], db: None) -> tuple[World, Audit, Audit]:
    """School maths first, then medicine in another campaign, both drawn for one reviewer. Built once."""
    world, *audits = _two_fields
    maths, medicine = (Audit.objects.get(pk=audit.pk) for audit in audits)
    return world.afresh(), maths, medicine


def seat_shown(client: Client) -> Any:
    return client.get("/desk").context.get("seat")


def drop_what_is_held() -> None:
    Seat.objects.filter(stage="held").update(stage="offered", lease_until=None, taken_at=None)


def test_only_one_field_for_an_hour_and_then_everything(two_fields: tuple[World, Audit, Audit]) -> None:
    world, maths, medicine = two_fields
    client = signed_in(world.reviewers[0])
    assert seat_shown(client).round.audit_id == maths.pk
    drop_what_is_held()
    client.post("/desk/only", {"domain": "medicine"})
    page = client.get("/desk")
    assert page.context["seat"].round.audit_id == medicine.pk
    assert "Only medicine until" in " ".join(page.content.decode().split())
    drop_what_is_held()
    client.post("/desk/only", {})
    assert seat_shown(client).round.audit_id == maths.pk
    drop_what_is_held()
    client.post("/desk/only", {"campaign": str(medicine.campaign_id)})
    assert seat_shown(client).round.audit_id == medicine.pk
    drop_what_is_held()
    session = client.session
    session["desk_only"][2] = (database_now() - timedelta(seconds=1)).isoformat()
    session.save()
    assert seat_shown(client).round.audit_id == maths.pk


def test_a_seat_in_hand_comes_first_whatever_is_chosen(two_fields: tuple[World, Audit, Audit]) -> None:
    world, _, medicine = two_fields
    client = signed_in(world.reviewers[0])
    held = seat_shown(client)
    client.post("/desk/only", {"domain": "medicine"})
    assert seat_shown(client) == held
    assert held.round.audit_id != medicine.pk


def test_a_choice_draws_nobody_and_an_empty_one_says_so(two_fields: tuple[World, Audit, Audit]) -> None:
    world, *_ = two_fields
    client, before = signed_in(world.reviewers[0]), Seat.objects.count()
    client.post("/desk/only", {"domain": "law"})
    page = client.get("/desk")
    assert page.context.get("seat") is None
    assert "Show everything again" in page.content.decode()
    assert "data-work" not in client.get("/desk/waiting").content.decode()
    assert Seat.objects.count() == before
    assert not Seat.objects.filter(stage="held").exists()


def test_nobody_reaches_the_seat_of_somebody_else_by_a_choice(two_fields: tuple[World, Audit, Audit]) -> None:
    world, _, medicine = two_fields
    stranger = Auditor.objects.filter(user__isnull=False).exclude(user=world.reviewers[0])
    assert not stranger.filter(seats__round__audit=medicine).exists()
    client = signed_in(world.campaign.owner)
    assert client.post("/desk/only", {"campaign": str(medicine.campaign_id)}).status_code in (302, 403)


def test_home_offers_the_choice(two_fields: tuple[World, Audit, Audit]) -> None:
    body = " ".join(signed_in(two_fields[0].reviewers[0]).get("/home").content.decode().split())
    assert "Only medicine for an hour" in body
    assert 'aria-label="Only the campaign Clinic for an hour"' in body


@pytest.mark.usefixtures("empty_database")
def test_a_counted_vote_is_told_of_once() -> None:
    world = make_world(reviewers=2, policy=replace(ONE_SEAT, human=replace(ONE_SEAT.human, k=2)))
    audit = world.submit()
    world.settle_machines()
    client = signed_in(world.reviewers[0])
    world.vote(world.reviewers[0])
    assert "of your votes" not in client.get("/desk").content.decode()
    for _ in range(20):
        if not world.vote_on_all_seats(dict.fromkeys(world.reviewers, Choice.PASS)):
            break
    world.settle_machines()
    audit.refresh_from_db()
    told = " ".join(client.get("/desk").content.decode().split())
    assert "of your votes were counted" in told or "of your votes was counted" in told
    assert "as you said" in told
    assert "of your votes" not in client.get("/desk").content.decode()


def test_the_desk_says_why_this_one_and_what_it_pays_but_nothing_of_wave_or_gold(
    two_fields: tuple[World, Audit, Audit],
) -> None:
    body = " ".join(signed_in(two_fields[0].reviewers[0]).get("/desk").content.decode().split())
    why = body.split('why-this">')[1].split("</p>")[0].lower()
    assert "school maths" in why
    assert "campaign <bdi>hens</bdi>" in why
    assert not {"wave", "dispute", "gold", "round"} & set(why.replace(",", " ").split())
