"""Counts over very many rows are kept for a while, all others never."""

import re
from pathlib import Path

import pytest
from django.core.cache import cache

from auditing.models import Seat
from auditing.research.campaigns.selectors import figures
from auditing.research.campaigns.selectors.figures import work_of
from auditing.selectors import kept as keeping
from auditing.selectors.gold import rates
from auditing.selectors.gold.decoys import gold_share, seats_placed
from auditing.selectors.gold.rates import rates_of_campaign
from auditing.selectors.kept import kept
from auditing.selectors.routing.tiers import tier_load
from auditing.services.seating.assignment import decline
from tests.factories.worlds import TRACE, waiting_world

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_stays():
    yield
    cache.delete_many(["few", "many", "both", "tiers", "gold:all"])


def test_only_what_counts_very_many_is_kept():
    few, many = iter((9_998, 9_999)), iter((10_000, 10_001))
    assert [kept(name="few", count=lambda: [["human", 1, next(few)]]) for _ in range(2)] == [
        [["human", 1, 9_998]],
        [["human", 1, 9_999]],
    ]
    assert [kept(name="many", count=lambda: [("human", None, next(many))])[0][2] for _ in range(2)] == [10_000, 10_000]


def test_counts_of_several_rows_are_added_up():
    turns = iter((6_000, 7_000))
    count = lambda: [["human", 5_000], ["llm", next(turns)]]  # noqa: E731
    assert [kept(name="both", count=count)[1][1] for _ in range(2)] == [6_000, 6_000]


def test_what_is_kept_reads_as_what_was_counted(monkeypatch):
    monkeypatch.setattr(keeping, "MANY", 1)
    world = waiting_world()
    first = tier_load(), gold_share(policy=None), seats_placed(campaign=world.campaign)
    assert first[1].ordinary > 0
    world.submit(TRACE, copy=True)
    world.settle_machines()
    assert (tier_load(), gold_share(policy=None), seats_placed(campaign=world.campaign)) == first


def test_people_and_their_gold_are_kept_with_all_their_moments(monkeypatch):
    for module in (figures, rates):
        monkeypatch.setattr(module, "MANY_BY_PERSON", 1)
    world = waiting_world()
    world.vote(world.reviewers[0])
    looks = lambda: (work_of(campaign=world.campaign), rates_of_campaign(campaign=world.campaign))  # noqa: E731
    first = looks()
    assert len(first[0]) == len(first[1]) == len(world.reviewers)
    assert any(row.last_vote for row in first[0])
    assert all(row.waiting for row in first[0])
    assert looks() == first


def test_no_two_counts_are_kept_under_one_name():
    sources = "".join(path.read_text() for path in Path("auditing").rglob("*.py"))
    names = re.findall(r'(?:kept\(\s*name=|_count\()f?"([a-z:]+)', sources)
    assert "people:" in names
    assert len(names) == len(set(names)) >= 8


def test_a_seat_that_was_given_back_unseen_is_none_that_one_has_met():
    world = waiting_world()
    seats = {rate.auditor.pk: rate.seats for rate in rates_of_campaign(campaign=world.campaign)}
    seat = Seat.objects.filter(stage="offered").first()
    assert decline(seat=seat, because="not_my_field")
    after = {rate.auditor.pk: rate.seats for rate in rates_of_campaign(campaign=world.campaign)}
    assert after[seat.auditor_id] == seats[seat.auditor_id] - 1
