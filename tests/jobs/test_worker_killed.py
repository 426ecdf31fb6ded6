"""A worker that is killed in the middle: every audit's computer rounds end, and none is held twice."""

import os

import pytest
from django.db.models import Count

from auditing.models import Audit, AuditEvent, Leaf, Round, Seat, Vote
from auditing.selectors.clock import database_now
from tests.factories.worlds import World, make_world
from tests.tools.gsm8k import public_traces
from tests.tools.patience import PATIENCE, wait_for
from tests.tools.workers import kill, sessions, worker
from trustweb.celery import app

TRACES = int(os.environ.get("TRUST_KILLED_TRACES", "12"))  # 195: the public half of ProcessBench gsm8k
LONGEST = PATIENCE + 2 * TRACES  # seconds
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(4 * LONGEST)]


def examined() -> int:
    """Audits whose computer rounds are written."""
    return Audit.objects.filter(stage="auditing").count()


def let_leases_end() -> None:
    """What the clock does in two minutes and a half: the dead worker's claims lapse; the sweep rings."""
    Audit.objects.filter(lease_until__isnull=False).update(lease_until=database_now())
    app.send_task("auditing.advance_due", queue="sweep")


@pytest.fixture
def unreviewed_hens() -> World:
    return make_world(reviewers=0)


def kill_one_at_work(world: World) -> int:
    """Hand in traces and kill a worker before it has examined all of them; returns how many there are.

    On a busy machine we may come too late to the first ones: then there are more.
    """
    traces = 0
    while examined() == traces:
        for trace in public_traces(traces + TRACES)[traces:]:
            world.submit(trace)
        with worker("computer,default,sweep") as first:
            wait_for(lambda already=traces: examined() >= already + 2, LONGEST)
            assert sessions()  # kill() waits for their end
            kill(first)
        traces += TRACES
    return traces


def test_every_computer_round_ends_once_though_the_worker_is_killed(unreviewed_hens: World) -> None:
    traces = kill_one_at_work(unreviewed_hens)
    with worker("computer,default,sweep"):
        let_leases_end()
        wait_for(lambda: examined() == traces, LONGEST)
    rounds = Round.objects.filter(number=0)
    assert rounds.count() == Vote.objects.filter(seat__round__number=0).count() > 0
    assert not rounds.exclude(stage="tallied").exists()
    assert not Seat.objects.values("round").annotate(held=Count("pk")).filter(held__gt=1, round__number=0).exists()
    doors = AuditEvent.objects.filter(kind="audit.auditing").values("audit").annotate(times=Count("pk"))
    assert {door["times"] for door in doors} == {1}
    opened = Leaf.objects.filter(kind="audit.open").values("audit").annotate(times=Count("pk"))
    assert len(opened) == traces
    assert {leaf["times"] for leaf in opened} == {1}
