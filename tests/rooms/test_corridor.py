"""The corridor, end to end, through the real services."""

import pytest

from auditing.core.values import Choice
from auditing.models import Audit, Leaf, Posting, Round, SegmentOutcome, Vote
from tests.factories.worlds import make_world

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
