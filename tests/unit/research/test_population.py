"""Simulated crowds over the pure cores: seeded, marked, and paid as the policy pays."""

from decimal import Decimal

import pytest

from auditing.core.errors import BadParameterError
from auditing.core.policy import DEFAULT
from auditing.research.population.conducts import Conduct, make_crowd, read_mix
from auditing.research.population.figures import SIMULATED, by_conduct, report, ring_members, stretches
from auditing.research.population.rehearsal import rehearse
from auditing.research.population.runs import Rehearsal, Setting

MIX = {Conduct.HONEST: 12, Conduct.STAMPER: 6, Conduct.ALWAYS_WRONG: 3}


def run(mix: dict[Conduct, int] = MIX, *, passages: int = 750, seed: int = 3) -> Rehearsal:
    return rehearse(setting=Setting(mix=mix, policy=DEFAULT, passages=passages, gold=Decimal("0.15")), seed=seed)


@pytest.fixture(scope="module")
def rehearsed() -> Rehearsal:
    return run()


def test_the_same_seed_gives_the_same_votes_points_and_flags(rehearsed: Rehearsal) -> None:
    again, other = run(), run(seed=4)
    assert (again.ballots.passed == rehearsed.ballots.passed).all()
    assert [one.points for one in again.accounts] == [one.points for one in rehearsed.accounts]
    assert [one.flagged_at for one in again.suspicions] == [one.flagged_at for one in rehearsed.suspicions]
    assert [one.points for one in other.accounts] != [one.points for one in rehearsed.accounts]


def test_honest_work_earns_most_and_the_others_are_flagged(rehearsed: Rehearsal) -> None:
    lines = {line.conduct: line for line in by_conduct(runs=[rehearsed])}
    assert lines[Conduct.HONEST].points > lines[Conduct.STAMPER].points > 0 > lines[Conduct.ALWAYS_WRONG].points
    assert lines[Conduct.HONEST].flagged_ever == 0
    assert lines[Conduct.ALWAYS_WRONG].flagged_ever == 1
    assert lines[Conduct.STAMPER].flagged_ever >= 0.8


def test_the_lab_pays_what_the_postings_came_to(rehearsed: Rehearsal) -> None:
    for line in by_conduct(runs=[rehearsed]):
        assert abs(line.points - line.lab) <= 3 * line.error, line


def test_half_of_the_gold_is_right_and_it_takes_its_share(rehearsed: Rehearsal) -> None:
    gold = rehearsed.ballots.gold
    right, wrong = (gold == 1).sum(), (gold == 0).sum()
    assert abs(right - wrong) <= 1
    assert 0.11 < (right + wrong) / len(gold) < 0.19


def test_what_is_known_afterwards_decides_better_and_learning_helps(rehearsed: Rehearsal) -> None:
    (cold,) = stretches(run=rehearsed).values()
    assert cold.oracle > cold.right > 0.7
    assert cold.final_right > cold.right


def test_every_conduct_can_be_mixed_and_a_vanishing_seat_is_drawn_again() -> None:
    everybody = run(dict.fromkeys(Conduct, 2), passages=250)
    assert {line.conduct for line in by_conduct(runs=[everybody])} == set(Conduct)
    assert len(everybody.ballots.passed) == 3 * 250


def test_a_ring_is_found_by_its_agreement_beyond_chance() -> None:
    crowd = run({Conduct.HONEST: 9, Conduct.RING: 4}, passages=2500)
    members = {number for number, auditor in enumerate(crowd.crowd) if auditor.conduct is Conduct.RING}
    assert ring_members(run=crowd) <= members
    assert ring_members(run=crowd)


def test_the_report_says_that_it_is_simulated(rehearsed: Rehearsal) -> None:
    lines = list(report(runs=[rehearsed]))
    assert lines[0] == SIMULATED
    assert any(line.startswith("honest") for line in lines)


@pytest.mark.parametrize("text", ["honest", "honest=x", "saint=3", "honest=-1", ""])
def test_a_mix_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(BadParameterError, match="NAME=NUMBER"):
        read_mix(text=text)


def test_a_crowd_of_nobody_is_refused() -> None:
    import random

    with pytest.raises(BadParameterError):
        make_crowd(mix={Conduct.HONEST: 0}, rng=random.Random(1))
