"""Patterns across votes: reviewers who agree beyond chance, given the truth, and votes that follow the vote before.

Each has a null distribution of its own; what it does to honest reviewers of each skill is measured by
`python -m benchmarks.conduct` (docs/measurements.md). None of them decides anything by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from auditing.core.consensus.ballots import Ballots, Floats, Ints
from auditing.research.conduct.core.bets import ALPHA, JudgedPassage

LEAST_SHARED = 30  # passages before two reviewers are compared
LEAST_IN_ORDER = 30  # votes before their order is looked at


def order_effect(*, votes: Sequence[JudgedPassage]) -> float | None:
    """z of "a vote follows the one before", given what is known of each passage; None with too few votes.

    Honest votes are independent given the passages: with residuals e = passed - p, where p = v a + (1 - v) b, and a, b
    are fitted to these votes by least squares, z = sum e_t e_t+1 / sqrt(sum p_t (1 - p_t) p_t+1 (1 - p_t+1)) is near
    standard normal. Positive: runs of one word; negative: it alternates. v: probability that the passage is right.

    >>> stamp = [JudgedPassage(passed=number % 20 < 10, valid=float(number % 2)) for number in range(200)]
    >>> order_effect(votes=stamp) > 3
    True
    """
    if len(votes) < LEAST_IN_ORDER:
        return None
    valid = np.array([vote.valid for vote in votes])
    passed = np.array([float(vote.passed) for vote in votes])
    truth_columns = np.column_stack([valid, 1 - valid])
    fitted, *_ = np.linalg.lstsq(truth_columns, passed, rcond=None)
    p = np.clip(truth_columns @ fitted, 0.02, 0.98)
    spread = p * (1 - p)
    residual = passed - p
    return float((residual[:-1] * residual[1:]).sum() / np.sqrt((spread[:-1] * spread[1:]).sum()))


def two_sided(*, z: float) -> float:
    """The share of standard normal values at least as far from 0.

    >>> round(two_sided(z=1.96), 3)
    0.05
    """
    return 2 * NormalDist().cdf(-abs(z))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two reviewers who agree more often than independent votes would, given the truth."""

    first: int
    second: int
    shared: int
    agreed: int
    expected: float
    z: float


def fitted_skills(*, ballots: Ballots, valid: Floats) -> tuple[Floats, Floats]:
    """(sensitivity, specificity) of each auditor as their own votes show it, with half a vote of doubt on each side.

    For comparing pairs, not for weighing votes: a skill drawn towards a prior would leave the agreement of two who
    always say the same unexplained. valid: P(valid) by segment.
    """
    v, auditor, size = valid[ballots.segment], ballots.auditor, ballots.auditors
    passes = np.bincount(auditor, v * ballots.passed, size)
    fails = np.bincount(auditor, (1 - v) * (1 - ballots.passed), size)
    right, wrong = np.bincount(auditor, v, size), np.bincount(auditor, 1 - v, size)
    return (passes + 0.5) / (right + 1), (fails + 0.5) / (wrong + 1)


def pairs_beyond_chance(
    *, ballots: Ballots, valid: Floats, skills: tuple[Floats, Floats], alpha: float = ALPHA
) -> list[Pair]:
    """Pairs whose agreement is beyond chance at level `alpha` over all pairs together (Bonferroni), strongest first.

    Given the truth honest votes are independent: P(agree) = v (ss' + (1 - s)(1 - s')) + (1 - v)(tt' + (1 - t)(1 - t')).
    z = (agreed - sum P) / sqrt(sum P (1 - P)). valid: P(valid) by segment; skills: (sensitivity, specificity).
    """
    first, second, segment, agreed = _pairings(ballots)
    s, t = skills
    v = valid[segment]
    if_valid = s[first] * s[second] + (1 - s[first]) * (1 - s[second])
    if_wrong = t[first] * t[second] + (1 - t[first]) * (1 - t[second])
    chance = v * if_valid + (1 - v) * if_wrong
    keys, index = np.unique(first * ballots.auditors + second, return_inverse=True)
    counts = np.bincount(index)
    total, expected = np.bincount(index, agreed), np.bincount(index, chance)
    spread = np.sqrt(np.maximum(np.bincount(index, chance * (1 - chance)), 1e-9))
    z = (total - expected) / spread
    compared = counts >= LEAST_SHARED
    limit = NormalDist().inv_cdf(1 - alpha / max(1, int(compared.sum())))
    rows = [row for row in np.argsort(-z) if compared[row] and z[row] > limit]
    size = ballots.auditors
    return [
        Pair(*divmod(int(keys[row]), size), int(counts[row]), int(total[row]), float(expected[row]), float(z[row]))
        for row in rows
    ]


def _pairings(ballots: Ballots) -> tuple[Ints, Ints, Ints, Floats]:
    """(auditor, other auditor, segment, 1 if they agree) of every two votes on one segment."""
    order = np.lexsort((ballots.auditor, ballots.segment))
    segment, auditor, passed = ballots.segment[order], ballots.auditor[order], ballots.passed[order]
    columns: list[tuple[Ints, Ints, Ints, Floats]] = []
    # Votes of one segment stand side by side: the n-th neighbour of each vote, as long as any shares its segment.
    for step in range(1, len(segment)):
        same = np.flatnonzero(segment[:-step] == segment[step:])
        if not len(same):
            break
        agrees = (passed[same] == passed[same + step]).astype(np.float64)
        columns.append((auditor[same], auditor[same + step], segment[same], agrees))
    if not columns:
        empty = np.empty(0, dtype=np.int64)
        return empty, empty, empty, np.empty(0)
    return tuple(np.concatenate(column) for column in zip(*columns, strict=True))  # type: ignore[return-value]


def clustered(*, pairs: Sequence[Pair]) -> list[frozenset[int]]:
    """Rings: reviewers who are linked by pairs, directly or through others; largest first.

    >>> [sorted(ring) for ring in clustered(pairs=[Pair(1, 2, 40, 40, 20.0, 5.0), Pair(2, 3, 40, 40, 20.0, 5.0)])]
    [[1, 2, 3]]
    """
    rings: list[set[int]] = []
    for pair in pairs:
        members = {pair.first, pair.second}
        touching = [ring for ring in rings if ring & members]
        rings = [ring for ring in rings if not ring & members] + [members.union(*touching)]
    return [frozenset(ring) for ring in sorted(rings, key=len, reverse=True)]
