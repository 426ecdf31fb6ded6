"""Time as a sign: whether it follows length, and whether two accounts vote at the same moments more than by chance.

Content-blind: shown beside the base rate of false alarms, and decides nothing by itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp
from statistics import NormalDist

import numpy as np

from auditing.core.consensus.ballots import Floats
from auditing.research.conduct.core.bets import ALPHA, JudgedPassage

LEAST_TIMED = 30  # votes with a time before anything is said
LEAST_SLOPE = 0.2  # of an honest reader: twice the length takes at least 2^.2 = 1.15 times as long
NEAR_SECONDS = 30.0  # two votes within so long are at one moment
LEAST_MOMENTS = 20  # votes of each account before two are compared
SHIFTS = 200
SHORTEST_SHIFT, LONGEST_SHIFT = 120.0, 600.0  # seconds: within the same sitting, not at the same moment
PAUSE = 1_800.0  # seconds without a vote end a sitting


def length_effect(*, votes: Sequence[JudgedPassage]) -> float | None:
    """P(a slope as small, if time grew with length as for the most lenient honest reader); None with too few times.

    Least squares of log(time) on log(length) has slope b with standard error s; returns Phi((b - LEAST_SLOPE) / s). A
    reader's steeper slope makes it larger. None also where all passages are as long.
    """
    timed = [vote for vote in votes if vote.milliseconds and vote.characters]
    if len(timed) < LEAST_TIMED:
        return None
    x = np.log([vote.characters for vote in timed])
    y = np.log([vote.milliseconds or 1 for vote in timed])
    spread = float(((x - x.mean()) ** 2).sum())
    if spread < 1e-6:
        return None
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread
    residual = y - y.mean() - slope * (x - x.mean())
    error = float(np.sqrt((residual**2).sum() / (len(timed) - 2) / spread))
    return NormalDist().cdf((slope - LEAST_SLOPE) / max(error, 1e-9))


@dataclass(frozen=True, slots=True)
class Together:
    """Two accounts whose votes fall on the same moments: how often, and how often after shifting one of them."""

    first: str
    second: str
    votes: int  # of the one that has fewer
    together: int
    expected: float
    chance: float  # of so many by chance, before correction for the number of pairs


def at_one_moment(
    *, moments: Mapping[str, Sequence[float]], rng: np.random.Generator, alpha: float = ALPHA
) -> list[Together]:
    """Pairs of accounts at one moment beyond chance, at level `alpha` over all pairs together, strongest first.

    The null: each sitting of one account shifted by its own 2 to 10 minutes either way, SHIFTS times. So the hours that
    both keep, and the pace within a sitting, stay as they are. P(as many) is the larger of a Poisson's and of a
    normal's with the shifts' mean and spread. moments: seconds, by account.
    """
    times = {name: np.sort(np.asarray(own, dtype=np.float64)) for name, own in moments.items()}
    names = sorted(name for name, own in times.items() if len(own) >= LEAST_MOMENTS)
    pairs = list(combinations(names, 2))
    lines = [_compare(first, second, times, rng) for first, second in pairs]
    limit = alpha / max(1, len(pairs))
    return sorted((line for line in lines if line.chance < limit), key=lambda line: line.chance)


def _compare(first: str, second: str, times: Mapping[str, Floats], rng: np.random.Generator) -> Together:
    fewer, more = sorted((first, second), key=lambda name: len(times[name]))
    together = _near(times[fewer], times[more])
    sitting = np.concatenate([[0], np.cumsum(np.diff(times[fewer]) > PAUSE)])
    size = (SHIFTS, int(sitting[-1]) + 1)
    shifts = rng.uniform(SHORTEST_SHIFT, LONGEST_SHIFT, size) * rng.choice((-1.0, 1.0), size)
    drawn = np.array([_near(times[fewer] + shift[sitting], times[more]) for shift in shifts])
    mean, spread = float(drawn.mean()), float(drawn.std())
    # Where no shift ever met, the rate is at most about 1 / SHIFTS; a normal alone would call two meetings certain.
    by_count = poisson_tail(count=together, mean=max(mean, 1 / SHIFTS))
    by_spread = 1 - NormalDist(mean, max(spread, 1e-3)).cdf(together - 0.5)
    return Together(first, second, len(times[fewer]), together, mean, max(by_count, by_spread))


def _near(own: Floats, other: Floats) -> int:
    """Votes of `own` that lie within NEAR_SECONDS of one of `other`, which is sorted."""
    after = np.searchsorted(other, own)
    gap_before = np.abs(own - other[np.maximum(after - 1, 0)])
    gap_after = np.abs(own - other[np.minimum(after, len(other) - 1)])
    return int((np.minimum(gap_before, gap_after) <= NEAR_SECONDS).sum())


def poisson_tail(*, count: int, mean: float) -> float:
    """P(X >= count) of a Poisson variable.

    >>> round(poisson_tail(count=2, mean=1.0), 4)
    0.2642
    """
    below, term = 0.0, exp(-mean)
    for number in range(count):
        below += term
        term *= mean / (number + 1)
    return max(0.0, 1 - below)
