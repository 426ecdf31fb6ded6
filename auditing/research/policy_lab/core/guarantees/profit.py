"""Exact tails of a seat's profit, a compound Poisson sum: that an honest seat loses, or a wrong one does not.

Segments arrive as Poisson(n). A seat of error rate e earns R on a right vote and loses P on a wrong one that is
slashed (probability p). Thinning: wins ~ Poisson(n (1 - e)) and slashes ~ Poisson(n e p) are independent.
All results are natural logarithms: they lie far below the smallest double. Source: docs/formulas.md section 1.4.
"""

from dataclasses import dataclass
from math import ceil, exp, floor, log, sqrt

import numpy as np
from numpy.typing import NDArray

from auditing.core.errors import BadParameterError
from auditing.research.policy_lab.core.guarantees.bounds import _least

MOST_SEGMENTS = 1_000_000  # so many are summed exactly


@dataclass(frozen=True, slots=True, kw_only=True)
class LossBounds:
    """log Pr[profit <= 0]: exact, the best Chernoff bound, and a closed (Bernstein) form that holds."""

    exact: float
    chernoff: float
    closed: float


def log_loss_probability(*, segments: float, error: float, reward: int, penalty: int, slash: float) -> float:
    """log Pr[R wins <= P slashes], exactly, in log space. For an adversary of error rate x put error = x."""
    _check(segments, error, slash)
    wins, slashes = segments * (1 - error), segments * error * slash
    if wins == 0:
        return 0.0
    if slashes == 0 or reward == 0 or penalty == 0:
        return -wins if reward else 0.0
    # log Pr = log sum over s of Pr[slashes = s] Pr[wins <= floor(P s / R)], cut where the terms are negligible.
    most = int(3 * (wins + slashes) + 20 * sqrt(wins + slashes) + 100)
    log_slashes = _log_poisson(slashes, most)
    # No more wins than that are likely: a slash that outweighs them all would ask for an array of any length.
    log_below = np.logaddexp.accumulate(_log_poisson(wins, most))
    limit = np.minimum(np.arange(most + 1) * penalty // reward, most)
    return float(np.logaddexp.reduce(log_slashes + log_below[limit]))


def honest_loss_log_bounds(*, segments: float, error: float, reward: int, penalty: int, slash: float) -> LossBounds:
    """The exact tail beside two bounds that hold (the printed one does not: printed_honest_exponent).

    Chernoff: min over t of n((1 - e)e^{-Rt} + e p e^{Pt} + e(1 - p) - 1).
    Closed: -n mu^2 / (2 m2 + (2/3) P mu), m2 = (1 - e)R^2 + e p P^2, mu = (1 - e)R - e p P > 0; otherwise 0.
    """
    exact = log_loss_probability(segments=segments, error=error, reward=reward, penalty=penalty, slash=slash)
    mean = (1 - error) * reward - error * slash * penalty
    if mean <= 0:
        return LossBounds(exact=exact, chernoff=0.0, closed=0.0)
    second = (1 - error) * reward**2 + error * slash * penalty**2

    def exponent(t: float) -> float:
        return (1 - error) * exp(-reward * t) + error * slash * exp(penalty * t) + error * (1 - slash) - 1

    return LossBounds(
        exact=exact,
        chernoff=segments * _least(exponent, 0.0, 50 / max(penalty, 1)),
        closed=-segments * mean**2 / (2 * second + 2 / 3 * penalty * mean),
    )


def always_wrong_log_bound(*, segments: float, slash: float) -> float:
    """log Pr[an always-wrong seat does not lose] = -n p: it wins nothing, so it must never be slashed. Exact."""
    return -segments * slash


def printed_honest_exponent(*, segments: float, mean: float, variance: float, step: float) -> float:
    """n mu^2 / (2 sigma^2 + (2/3) b mu), TRUST Theorem 1(b). Does not hold.

    With the paper's numbers it gives 203.77 where the exact exponent is 196.66: z - 1 was replaced by ln z <= z - 1
    and b = R is not the range of the lower tail.
    """
    return segments * mean**2 / (2 * variance + 2 / 3 * step * mean)


def printed_malicious_exponent(*, segments: float, loss: float, variance: float, step: float) -> float:
    """n (delta P)^2 / (2 sigma^2 + (2/3) b delta P), TRUST Theorem 1(c); prefer always_wrong_log_bound."""
    return segments * loss**2 / (2 * variance + 2 / 3 * step * loss)


def segments_needed(*, probability: float, error: float, reward: int, penalty: int, slash: float) -> int:
    """Segments after which an honest seat's Pr[profit <= 0] is below `probability`, by the Chernoff bound."""
    exponent = honest_loss_log_bounds(segments=1.0, error=error, reward=reward, penalty=penalty, slash=slash).chernoff
    if exponent >= 0:
        raise BadParameterError("reward", "an honest seat does not earn under these parameters")
    return ceil(log(probability) / exponent)


def break_even_accuracy(*, reward: int, penalty: int, slash_min: float, slash_max: float) -> float:
    """Accuracy a at which a seat with reputation a earns nothing: aR = (1 - a)P(p_min + (p_max - p_min)(1 - a)).

    Bisection on [0, 1]; the payoff grows with a.

    >>> round(break_even_accuracy(reward=6, penalty=8, slash_min=0.2, slash_max=0.5), 4)
    0.3457
    """
    low, high = 0.0, 1.0
    for _ in range(60):  # to the last bit of a double
        a = (low + high) / 2
        payoff = a * reward - (1 - a) * penalty * (slash_min + (slash_max - slash_min) * (1 - a))
        low, high = (a, high) if payoff < 0 else (low, a)
    return high


def _log_poisson(mean: float, most: int) -> NDArray[np.float64]:
    x = np.arange(most + 1)
    log_factorial = np.concatenate([np.zeros(1), np.cumsum(np.log(np.arange(1, most + 1)))])
    log_masses: NDArray[np.float64] = x * log(mean) - mean - log_factorial
    return log_masses


def _check(segments: float, error: float, slash: float) -> None:
    for field, value, greatest in (("error", error, 1.0), ("slash", slash, 1.0), ("segments", segments, MOST_SEGMENTS)):
        if not 0 <= value <= greatest:
            raise BadParameterError(field, f"must lie in [0, {floor(greatest)}], not {value}")
