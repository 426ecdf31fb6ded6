"""My record, against figures worked out by hand on one small walked world."""

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from auditing.core.policy import FAST
from auditing.core.policy.parameters import ConsensusRule
from auditing.core.values import Choice
from auditing.models import Audit, SegmentOutcome, Vote
from auditing.research.own_record.selectors.own_record import record_of
from auditing.selectors.clock import database_now
from auditing.selectors.policy.versions import load_policy
from auditing.services.points import settlement
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_pass_one_fails(_two_pass_one_fails: World, db: None) -> World:
    return _two_pass_one_fails.afresh()


@pytest.fixture(scope="module")
def _two_pass_one_fails(built_once: Path) -> World:
    """Majority of three reviewers: two always pass, the third always fails, so what people decide is always pass."""
    world = make_world(policy=replace(FAST, consensus=ConsensusRule.MAJORITY, human=replace(FAST.human, k=3)))
    audit = world.submit()
    for _ in range(200):
        world.settle_machines()
        choices = (Choice.PASS, Choice.PASS, Choice.FAIL)
        if not world.vote_on_all_seats(dict(zip(world.reviewers, choices, strict=True))):
            break
    assert Audit.objects.get(pk=audit.pk).stage == "recorded"
    return world


def page_of(world: World, number: int) -> str:
    client = Client()
    client.force_login(world.reviewers[number], backend="django.contrib.auth.backends.ModelBackend")
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", client.get("/record").content.decode())).split())


def test_agreement_counts_votes_as_the_outcome_with_wilsons_interval(two_pass_one_fails: World) -> None:
    right, wrong = (record_of(auditor=auditor_of(user=two_pass_one_fails.reviewers[n])).overall for n in (0, 2))
    assert right is not None
    assert wrong is not None
    n = Vote.objects.filter(seat__auditor=auditor_of(user=two_pass_one_fails.reviewers[0])).count()
    assert n == SegmentOutcome.objects.filter(round__tier="human", outcome="pass").count() > 2
    # Wilson at k = n: low = n / (n + z^2), high = 1; at k = 0: low = 0, high = z^2 / (n + z^2); z = 1.959964
    square = 1.959964**2
    assert (right.right, right.of, right.high) == (n, n, pytest.approx(1))
    assert right.low == pytest.approx(n / (n + square), abs=1e-5)
    assert (wrong.right, wrong.of, wrong.low) == (0, n, pytest.approx(0, abs=1e-9))
    assert wrong.high == pytest.approx(square / (n + square), abs=1e-5)
    assert f"{n} of {n} votes were as the outcome: 100 %" in page_of(two_pass_one_fails, 0)
    assert f"0 of {n} votes were as the outcome: 0 %" in page_of(two_pass_one_fails, 2)
    by_level = record_of(auditor=auditor_of(user=two_pass_one_fails.reviewers[0])).by_level
    assert sum(one.of for one in by_level) == n


def test_points_are_the_policys_reward_a_vote_and_move_from_held_to_released(two_pass_one_fails: World) -> None:
    audit = Audit.objects.get()
    policy = load_policy(version=audit.policy)
    people = [auditor_of(user=user) for user in two_pass_one_fails.reviewers]
    n = Vote.objects.filter(seat__auditor=people[0]).count()
    before = record_of(auditor=people[0]).balances
    assert (before.points, before.held, before.stake) == (0, n * policy.reward, policy.stake)
    assert f"Released 0 Held until the appeal window closes {n * policy.reward} Stake" in page_of(two_pass_one_fails, 0)
    assert audit.appeals_until is not None
    settlement.release_due(now=max(database_now(), audit.appeals_until) + timedelta(seconds=1))
    after = record_of(auditor=people[0])
    assert (after.balances.points, after.balances.held) == (n * policy.reward, 0)
    assert f"Released {n * policy.reward} Held until the appeal window closes 0 " in page_of(two_pass_one_fails, 0)
    assert {line.state for line in after.postings if line.transfer.kind == "reward"} == {"released"}
    slashed = [line.amount for line in record_of(auditor=people[2]).postings if line.transfer.kind == "slash"]
    assert all(amount == -policy.penalty for amount in slashed)
    assert record_of(auditor=people[2]).balances.points == sum(slashed)


def test_reputation_is_the_moving_average_of_right_votes(two_pass_one_fails: World) -> None:
    policy = load_policy(version=Audit.objects.get().policy)
    record = record_of(auditor=auditor_of(user=two_pass_one_fails.reviewers[0]))
    consensus = next(one for one in record.histories if one.column == "consensus")
    expected = float(policy.initial_reputation)
    for step in consensus.steps:  # r' = r + g (1 - r), each step published to two digits
        expected = expected + float(policy.gamma) * (1 - expected)
        assert float(step.value) == pytest.approx(expected, abs=0.011)
        expected = float(step.value)
    assert len(consensus.steps) == record.overall.of  # type: ignore[union-attr]
