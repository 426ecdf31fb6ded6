"""Who talks is shown as a ring, with the pairs and what agreed."""

from dataclasses import replace

import pytest

from auditing.core.conduct import patterns
from auditing.core.values import Choice
from auditing.models import GoldTruth, Round
from auditing.selectors.clock import database_now
from auditing.selectors.conduct import rings
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import TRACE, World, make_user, make_world
from tests.rooms.conduct.test_conduct import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def talking() -> World:
    """Two who say the same on every passage, right on about half of them; the third reads."""
    world = make_world()
    for number in range(6):
        trace = replace(TRACE, problem=f"Question {number}. {TRACE.problem}")
        world.submit(replace(trace, thinking=TRACE.thinking.replace(".", f" on farm {number}.")))
        while world.settle_machines() or any([say(world, user) for user in world.reviewers]):
            pass
    for round in Round.objects.filter(tier="human"):
        GoldTruth.objects.create(segment_id=round.segment_id, truth=Choice.PASS, source="test")
    return world


def say(world: World, user: object) -> bool:
    auditor = auditor_of(user=user)
    seat = assignment.claim_next(auditor=auditor, now=database_now())
    if seat is None:
        return False
    # One coin a passage, the same for both.
    is_even = seat.round.audit.created.microsecond // 7 % 2 == seat.round.segment.position % 2
    talks = user in world.reviewers[:2]
    world.seal(seat, auditor, Choice.FAIL if talks and is_even else Choice.PASS)
    return True


def test_two_who_talk_are_shown_as_a_ring_and_who_reads_is_not(talking: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "LEAST_SHARED", 8)
    [ring] = rings()
    assert {member.user for member in ring.members} == set(talking.reviewers[:2])
    [(_, _, pair)] = ring.pairs
    assert pair.agreed == pair.shared > pair.expected
    page = page_of(make_user("boss@example.org", "admin")).get("/conduct").content.decode()
    assert f"alike on {pair.agreed} of" in page
