"""F1, F2: a worker is really killed at each named point of a model's seat; whatever happens, one vote a seat."""

import json
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from django.db import connection
from django.db.models import Q

from auditing.core.policy import DEFAULT, FAST
from auditing.models import Audit, Commitment, Leaf, Seat, SeatAttempt
from auditing.selectors.clock import database_now
from hdag.models import ChatCall
from tests.doubles.chat_server import run_server
from tests.factories.models import OPEN, make_endpoint, model_seats
from tests.factories.worlds import make_world
from tests.tools.patience import wait_for
from tests.tools.workers import kill, worker
from trustweb.celery import app

pytestmark = pytest.mark.django_db(transaction=True)
POINTS = ("before_answer", "after_answer", "after_commit")
LOOKS_A_SWEEP, LOOKS_A_LEASE = 50, 500  # a lease that a dead worker took ends some time, too


def ring_for_all() -> None:
    """What the sweep does once the leases of dead workers are over."""
    Seat.objects.filter(OPEN, stage="held").update(lease_until=database_now())
    Seat.objects.filter(OPEN, stage="offered").update(lease_until=None)
    for key in Seat.objects.filter(OPEN).values_list("pk", flat=True):
        app.send_task("auditing.ask_model", args=[str(key)], queue="llm")


def ring_for_due() -> None:
    """What the sweep does: a message may come while PostgreSQL still holds the row of a worker that is dead."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lte=database_now())
    for key in Seat.objects.filter(OPEN).filter(free).values_list("pk", flat=True):
        app.send_task("auditing.ask_model", args=[str(key)], queue="llm")


def others_at_work() -> int:
    """How many statements or transactions of other connections PostgreSQL has in hand."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend' AND state <> 'idle'"
        )
        return int(cursor.fetchone()[0])


def sealed(audit: Audit) -> int:
    return Commitment.objects.filter(seat__round__audit=audit, seat__round__tier="llm").count()


def test_a_worker_that_dies_at_any_point_leaves_one_vote_a_seat(tmp_path: Path, monkeypatch) -> None:
    with run_server() as server:
        make_endpoint(server.url("oracle"))
        world = make_world(policy=replace(FAST, llm=replace(DEFAULT.llm, k=3)), reviewers=0)
        audit = world.submit()
        world.settle_machines()
        seats = model_seats(audit)
        assert len(seats) >= 3
        # the points strike once each, in whichever seat is there first
        crashing = {"TRUST_CRASH_AT": ",".join(POINTS), "TRUST_CRASH_MARKS": str(tmp_path)}
        with worker("llm", TRUST_CHAT_ALLOWED_ORIGINS=server.origin, **crashing) as first:
            for point in POINTS:
                ring_for_all()
                wait_for((tmp_path / point).exists)
            kill(first)  # and the whole worker too, with whatever it holds
        # What a dead worker has asked for may still be done: a lease that is taken now would last for minutes.
        wait_for(lambda: not others_at_work())
        with worker("llm", TRUST_CHAT_ALLOWED_ORIGINS=server.origin):
            ring_for_all()
            looks = count(1)

            def is_sealed() -> bool:
                look = next(looks)
                if look % LOOKS_A_LEASE == 0:
                    ring_for_all()
                elif look % LOOKS_A_SWEEP == 0:
                    ring_for_due()
                return sealed(audit) == len(seats)

            wait_for(is_sealed)
    states = list(SeatAttempt.objects.values_list("state", "failure"))
    assert states.count(("sealed", "")) == len(seats)
    bodies = Leaf.objects.filter(kind="vote.commit", audit=audit).values_list("body", flat=True)
    written = [json.loads(bytes(body))["seat"] for body in bodies]
    assert all(written.count(str(seat.pk)) == 1 for seat in seats)
    assert states.count(("no vote", "interrupted")) >= 2
    assert not SeatAttempt.objects.filter(state="asked").exists()
    lost = ChatCall.objects.filter(state="done").count() - len(seats)
    assert lost >= 0  # an answer that died with its worker was paid all the same; the cache may spare the second call
    assert {seat.stage for seat in model_seats(audit)} == {"committed"}
