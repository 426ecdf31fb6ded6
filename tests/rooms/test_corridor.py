"""The corridor, end to end, through the real services."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from auditing.core.stages import AuditStage
from auditing.core.values import Choice
from auditing.models import Audit, Leaf, Posting, Round, SegmentOutcome, Vote
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
from auditing.services.transitions import claim_audit, move_audit
from tests.factories.worlds import make_world, wake_rounds

pytestmark = pytest.mark.django_db


def test_one_trace_goes_in_and_one_recorded_outcome_comes_out() -> None:
    world = make_world()
    audit = world.submit()
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "pass"), audit.failure
    assert not Leaf.objects.filter(audit=audit, index__isnull=True).exists() or world.sequence()
    assert not Round.objects.filter(audit=audit).exclude(stage="tallied").exists()


def test_failing_votes_fail_the_trace_and_reward_those_who_saw_it() -> None:
    world = make_world()
    audit = world.submit()
    world.everybody_votes(audit, Choice.FAIL)
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "fail")
    assert set(SegmentOutcome.objects.filter(audit=audit).values_list("outcome", flat=True)) >= {"fail"}
    assert sum(Posting.objects.values_list("amount", flat=True)) == 0
    assert Vote.objects.filter(seat__round__audit=audit, seat__round__tier="human").exists()


def test_the_same_trace_twice_is_one_audit() -> None:
    world = make_world()
    assert world.submit() == world.submit()
    assert Audit.objects.count() == 1
    assert world.submit(copy=True) != world.submit()


def test_one_statement_sees_every_sort_of_work_that_is_due_and_no_other(django_assert_num_queries: Any) -> None:
    world, seen = make_world(), set[str]()
    world.submit()
    for step in range(40):
        wake_rounds()
        # Every other look is one of tomorrow, when leases and windows have ended.
        now = database_now() + timedelta(days=step % 2)
        work = corridor.due_work(now=now)
        with django_assert_num_queries(1):
            due = corridor.sorts_due(now=now)
        assert due == {sort for sort, rows in work.items() if rows.exists()}
        seen |= due
        if not world.sequence() + world.walk() + world.open_votes():
            world.vote(world.reviewers[step % 3])
            claim_next(auditor=auditor_of(user=world.reviewers[0]), now=database_now())  # held, and not voted on
    # Seats of models are swept in tests/jobs/test_seats_in_flight.py, a tally that nobody heard of in test_desk_plans.
    assert seen >= work.keys() - {"models", "tallied"}


def test_a_sweep_with_nothing_to_do_is_one_statement(django_assert_num_queries: Any) -> None:
    world = make_world()
    world.everybody_votes(world.submit())
    now = database_now()
    with django_assert_num_queries(1):
        assert corridor.advance_due(now=now) == 0


@pytest.mark.parametrize(
    ("holds", "paused", "goes_on"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_a_lease_goes_on_to_the_next_stage_where_somebody_holds_it_and_nobody_paused(
    holds: bool, paused: bool, goes_on: bool
) -> None:
    audit = make_world().submit()
    if holds:
        assert claim_audit(audit=audit, now=None, seconds=60)
    if paused:
        Audit.objects.filter(pk=audit.pk).update(paused_at=Now(), paused_because="to see")
    assert move_audit(audit=audit, to=AuditStage.DECOMPOSED)
    is_kept = audit.lease_until is not None
    row = Audit.objects.get(pk=audit.pk)
    assert (is_kept, row.lease_until is not None, row.attempts) == (goes_on, goes_on, int(goes_on))
    assert claim_audit(audit=audit, now=None, seconds=60) is (not goes_on and not paused)


def test_no_lease_is_left_where_a_task_stops() -> None:
    world = make_world()
    audit = world.submit()
    assert corridor.advance(audit=audit) == "auditing"
    assert Audit.objects.get(pk=audit.pk).lease_until is None
