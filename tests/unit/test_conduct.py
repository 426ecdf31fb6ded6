"""Signs of conduct: bets that no honest reviewer loses often, and that a careless one loses soon."""

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.core.consensus.ballots import Ballots
from auditing.research.conduct.core import (
    ALPHA,
    DECIDING,
    LEAST_RIGHT,
    Evidence,
    JudgedPassage,
    Pair,
    Sign,
    clustered,
    open_decisions,
    order_effect,
    pairs_beyond_chance,
    ring_null,
    stake,
    suspicion,
    two_sided,
)

RNG = np.random.default_rng(7)


@given(
    valid=st.floats(0, 1),
    sensitivity=st.floats(LEAST_RIGHT, 1),
    specificity=st.floats(LEAST_RIGHT, 1),
    sign=st.sampled_from(DECIDING),
    misleads=st.booleans(),
)
def test_no_bet_grows_in_the_mean_against_an_honest_reviewer(
    valid: float, sensitivity: float, specificity: float, sign: Sign, misleads: bool
) -> None:
    passes = valid * sensitivity + (1 - valid) * (1 - specificity)
    mean = sum(
        share * exp(stake(sign=sign, vote=JudgedPassage(passed=passed, valid=valid, misleads_models=misleads)))
        for passed, share in ((True, passes), (False, 1 - passes))
    )
    assert mean <= 1 + 1e-9


def votes(right: tuple[float, float], *, count: int = 300, gold: float = 0.15) -> list[JudgedPassage]:
    """Votes of somebody who is right so often on (right, wrong) passages; outside gold nothing is certain."""
    cast = []
    for _ in range(count):
        is_gold = RNG.random() < gold
        valid = RNG.random() < (0.5 if is_gold else 0.8)
        passed = valid == (RNG.random() < right[0 if valid else 1])
        # What two colleagues of .8 would leave to believe, drawn as they would vote.
        odds = 4.0
        for _ in range(2):
            odds *= 4.0 if (RNG.random() < 0.8) == valid else 0.25
        cast.append(JudgedPassage(passed=passed, valid=float(valid) if is_gold else odds / (1 + odds), is_gold=is_gold))
    return cast


def test_the_weakest_honest_reviewers_are_flagged_no_oftener_than_promised() -> None:
    flagged = sum(suspicion(votes=votes((LEAST_RIGHT, LEAST_RIGHT))).flagged_at is not None for _ in range(400))
    assert flagged / 400 <= ALPHA + 3 * (ALPHA * (1 - ALPHA) / 400) ** 0.5


@pytest.mark.parametrize(
    ("right", "sign"), [((0.98, 0.02), Sign.APPROVES), ((0.02, 0.02), Sign.WRONG), ((0.3, 0.3), Sign.MOSTLY_WRONG)]
)
def test_who_does_not_read_is_flagged_with_the_sign_that_fits(right: tuple[float, float], sign: Sign) -> None:
    found = [suspicion(votes=votes(right, count=600)) for _ in range(20)]
    assert all(one.flagged_at is not None and one.false_alarm <= 1 for one in found)
    assert sum(one.strongest is sign for one in found) >= 15


def test_votes_faster_than_reading_are_shown_and_flag_nobody() -> None:
    hasty = [JudgedPassage(passed=True, valid=1.0, characters=600, milliseconds=900)] * 50
    judged = suspicion(votes=hasty)
    assert judged.wealth[Sign.UNREAD] > 20
    assert judged.flagged_at is None
    assert suspicion(votes=[JudgedPassage(passed=True, valid=1.0)] * 9).wealth[Sign.UNREAD] == 0


def crowd(*, ring: int) -> tuple[Ballots, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Twelve reviewers of .8 on 4,000 passages, three votes each; the first `ring` err together on half of them."""
    rng = np.random.default_rng(ring)
    truth = (rng.random(4000) < 0.8).astype(np.float64)
    auditor = rng.random((4000, 12)).argsort(1)[:, :3].ravel()
    segment = np.repeat(np.arange(4000), 3)
    right = rng.random(12_000) < 0.8
    attacked = (rng.random(4000) < 0.5)[segment] & (auditor < ring)
    passed = np.where(right & ~attacked, truth[segment], 1 - truth[segment]).astype(np.int64)
    accuracy = np.where(np.arange(12) < ring, 0.4, 0.8)
    return Ballots(segment, auditor, passed, np.full(4000, -1), 12), truth, (accuracy, accuracy)


def test_who_errs_together_is_a_ring_and_who_errs_alone_is_not() -> None:
    ballots, truth, skills = crowd(ring=4)
    pairs = pairs_beyond_chance(ballots=ballots, valid=truth, skills=skills)
    assert clustered(pairs=pairs) == [frozenset(range(4))]
    assert all(pair.agreed > pair.expected and pair.z > 3 for pair in pairs)
    ballots, truth, skills = crowd(ring=0)
    assert pairs_beyond_chance(ballots=ballots, valid=truth, skills=skills) == []


def test_rings_that_share_a_member_are_one() -> None:
    pairs = [Pair(1, 2, 40, 40, 20.0, 5.0), Pair(3, 4, 40, 40, 20.0, 5.0), Pair(2, 3, 40, 40, 20.0, 5.0)]
    assert clustered(pairs=pairs) == [frozenset({1, 2, 3, 4})]


def test_who_is_right_but_where_models_are_wrong_is_found_by_that_alone() -> None:
    ordinary = [
        JudgedPassage(passed=True, valid=1.0, is_gold=True),
        JudgedPassage(passed=False, valid=0.0, is_gold=True),
    ]
    fooled = JudgedPassage(passed=True, valid=0.0, is_gold=True, misleads_models=True)
    votes = [*ordinary * 5, fooled] * 12
    found = suspicion(votes=votes)
    assert found.flagged_at is not None
    assert found.strongest is Sign.FOLLOWS
    # The same votes on gold that models judge well are those of a reviewer who errs once in a while.
    assert suspicion(votes=[replace(vote, misleads_models=False) for vote in votes]).flagged_at is None


def in_order(*, repeats: float, seed: int, count: int = 400) -> list[JudgedPassage]:
    """Votes of somebody of .8 who says again, so often, what they said last."""
    rng = np.random.default_rng(seed)
    cast, before = [], True
    for _ in range(count):
        valid = bool(rng.random() < 0.8)
        before = before if rng.random() < repeats else valid == bool(rng.random() < 0.8)
        cast.append(JudgedPassage(passed=before, valid=0.95 if valid else 0.05))
    return cast


def test_votes_that_repeat_the_last_one_are_told_by_their_order() -> None:
    found = [order_effect(votes=in_order(repeats=0.4, seed=seed)) for seed in range(20)]
    assert sum(z is not None and z > 3 for z in found) >= 19


def test_the_order_of_honest_votes_looks_like_chance() -> None:
    found = [order_effect(votes=in_order(repeats=0.0, seed=seed)) for seed in range(200)]
    alarms = sum(z is not None and two_sided(z=z) < 0.05 for z in found)
    assert alarms / 200 <= 0.05 + 3 * (0.05 * 0.95 / 200) ** 0.5
    assert abs(np.mean([z for z in found if z is not None])) < 0.3


def test_too_few_votes_have_no_order() -> None:
    assert order_effect(votes=in_order(repeats=0.0, seed=1, count=29)) is None


def group(*, talks: bool, seed: int) -> tuple[Ballots, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Three who are right in .8 of 200 passages, each on his own; or all in the same ones."""
    rng = np.random.default_rng(seed)
    valid = (rng.random(200) < 0.7).astype(np.float64)
    right = rng.random((1 if talks else 3, 200)) < 0.8
    passed = (valid == np.broadcast_to(right, (3, 200))).astype(np.int64).ravel()
    auditor, segment = np.repeat(np.arange(3), 200), np.tile(np.arange(200), 3)
    skill = np.full(3, 0.8)
    return Ballots(segment, auditor, passed, np.full(200, -1), 3), valid, (skill, skill)


def chance_of(*, talks: bool, seed: int) -> float:
    ballots, valid, skills = group(talks=talks, seed=seed)
    rng = np.random.default_rng(seed)
    return ring_null(ballots=ballots, valid=valid, skills=skills, members=[0, 1, 2], rng=rng, draws=200).chance


def test_independent_votes_are_seldom_rare_under_their_own_null_distribution() -> None:
    chances = np.array([chance_of(talks=False, seed=seed) for seed in range(60)])
    # 6 of 60 expected below .1; 14 or more come in less than one run of 500.
    assert (chances < 0.1).sum() < 14
    assert 0.35 < chances.mean() < 0.65


def test_who_votes_alike_agrees_oftener_than_any_draw() -> None:
    assert chance_of(talks=True, seed=1) == 1 / 201


def test_what_hurts_needs_gold_and_what_is_flagged_needs_no_more_than_a_flag() -> None:
    words = [str(step) for step in open_decisions(evidence=Evidence())]
    assert words == ["cleared", "warned"]
    assert "suspended" not in open_decisions(evidence=Evidence(is_flagged=True, in_ring=True))
    assert "retrain" in open_decisions(evidence=Evidence(in_ring=True))
    on_gold = open_decisions(evidence=Evidence(is_flagged=True, is_flagged_on_gold=True))
    assert {"suspended", "slashed"} <= {str(step) for step in on_gold}
