"""Seats of one model are asked side by side: one worker keeps as many calls in flight as the endpoint allows."""

from datetime import timedelta

import pytest
from django.db import connection

from auditing.models import Seat, SeatAttempt
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.model_tier import seats as judging
from tests.doubles.chat_server import run_server
from tests.factories.models import OPEN, make_endpoint, models_vote
from tests.factories.worlds import make_world
from tests.jobs.test_model_seats import THREE, seated
from tests.rooms.seating.test_drawing_together import messages
from tests.tools.patience import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture
def free_seats(server, monkeypatch):
    """Seats of one model that nobody asks yet; its server answers when three calls are there at once."""
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
    make_endpoint(server.url("together-3"), max_concurrency=3)
    seated(make_world(policy=THREE))
    Seat.objects.filter(OPEN).update(lease_until=None)
    keys = list(Seat.objects.filter(OPEN).order_by("offered_at").values_list("pk", flat=True))
    assert len(keys) >= 4
    return keys


def test_one_message_keeps_as_many_calls_in_flight_as_the_endpoint_allows(server, free_seats):
    assert judging.ask_models(seat_id=free_seats[0]) == "sealed, sealed, sealed"
    assert server.stats("together-3")["most at once"] == 3
    assert SeatAttempt.objects.filter(state="sealed").count() == 3
    # The messages of those beside find nothing to do, and nobody votes twice.
    beside = SeatAttempt.objects.filter(state="sealed").exclude(seat=free_seats[0])[0]
    assert judging.ask_model(seat_id=beside.seat_id) == "nothing to do"
    assert set(models_vote()) <= {"sealed"}
    assert SeatAttempt.objects.count() == len(free_seats)


def test_threads_leave_no_connection_open(free_seats):
    def connections():
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            return cursor.fetchone()[0]

    before = connections()
    judging.ask_models(seat_id=free_seats[0])
    # A backend that was told to end is listed until it has.
    wait_for(lambda: connections() == before)


def test_the_sweep_rings_again_for_seats_whose_message_was_lost_and_not_for_those_just_offered(free_seats):
    messages("llm")
    Seat.objects.filter(pk__in=free_seats).update(offered_at=database_now())
    corridor.advance_due(now=database_now())
    assert messages("llm") == 0
    later = database_now() + judging.OFFER_GRACE + timedelta(seconds=1)
    assert "models" in corridor.sorts_due(now=later)
    corridor.advance_due(now=later)
    assert messages("llm") == len(free_seats)
