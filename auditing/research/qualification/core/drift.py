"""Drift: how often a model is right on gold, by an interval that holds at every moment at once.

Whoever looks after every vote and stops at a bad moment is misled by ordinary intervals. The confidence sequence holds
for all moments together: with S right and F wrong votes and B the beta function, B(1/2 + S, 1/2 + F) / (B(1/2, 1/2) p^S
(1-p)^F) is a martingale under the true share p, and passes 1 / alpha ever with probability alpha at most (Ville).
Source: Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon 2021, section 3; Ville 1939.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

__all__ = ["ALPHA", "Watch", "watch"]

ALPHA = 0.05
_STEPS = 60  # halvings of an interval: beyond the digits of a float


@dataclass(frozen=True, slots=True)
class Watch:
    """Votes on gold so far and the bounds of the share that is right."""

    right: int
    votes: int
    low: float
    high: float

    def has_drifted(self, *, below: float) -> bool:
        """Whether the share is below what was measured when the model was qualified, at every moment's risk."""
        return self.votes > 0 and self.high < below


def watch(*, votes: Iterable[bool], alpha: float = ALPHA) -> Watch:
    """The sequence after these votes. It may be looked at after each of them.

    >>> after = watch(votes=[True] * 40 + [False] * 40)
    >>> (after.right, after.votes, round(after.low, 2), round(after.high, 2))
    (40, 80, 0.32, 0.68)
    """
    told = list(votes)
    right = sum(told)
    low, high = _bounds(right, len(told) - right, alpha) if told else (0.0, 1.0)
    return Watch(right, len(told), low, high)


def _bounds(right: int, wrong: int, alpha: float) -> tuple[float, float]:
    """The shares at which the martingale stays below 1 / alpha: an interval around the share seen."""
    mixture = _log_beta(right + 0.5, wrong + 0.5) - _log_beta(0.5, 0.5)
    limit = mixture + math.log(alpha)

    def holds(p: float) -> bool:
        return _log_power(p, right) + _log_power(1 - p, wrong) > limit

    seen = right / (right + wrong)
    return _edge(holds, seen, 0.0), _edge(holds, seen, 1.0)


def _edge(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """Where `holds` ends between a point inside and the end of the scale."""
    if holds(outside):
        return outside
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def _log_power(p: float, count: int) -> float:
    if count == 0:
        return 0.0
    return count * math.log(p) if p > 0 else -math.inf


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
