"""Reviewers who talk are shown together; whoever agrees because both are right, or both are careless, is not."""

from dataclasses import replace

import pytest

from auditing.core.policy import FAST, ConsensusRule
from auditing.core.values import Choice
from auditing.models import CollusionRing, GoldTruth, Round
from auditing.research.conduct.core import patterns
from auditing.research.conduct.selectors.rings import rings
from auditing.research.conduct.services.rings import OwnRingError, clear_ring, flag_ring
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.skills import newest_snapshot
from auditing.services.consensus.skills import learn
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import TRACE, World, make_user, make_world
from tests.rooms.conduct.test_conduct import page_of

# Two against one decide: no passage waits for an adjudicator.
MAJORITY = replace(FAST, consensus=ConsensusRule.MAJORITY, human=replace(FAST.human, k=3))
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _talking(built_once: None) -> World:
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


@pytest.fixture
def talking(_talking: World, db: None) -> World:
    """Built once: no test adds a vote."""
    return _talking.afresh()


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
    # What independent votes of the same skills do on these passages lies below what the two did.
    assert ring.null.agreed == pair.agreed > ring.null.high


def test_a_flagged_ring_is_one_row_and_teaches_nobody(talking: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "LEAST_SHARED", 8)
    campaign, boss = talking.campaign, page_of(make_user("boss@example.org", "admin"))
    members = [str(auditor_of(user=user).pk) for user in talking.reviewers[:2]]
    before = learn(campaign=campaign)
    assert before is not None
    assert set(members) < set(before.skills)
    boss.post("/conduct/rings", {"member": members, "why": "They sit side by side."})
    row = CollusionRing.objects.get()
    assert {str(member.pk) for member in row.members.all()} == set(members)
    assert row.evidence["null"]["draws"] == 2_000
    assert row.evidence["pairs"][0]["agreed"] == row.evidence["agreed"]
    newest = newest_snapshot(campaign=campaign.pk)
    assert newest is not None
    assert not set(members) & set(newest.skills)
    assert len(newest.skills) == len(before.skills) - 2
    page = boss.get("/conduct").content.decode()
    assert "They sit side by side." in page
    assert "Flag this ring" not in page
    boss.post(f"/conduct/rings/{row.pk}", {"why": "They do not."})
    again = newest_snapshot(campaign=campaign.pk)
    assert again is not None
    assert set(again.skills) == set(before.skills)


def test_a_group_that_the_votes_do_not_show_is_not_flagged(talking: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "LEAST_SHARED", 8)
    members = [str(auditor_of(user=user).pk) for user in talking.reviewers[1:]]
    boss = page_of(make_user("boss@example.org", "admin"))
    boss.post("/conduct/rings", {"member": members, "why": "I do not like them."})
    assert not CollusionRing.objects.exists()


def test_a_member_neither_flags_nor_clears(talking: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "LEAST_SHARED", 8)
    member = talking.reviewers[0]
    [ring] = rings()
    with pytest.raises(OwnRingError):
        flag_ring(ring=ring, why="Me.", by=member)
    row = flag_ring(ring=ring, why="They talk.", by=make_user("boss@example.org", "admin"))
    with pytest.raises(OwnRingError):
        clear_ring(row=row, why="", by=member, now=database_now())
    row.refresh_from_db()
    assert row.cleared_at is None


def test_where_every_voter_is_in_a_ring_nothing_learned_goes_on_being_believed(talking: World) -> None:
    campaign = talking.campaign
    assert learn(campaign=campaign) is not None
    row = CollusionRing.objects.create(evidence={}, why="All.", by=make_user("boss@example.org", "admin"))
    row.members.set(auditor_of(user=user) for user in talking.reviewers)
    newest = learn(campaign=campaign)
    assert newest is not None
    assert (newest.skills, newest.rule) == ({}, "two_coin_gold")
