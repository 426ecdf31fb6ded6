"""Reputation and profit over time of honest seats, guessers, rubber-stampers and malicious seats.

Source: TRUST, figure 6; docs/formulas.md section 1.5.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditing.core.policy import Policy

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a seat votes: share of right votes on ordinary segments and on gold."""

    name: str
    accuracy: float
    gold_accuracy: float


BEHAVIOURS = (
    Behaviour("honest", 0.7, 0.7),
    Behaviour("guesser", 0.5, 0.5),
    Behaviour("rubber-stamper", 0.8, 0.5),  # passes everything: right on the valid 80 %, on half of the gold
    Behaviour("camouflaged", 0.35, 0.35),
    Behaviour("malicious", 0.0, 0.0),
)


@dataclass(frozen=True, slots=True)
class Curves:
    """Mean reputation before, and mean profit after, each segment; profits of single seats where simulated."""

    reputation: Floats
    profit: Floats
    final: Floats


def expected_curves(*, behaviour: Behaviour, policy: Policy, segments: int, start: float = 0.5) -> Curves:
    """The means in closed form: r_t = a + (r_0 - a)(1 - g)^t, a the accuracy over ordinary segments and gold."""
    share, gamma = float(policy.honeypot_share), float(policy.gamma)
    accuracy, gold_accuracy = behaviour.accuracy, behaviour.gold_accuracy
    stationary = (1 - share) * accuracy + share * gold_accuracy
    reputation = stationary + (start - stationary) * np.power(1 - gamma, np.arange(segments, dtype=np.float64))
    slash = _slash(policy, (1 - gamma) * reputation)  # a wrong vote lowers reputation before it is slashed
    ordinary = accuracy * policy.reward - (1 - accuracy) * policy.penalty * slash
    on_gold = gold_accuracy * policy.reward - (1 - gold_accuracy) * policy.honeypot_multiplier * policy.penalty
    profit = np.cumsum((1 - share) * ordinary + share * on_gold)
    return Curves(reputation, profit, profit[-1:])


def simulate_profits(
    *, behaviour: Behaviour, policy: Policy, segments: int, seats: int, rng: np.random.Generator, start: float = 0.5
) -> Curves:
    """`seats` independent seats for `segments` segments each. A wrong vote lowers reputation before the slash."""
    share, gamma = float(policy.honeypot_share), float(policy.gamma)
    reputation, profit = np.full(seats, start), np.zeros(seats)
    path_of_reputation, path_of_profit = np.empty(segments), np.empty(segments)
    certain = policy.honeypot_multiplier * policy.penalty
    for step in range(segments):
        path_of_reputation[step] = reputation.mean()
        gold = rng.random(seats) < share
        right = rng.random(seats) < np.where(gold, behaviour.gold_accuracy, behaviour.accuracy)
        reputation = (1 - gamma) * reputation + gamma * right
        slashed = rng.random(seats) < _slash(policy, reputation)
        loss = np.where(gold, certain, policy.penalty * slashed)
        profit = profit + np.where(right, policy.reward, -loss)
        path_of_profit[step] = profit.mean()
    return Curves(path_of_reputation, path_of_profit, profit)


def _slash(policy: Policy, reputation: Floats) -> Floats:
    low, high = float(policy.slash_min), float(policy.slash_max)
    return low + (high - low) * (1 - reputation)
