"""Reputation and profit over time of honest seats, guessers, rubber-stampers and malicious seats.

Source: TRUST, figure 6; docs/formulas.md section 1.5.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditing.core.points.payoff import payoff_with_honeypots
from auditing.core.policy import Policy

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a seat votes: share of right votes on ordinary segments and on gold."""

    name: str
    accuracy: float
    gold_accuracy: float


def behaviours_of(*, policy: Policy) -> tuple[Behaviour, ...]:
    """Those that the lab compares: an honest seat errs as the policy plans, the others as they would anywhere.

    Who pastes a model's answers is taken to be right in 85 %, and wrong on all gold that models fail on.

    >>> from auditing.core.policy import PAPER
    >>> [behaviour.accuracy for behaviour in behaviours_of(policy=PAPER)]
    [0.7, 0.5, 0.8, 0.85, 0.35, 0.0]
    """
    honest, gold = float(1 - policy.human.error), float(policy.honeypot_share)
    # Share of gold that is as easy for a model as any passage.
    plain = 1 - float(policy.model_fail_share) / gold if gold else 1.0
    return (
        Behaviour("honest", honest, honest),
        Behaviour("guesser", 0.5, 0.5),
        # Passes everything: right wherever the segment is valid, and on half of the gold.
        Behaviour("rubber-stamper", float(policy.base_rate), 0.5),
        Behaviour("paster of a model", 0.85, 0.85 * plain),
        Behaviour("camouflaged", 0.35, 0.35),
        Behaviour("malicious", 0.0, 0.0),
    )


def least_honest_accuracy(*, policy: Policy, margin: float = 0.0) -> float:
    """Share of right votes from which an honest seat earns `margin` points a segment more than a rubber-stamper.

    By bisection: the payoff grows with accuracy. 1 where it never does.

    >>> from auditing.core.policy import DEFAULT
    >>> round(least_honest_accuracy(policy=DEFAULT), 3), round(least_honest_accuracy(policy=DEFAULT, margin=1), 3)
    (0.686, 0.764)
    """
    stamper = next(behaviour for behaviour in behaviours_of(policy=policy) if behaviour.name == "rubber-stamper")
    wanted = margin + payoff_with_honeypots(
        accuracy=stamper.accuracy, gold_accuracy=stamper.gold_accuracy, policy=policy
    )
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        earned = payoff_with_honeypots(accuracy=middle, gold_accuracy=middle, policy=policy)
        low, high = (low, middle) if earned >= wanted else (middle, high)
    return high


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
