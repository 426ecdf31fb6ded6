"""Whoever closes the own account gives the open seats back, and others are offered them at once."""

import pytest

from auditing.models import Draft, Seat
from auditing.research.leaving.services import close_own_account
from auditing.selectors.clock import database_now
from tests.factories.worlds import TWO_SEATS, waiting_world
from tests.pages.test_corridor_pages import signed_in
from tests.pages.test_leaving import words

pytestmark = pytest.mark.django_db


def test_open_seats_go_to_others_at_once_and_drafts_are_deleted() -> None:
    drawn = Seat.objects.filter(
        stage="offered", auditor__user__in=waiting_world(policy=TWO_SEATS, reviewers=4).reviewers
    )
    person = drawn[0].auditor.person
    mine = Seat.objects.filter(auditor__user=person, stage__in=("offered", "held"))
    seat, count = mine.first(), mine.count()
    assert seat is not None
    Draft.objects.create(seat=seat, version=1, body=b"x", saved_at=database_now())
    assert f"{count} open seat" in words(signed_in(person).get("/me/close"))
    offered = Seat.objects.filter(stage="offered").count()
    close_own_account(user=person, now=database_now())
    assert not mine.exists()
    assert not Draft.objects.exists()
    assert Seat.objects.filter(auditor__user=person, declined_because="left").count() == count
    assert Seat.objects.filter(stage="offered").count() == offered > 0  # of others now
