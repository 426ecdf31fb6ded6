"""A worker that is killed in the middle: every audit's computer rounds end, and none is held twice."""

import os

import pytest
from django.db.models import Count

from auditing.models import Audit, AuditEvent, Leaf, Round, Seat, Vote
from auditing.selectors.clock import database_now
from tests.factories.worlds import World, make_world
from tests.tools.gsm8k import public_traces
from tests.tools.patience import PATIENCE, wait_for
from tests.tools.workers import kill, worker
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
    app.send_task("auditing.advance_due", queue="default")


@pytest.fixture
def unreviewed_hens() -> World:
    return make_world(reviewers=0)


def test_every_computer_round_ends_once_though_the_worker_is_killed(unreviewed_hens: World) -> None:
    for trace in public_traces(TRACES):
        unreviewed_hens.submit(trace)
    with worker("computer,default") as first:
        wait_for(lambda: examined() >= 2, LONGEST)
        kill(first)
    left = TRACES - examined()
    assert left, "the worker was done before it could be killed"
    with worker("computer,default"):
        let_leases_end()
        wait_for(lambda: examined() == TRACES, LONGEST)
    rounds = Round.objects.filter(number=0)
    assert rounds.count() == Vote.objects.filter(seat__round__number=0).count() > 0
    assert not rounds.exclude(stage="tallied").exists()
    assert not Seat.objects.values("round").annotate(held=Count("pk")).filter(held__gt=1, round__number=0).exists()
    doors = AuditEvent.objects.filter(kind="audit.auditing").values("audit").annotate(times=Count("pk"))
    assert {door["times"] for door in doors} == {1}
    opened = Leaf.objects.filter(kind="audit.open").values("audit").annotate(times=Count("pk"))
    assert len(opened) == TRACES
    assert {leaf["times"] for leaf in opened} == {1}
