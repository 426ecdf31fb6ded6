"""Reviewers who talk are shown together; whoever agrees because both are right, or both are careless, is not."""

from dataclasses import replace

import pytest

from auditing.core.policy import FAST, ConsensusRule
from auditing.core.values import Choice
from auditing.models import GoldTruth, Round
from auditing.research.conduct.core import patterns
from auditing.research.conduct.selectors import rings
from auditing.selectors.clock import database_now
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import TRACE, World, make_user, make_world
from tests.rooms.conduct.test_conduct import page_of

# Two against one decide: no passage waits for an adjudicator.
MAJORITY = replace(FAST, consensus=ConsensusRule.MAJORITY, human=replace(FAST.human, k=3))
pytestmark = pytest.mark.django_db


@pytest.fixture
def talking() -> World:
    """Two who say the same on every passage, right on about half of them; the third reads."""
    world, coins = make_world(policy=MAJORITY), dict[object, int]()
    for number in range(6):
        trace = replace(TRACE, problem=f"Question {number}. {TRACE.problem}")
        world.submit(replace(trace, thinking=TRACE.thinking.replace(".", f" on farm {number}.")))
        for _ in range(20):
            world.settle_machines()
            if not vote_on_all_seats(world, coins):
                break
    for segment in set(Round.objects.filter(tier="human").values_list("segment", flat=True)):
        GoldTruth.objects.create(segment_id=segment, truth=Choice.PASS, source="test")
    return world


def vote_on_all_seats(world: World, coins: dict[object, int]) -> int:
    count = 0
    while sealed := sum(say(world, user, coins) for user in world.reviewers):
        count += sealed
    return count


def say(world: World, user: object, coins: dict[object, int]) -> bool:
    auditor = auditor_of(user=user)
    seat = assignment.claim_next(auditor=auditor, now=database_now())
    if seat is None:
        return False
    # Every second passage, the same ones for both.
    is_second = coins.setdefault(seat.round.segment_id, len(coins) % 2)
    talks = user in world.reviewers[:2]
    world.seal(seat, auditor, Choice.FAIL if talks and is_second else Choice.PASS)
    return True


def test_two_who_talk_are_shown_as_a_ring_and_who_reads_is_not(talking: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "LEAST_SHARED", 8)
    [ring] = rings()
    assert {member.user for member in ring.members} == set(talking.reviewers[:2])
    [(_, _, pair)] = ring.pairs
    assert pair.agreed == pair.shared > pair.expected
    page = page_of(make_user("boss@example.org", "admin")).get("/conduct").content.decode()
    assert f"alike on {pair.agreed} of" in page
