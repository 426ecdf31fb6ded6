"""Two walkers, two finalisers, two sequencers, a task delivered five times: one effect. A naive mover fails it."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Count, F

from auditing import tasks
from auditing.core.values import Choice
from auditing.models import (
    Audit,
    AuditEvent,
    Checkpoint,
    Leaf,
    Posting,
    Round,
    SegmentOutcome,
    TraceOutcome,
    Transfer,
)
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.consensus import tallying
from auditing.services.intake.batching import is_mixed
from auditing.services.seating import windows
from auditing.translog.merkle import leaf_hash, root
from tests.factories.worlds import World, make_world, wake_rounds
from tests.tools.patience import PATIENCE, wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def is_sound(audit: Audit) -> bool:
    """Each door was opened once, each effect stands once, the log has no gap."""
    doors = AuditEvent.objects.filter(audit=audit, kind__startswith="audit.").values("kind")
    once = not doors.annotate(times=Count("id")).filter(times__gt=1).exists()
    outcomes = SegmentOutcome.objects.filter(audit=audit)
    closes = Leaf.objects.filter(audit=audit, kind="audit.close").count()
    return (
        once
        and outcomes.count() == outcomes.values("segment").distinct().count()
        and TraceOutcome.objects.filter(audit=audit).count() <= 1
        and closes <= 1
        and sum(Posting.objects.values_list("amount", flat=True)) == 0
        and Transfer.objects.filter(kind="stake").count() <= 3
    )


def vote_all(world: World, choice: Choice = Choice.PASS) -> int:
    return sum(world.vote(user, choice) is not None for user in world.reviewers)


def audit_with_walkers(world: World, step: Callable[[], Any], together: Any, count: int) -> Audit:
    """Every machine step of an audit is done by `count` threads at once."""
    audit = world.submit()
    for _ in range(80):
        wake_rounds()
        done = together([step] * count)
        assert not [one for one in done if isinstance(one, Exception)], done
        world.sequence()
        vote_all(world)
        world.open_votes()
        audit.refresh_from_db()
        if audit.stage == "recorded":
            break
    return audit


def test_four_walkers_at_once_move_every_audit_once(together: Any) -> None:
    audit = audit_with_walkers(
        make_world(reviewers=3), lambda: corridor.advance_due(now=database_now()), together, count=4
    )
    assert (audit.stage, audit.outcome) == ("recorded", "pass"), audit.failure
    assert is_sound(audit)


def test_a_sweep_waits_for_no_other_worker_that_draws_for_the_audit(together: Any) -> None:
    world = make_world(reviewers=3)
    audit = world.submit()
    while world.walk():
        pass
    world.sequence()
    Round.objects.filter(audit=audit, stage="seated").update(due_at=None)
    now = database_now()
    assert is_mixed(audit=audit, now=now)  # a batch is closed once, and for that all of its audits are waited for

    def draw() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")  # so that a draw that waits ends as a failure
        return windows.seat_audit(audit_id=audit.pk, now=now)

    with transaction.atomic():
        Audit.objects.select_for_update(no_key=True).get(pk=audit.pk)
        assert together([draw]) == [0]
    assert together([draw]) != [0]


@pytest.mark.filterwarnings("ignore::celery.exceptions.CDeprecationWarning")
def test_a_task_that_is_delivered_five_times_has_one_effect(together: Any) -> None:
    world = make_world(reviewers=3)

    def delivered() -> None:
        for key in Audit.objects.values_list("pk", flat=True):
            tasks.advance_audit.run(str(key))
        for key in Round.objects.exclude(stage="tallied").values_list("pk", flat=True):
            tasks.advance_round.run(str(key))

    audit = audit_with_walkers(world, delivered, together, count=5)
    assert (audit.stage, is_sound(audit)) == ("recorded", True), audit.failure


def somebody_waits() -> bool:
    """Whether a connection waits for the lock of a row."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_locks WHERE NOT granted")
        return cursor.rowcount > 0


def test_whoever_tallies_many_rounds_waits_for_a_round_before_holding_its_audit(together: Any) -> None:
    """As whoever tallies one of them does: the other order would lock both up."""
    world = make_world(reviewers=3)
    audit = world.submit()
    while not (revealing := list(Round.objects.filter(audit=audit, stage="revealing").order_by("pk")))[1:]:
        wake_rounds()
        corridor.advance_due(now=database_now())
        world.sequence()
        vote_all(world)
    is_held = threading.Event()

    def tally_last() -> None:
        with transaction.atomic():
            Round.objects.select_for_update(of=("self",)).get(pk=revealing[-1].pk)
            is_held.set()
            wait_for(somebody_waits)
            Audit.objects.select_for_update(of=("self",), nowait=True).get(pk=audit.pk)

    def tally_all() -> int:
        is_held.wait(PATIENCE)
        return tallying.tally(rounds=revealing, now=database_now() + timedelta(days=9))

    assert together([tally_last, tally_all]) == [None, len(revealing)]


def test_a_naive_finaliser_that_reads_thinks_and_saves_fails_the_same_test(together: Any, meeting: Any) -> None:
    world = make_world(reviewers=3)
    audit, wait = world.submit(), meeting(2)

    def naive() -> None:
        mine = Audit.objects.get(pk=audit.pk)
        wait()
        if mine.stage == "submitted":
            mine.stage = "withdrawn"
            mine.save()
            AuditEvent.objects.create(audit=mine, kind="audit.withdrawn", body={})

    done = together([naive] * 2)
    assert not is_sound(audit), done


def test_four_sequencers_leave_no_gap_and_no_fork(together: Any) -> None:
    world = make_world(reviewers=3)
    world.submit()
    world.walk()
    together([world.sequence] * 4)
    assert is_gapless()


def is_gapless() -> bool:
    bodies = list(Leaf.objects.filter(index__isnull=False).order_by("index").values_list("index", "body"))
    heads = list(Checkpoint.objects.order_by("size"))
    hashes = [leaf_hash(entry=bytes(body)) for _, body in bodies]
    whole = [index for index, _ in bodies] == list(range(len(bodies))) and bool(bodies)
    return whole and all(bytes(head.root) == root(leaves=hashes[: head.size]) for head in heads)


def test_a_naive_sequencer_that_takes_the_highest_index_fails_the_same_test(together: Any, meeting: Any) -> None:
    world = make_world(reviewers=3)
    world.submit()
    world.walk()
    wait = meeting(2)

    def naive() -> None:
        waiting = list(Leaf.objects.filter(index__isnull=True).order_by("id"))
        start = Leaf.objects.filter(index__isnull=False).count()
        wait()
        for index, leaf in enumerate(waiting, start=start):
            Leaf.objects.filter(pk=leaf.pk).update(index=F("id") * 0 + index)

    done = together([naive] * 2)
    assert not is_gapless() or [one for one in done if isinstance(one, Exception)]
