"""Figures at the edges of their rules, each computed by hand: one more or less of anything is told apart."""

import math
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from auditing.core.errors import BadParameterError
from auditing.core.gold import decoys_due
from auditing.core.points.payoff import slashing_reputation
from auditing.core.policy import DEFAULT, PAPER, SlashBasis
from auditing.core.routing.table import _has_feature
from auditing.research.policy_lab.core.curves import Behaviour, expected_curves, simulate_profits
from auditing.research.qualification.core.alternative_annotator import _rejected
from auditing.research.soundness.core.temperature import fit_temperature
from hdag.core.levels import Level
from hdag.core.values import Complexity, Segment, Source


def segment(complexity: Complexity = Complexity.HIGH, **features: float) -> Segment:
    return Segment("S1", Level.STEP, "x", Source.ANSWER, 0, 1, complexity=complexity, features=features)


@pytest.mark.parametrize(
    ("feature", "one", "holds"),
    [
        ("ambiguity", segment(hedges=2.0), True),
        ("ambiguity", segment(hedges=1.9), False),
        ("ambiguity", segment(ambiguity=0.5), True),
        ("ambiguity", segment(ambiguity=0.49), False),
        ("ambiguity", segment(), False),
        ("high_stakes", segment(stakes=1.0), True),
        ("high_stakes", segment(stakes=0.9), False),
        ("high_stakes", segment(Complexity.LOW, stakes=1.0), False),
        ("novelty", segment(), False),
        ("hedges", segment(hedges=9.0), False),
    ],
)
def test_a_feature_is_stated_or_shows_by_its_signs(feature: str, one: Segment, holds: bool) -> None:
    assert _has_feature(feature, one) is holds


def test_the_temperature_is_that_of_a_fine_grid() -> None:
    rng = np.random.default_rng(7)
    for true in (0.3, 1.7, 9.0):
        logits = rng.normal(0, 2, 600)
        labels = (rng.random(600) < 1 / (1 + np.exp(-logits))).astype(float)
        scores = 1 / (1 + np.exp(-true * logits))
        inner = np.clip(scores, 1e-3, 1 - 1e-3)
        margin = np.log(inner / (1 - inner)) * (2 * labels - 1)
        grid = np.exp(np.linspace(math.log(0.05), math.log(20.0), 4_001))
        losses = [float(np.logaddexp(0.0, -margin / each).mean()) for each in grid]
        best = float(grid[int(np.argmin(losses))])
        assert fit_temperature(scores=scores, labels=labels) == pytest.approx(best, rel=2e-3)


@pytest.mark.parametrize(("labels", "edge"), [([1.0, 1.0, 0.0], 0.05), ([0.0, 0.0, 1.0], 20.0)])
def test_who_is_never_or_always_wrong_gets_the_edge(labels: list[float], edge: float) -> None:
    found = fit_temperature(scores=np.array([0.9, 0.8, 0.1]), labels=np.array(labels))
    assert found == pytest.approx(edge, rel=1e-6)


def test_as_many_are_rejected_as_the_rule_of_all_orders_allows() -> None:
    # m = 4: 1 + 1/2 + 1/3 + 1/4 = 25/12, so p of rank r passes up to r * Q * 12 / 100 = r * 0.006
    assert _rejected([0.0059, 0.9, 0.0119, 0.9]) == [True, False, True, False]
    assert _rejected([0.0061, 0.9, 0.0121, 0.9]) == [False, False, False, False]
    assert _rejected([0.0061, 0.0119, 0.9, 0.9]) == [True, True, False, False]
    assert _rejected([0.0, 0.9]) == [True, False]


def test_a_reviewer_who_is_always_right_earns_the_reward_each_time_from_the_first_on() -> None:
    right: Any = Behaviour("right", 1.0, 1.0)
    curves = simulate_profits(behaviour=right, policy=PAPER, segments=3, seats=5, rng=np.random.default_rng(1))
    gamma, reward = float(PAPER.gamma), PAPER.reward
    assert curves.reputation.tolist() == pytest.approx([0.5, 0.5 + gamma / 2, 1 - (1 - gamma) ** 2 / 2])
    assert curves.profit.tolist() == pytest.approx([reward, 2 * reward, 3 * reward])
    assert curves.final.tolist() == pytest.approx([3.0 * reward] * 5)


def test_gold_pays_its_share_beside_the_rest() -> None:
    fifth = replace(PAPER, honeypot_share=Decimal("0.2"))
    right = expected_curves(behaviour=Behaviour("right", 1.0, 1.0), policy=fifth, segments=2)
    assert right.profit.tolist() == pytest.approx([PAPER.reward, 2 * PAPER.reward])
    # wrong on gold alone: four fifths of the reward, less a fifth of the certain fine
    half = expected_curves(behaviour=Behaviour("half", 1.0, 0.0), policy=fifth, segments=1)
    fine = PAPER.honeypot_multiplier * PAPER.penalty
    assert half.profit.tolist() == pytest.approx([0.8 * PAPER.reward - 0.2 * fine])


@pytest.mark.parametrize(
    ("basis", "share", "reputation"),
    [
        (SlashBasis.OUTCOME, "0.2", 0.65),
        (SlashBasis.GOLD_ELSE_OUTCOME, "0.2", 0.3),
        (SlashBasis.GOLD_ELSE_OUTCOME, "0", 0.65),
        (SlashBasis.GOLD, "0.2", 0.3),
        (SlashBasis.GOLD, "0", float(DEFAULT.initial_reputation)),
    ],
)
def test_a_slash_reads_gold_then_outcomes_or_what_everybody_begins_with(
    basis: SlashBasis, share: str, reputation: float
) -> None:
    policy = replace(DEFAULT, slashing=basis, honeypot_share=Decimal(share), model_fail_share=Decimal(0))
    assert slashing_reputation(accuracy=0.65, gold_accuracy=0.3, policy=policy) == pytest.approx(reputation)


def test_decoys_are_due_up_to_the_share_and_never_beyond() -> None:
    tenth = Decimal("0.1")
    assert decoys_due(ordinary=9, gold=0, share=tenth, seats=1) == 1
    assert decoys_due(ordinary=8, gold=0, share=tenth, seats=1) == 0
    assert decoys_due(ordinary=18, gold=1, share=tenth, seats=1) == 1
    assert decoys_due(ordinary=0, gold=5, share=tenth, seats=1) == 0
    assert decoys_due(ordinary=9, gold=0, share=Decimal(0), seats=1) == 0
    for share, seats in ((Decimal(1), 1), (Decimal("-0.1"), 1), (tenth, 0)):
        with pytest.raises(BadParameterError):
            decoys_due(ordinary=9, gold=0, share=share, seats=seats)
