"""The claim beside leases that have ended: they are passed on first, where they are the claimant's to take."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from auditing.core.stages import RoundStage, SeatStage
from auditing.models import Auditor, Round, Seat
from auditing.selectors.clock import database_now
from tests.factories.worlds import waiting_world

pytestmark = pytest.mark.django_db


def ask(statement: str, *values: Any) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return cursor.fetchone()[0] if cursor.description else None


def claim(auditor: Auditor) -> object:
    now = database_now()
    return ask("SELECT trust_claim_seat(%s, %s, %s, true)", auditor.pk, now, now + timedelta(minutes=30))


@pytest.fixture
def seats() -> list[Seat]:
    """Two offered seats of different people in one open round."""
    waiting_world(reviewers=3)
    offered = Seat.objects.filter(stage=SeatStage.OFFERED, round__stage=RoundStage.COMMITTING, round__tier="human")
    round = offered[0].round
    pair = list(offered.filter(round=round).select_related("auditor")[:2])
    Round.objects.filter(pk=round.pk).update(drawn=[str(seat.auditor_id) for seat in pair])
    return pair


def end_lease(seat: Seat) -> None:
    Seat.objects.filter(pk=seat.pk).update(stage=SeatStage.HELD, lease_until=database_now(), taken_at=database_now())


def test_a_lease_that_ended_is_passed_on_before_anything_is_claimed(seats: list[Seat]) -> None:
    ended, own = seats
    end_lease(ended)
    assert claim(own.auditor) is None


def test_an_ended_lease_that_is_not_the_claimants_to_take_stops_no_claim(seats: list[Seat]) -> None:
    ended, own = seats
    end_lease(ended)
    Round.objects.filter(pk=ended.round_id).update(drawn=[])
    assert claim(own.auditor) is not None
