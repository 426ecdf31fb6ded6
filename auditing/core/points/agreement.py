"""Correlated agreement, a peer-prediction payment: agreeing on the same segment counts, agreeing everywhere does not.

Who always passes, or votes at random, gains nothing. Source: Dasgupta and Ghosh, WWW 2013; Shnayder et al., EC 2016;
docs/formulas.md section 1.5.
"""

from collections.abc import Mapping
from fractions import Fraction

from auditing.core.values import Choice

LEAST_SHARED = 2  # one shared segment would make the first share 0 or 1


def correlated_agreement(*, mine: Mapping[str, Choice], peer: Mapping[str, Choice]) -> Fraction | None:
    """P(agree | same task) - P(agree | different tasks), from the votes of two auditors by segment.

    The second share runs over pairs (segment of mine, another segment of the peer's). None with fewer than two
    shared segments, or no pair of different ones. Abstentions are left out. In [-1, 1].

    >>> p, f = Choice.PASS, Choice.FAIL
    >>> correlated_agreement(mine={"a": p, "b": f}, peer={"a": p, "b": f})
    Fraction(1, 1)
    >>> correlated_agreement(mine={"a": p, "b": p}, peer={"a": p, "b": f})
    Fraction(0, 1)
    """
    left = {key: vote for key, vote in mine.items() if vote is not Choice.ABSTAIN}
    right = {key: vote for key, vote in peer.items() if vote is not Choice.ABSTAIN}
    shared = left.keys() & right.keys()
    pairs = len(left) * len(right) - len(shared)
    if len(shared) < LEAST_SHARED or pairs == 0:
        return None
    same = sum(left[key] is right[key] for key in shared)
    # Counted over all pairs at once and the equal segments taken off: no loop over len(left) * len(right) pairs.
    everywhere = sum(_count(left, choice) * _count(right, choice) for choice in (Choice.PASS, Choice.FAIL))
    return Fraction(same, len(shared)) - Fraction(everywhere - same, pairs)


def expected_agreement(*, mine: tuple[float, float], peer: tuple[float, float], base_rate: float) -> float:
    """The mean of correlated_agreement for two (sensitivity, specificity) pairs, independent given the truth.

    >>> round(expected_agreement(mine=(1.0, 0.0), peer=(0.7, 0.7), base_rate=0.8), 12)  # who passes everything
    0.0
    """
    same = base_rate * _agree(mine[0], peer[0]) + (1 - base_rate) * _agree(mine[1], peer[1])
    return same - _agree(_passes(mine, base_rate), _passes(peer, base_rate))


def _passes(skill: tuple[float, float], base_rate: float) -> float:
    return base_rate * skill[0] + (1 - base_rate) * (1 - skill[1])


def _agree(a: float, b: float) -> float:
    return a * b + (1 - a) * (1 - b)


def _count(votes: Mapping[str, Choice], choice: Choice) -> int:
    return sum(vote is choice for vote in votes.values())
