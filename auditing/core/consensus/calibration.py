"""How good posteriors are where gold exists: Brier score, F1 of errors, calibration, and thresholds with least cost."""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from auditing.core.errors import BadParameterError
from auditing.core.values import Outcome


@dataclass(frozen=True, slots=True)
class Confusion:
    """Outcomes against gold; `undecided` holds hung ones too. An error is a wrong segment."""

    errors_found: int
    errors_missed: int
    false_alarms: int
    valid_passed: int
    undecided: int
    undecided_wrong: int = 0  # of those, segments that are wrong

    @property
    def f1(self) -> float:
        """F1 of finding errors: 2 found / (2 found + missed + false alarms); 0 when there is nothing to find."""
        total = 2 * self.errors_found + self.errors_missed + self.false_alarms
        return 2 * self.errors_found / total if total else 0.0

    @property
    def accuracy(self) -> float:
        """Right outcomes over all, undecided ones counted as not right."""
        right = self.errors_found + self.valid_passed
        total = right + self.errors_missed + self.false_alarms + self.undecided
        return right / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of the calibration plot."""

    low: float
    high: float
    count: int
    mean_posterior: float
    share_valid: float


def brier(*, posterior: ArrayLike, truth: ArrayLike) -> float:
    """Mean of (posterior - truth)^2, truth 1 valid and 0 wrong."""
    p, t = np.asarray(posterior, dtype=np.float64), np.asarray(truth, dtype=np.float64)
    if p.shape != t.shape or p.size == 0:
        raise BadParameterError("posterior", "needs as many posteriors as truths, and at least one")
    return float(((p - t) ** 2).mean())


def confusion(*, outcomes: Iterable[tuple[Outcome, bool]]) -> Confusion:
    """Counts over (outcome, is valid) pairs.

    >>> confusion(outcomes=[(Outcome.FAIL, False), (Outcome.PASS, True), (Outcome.PASS, False)]).f1
    0.6666666666666666
    """
    seen = Counter(outcomes)
    return Confusion(
        errors_found=seen[Outcome.FAIL, False],
        errors_missed=seen[Outcome.PASS, False],
        false_alarms=seen[Outcome.FAIL, True],
        valid_passed=seen[Outcome.PASS, True],
        undecided=sum(n for (outcome, _), n in seen.items() if outcome not in (Outcome.PASS, Outcome.FAIL)),
        undecided_wrong=sum(
            n for (outcome, valid), n in seen.items() if outcome not in (Outcome.PASS, Outcome.FAIL) and not valid
        ),
    )


def confusion_by(*, rows: Iterable[tuple[Hashable, Outcome, bool]]) -> dict[Hashable, Confusion]:
    """A Confusion for each key (tier, domain) of (key, outcome, is valid) rows."""
    groups: dict[Hashable, list[tuple[Outcome, bool]]] = {}
    for key, outcome, valid in rows:
        groups.setdefault(key, []).append((outcome, valid))
    return {key: confusion(outcomes=pairs) for key, pairs in groups.items()}


def calibration_bins(*, posterior: ArrayLike, truth: ArrayLike, bins: int = 10) -> list[Bin]:
    """Equal-width bins of the posterior with the share that was valid; empty bins are left out."""
    p, t = np.asarray(posterior, dtype=np.float64), np.asarray(truth, dtype=np.float64)
    index = np.minimum((p * bins).astype(int), bins - 1)  # a posterior of 1 belongs to the last bin
    filled = []
    for number in range(bins):
        inside = index == number
        if inside.any():
            mean, share = float(p[inside].mean()), float(t[inside].mean())
            filled.append(Bin(number / bins, (number + 1) / bins, int(inside.sum()), mean, share))
    return filled


def thresholds_from_costs(*, miss: Fraction, false_alarm: Fraction, review: Fraction) -> tuple[Fraction, Fraction]:
    """(theta_pass, theta_fail) = (1 - review / miss, review / false_alarm), for a calibrated posterior p.

    Passing costs (1 - p) miss, failing p false_alarm, leaving it undecided one review: each is chosen where it is
    the cheapest (Chow 1970).

    >>> thresholds_from_costs(miss=Fraction(10), false_alarm=Fraction(4), review=Fraction(1))
    (Fraction(9, 10), Fraction(1, 4))
    """
    if not 0 < review < min(miss, false_alarm):
        raise BadParameterError("review", "must be positive and less than both other costs")
    theta_pass, theta_fail = 1 - review / miss, review / false_alarm
    if theta_fail >= theta_pass:
        raise BadParameterError("review", "is so high that no trace would be left undecided")
    return theta_pass, theta_fail


@dataclass(frozen=True, slots=True)
class CostReport:
    """Mean cost on gold of the thresholds, for traces of one length class."""

    longest: int
    count: int
    cost: float
    passed_wrong: int
    failed_right: int
    undecided: int


def calibrate_thresholds(
    *, posterior: ArrayLike, truth: ArrayLike, miss: float, false_alarm: float, review: float
) -> tuple[float, float]:
    """The pair of thresholds with the least mean cost on gold; where several tie, the widest undecided band.

    Candidates are the posteriors seen; passing is >= the first, failing <= the second; infinite when nothing should
    pass, or nothing fail. O(n log n).
    """
    p, t = np.asarray(posterior, dtype=np.float64), np.asarray(truth, dtype=np.float64)
    order = np.argsort(p)
    p, t = p[order], t[order]
    # Costs are counted against leaving everything undecided, so that one review each drops out of the comparison.
    # below[i]: the first i traces fail; above[j]: those from j on pass.
    below = np.concatenate([[0.0], np.cumsum(t * false_alarm - review)])
    above = np.concatenate([np.cumsum(((1 - t) * miss - review)[::-1])[::-1], [0.0]])
    # A threshold cannot part two equal posteriors.
    can_split = np.concatenate([[True], np.diff(p) > 0, [True]])
    below, above = np.where(can_split, below, np.inf), np.where(can_split, above, np.inf)
    least_above = np.minimum.accumulate(above[::-1])[::-1]  # the best j >= i for every i
    fails = int(np.argmin(below + least_above))  # of equals the first: fails as few as possible
    passes = len(above) - 1 - int(np.argmin(above[fails:][::-1]))  # of equals the last: passes as few as possible
    theta_fail = float(p[fails - 1]) if fails else -inf
    return (float(p[passes]) if passes < len(p) else inf), theta_fail


def cost_by_length(
    *,
    rows: Iterable[tuple[int, float, bool]],
    thresholds: tuple[float, float],
    costs: tuple[float, float, float],
    limits: tuple[int, ...] = (5, 10, 20, 40, 10**9),
) -> list[CostReport]:
    """What the thresholds cost on gold, by trace length: rows (segments, posterior, is right), costs as above."""
    table = list(rows)
    miss, false_alarm, review = costs
    reports, shortest = [], 0
    for longest in limits:
        # Half open from below, so that each trace falls into one row.
        of_length = [(p, right) for length, p, right in table if shortest < length <= longest]
        shortest = longest
        misses = sum(p >= thresholds[0] and not right for p, right in of_length)
        alarms = sum(p <= thresholds[1] and right for p, right in of_length)
        undecided = sum(thresholds[1] < p < thresholds[0] for p, _ in of_length)
        if of_length:
            cost = (miss * misses + false_alarm * alarms + review * undecided) / len(of_length)
            reports.append(CostReport(longest, len(of_length), cost, misses, alarms, undecided))
    return reports
