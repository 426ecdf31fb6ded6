"""Percentile bootstrap intervals for the coefficients of agreement, resampling items."""

from dataclasses import replace

import numpy as np

from auditing.research.agreement.core.coefficients import (
    FORMULAS,
    Coefficient,
    Estimate,
    Numbers,
    item_features,
    measure_agreement,
    unpack_sums,
)
from auditing.research.agreement.core.votes import Integers


def estimate_agreement(
    *,
    counts: Integers,
    rng: np.random.Generator,
    resamples: int = 200,
    level: float = 0.95,
    minimum_items: int = 2,
) -> dict[Coefficient, Estimate]:
    """All coefficients with percentile bootstrap intervals over items.

    Drawing n items with replacement is one multinomial draw over the distinct rows of the table, so a resample costs
    the number of distinct rows, not of votes. A resample in which a coefficient is undefined is left out of its
    interval; when more than one in twenty is, the interval is withheld and the sentence says so.
    Source: Efron and Tibshirani (1993), chapter 13.
    """
    points = measure_agreement(counts=counts, minimum_items=minimum_items)
    if all(point.value is None for point in points.values()) or resamples < 2:
        return points
    draws = _draw(counts=counts, rng=rng, resamples=resamples)
    return {name: _with_interval(point, draws[name], level) for name, point in points.items()}


def _draw(*, counts: Integers, rng: np.random.Generator, resamples: int) -> dict[Coefficient, Numbers]:
    rows, times = _distinct_rows(counts)
    features, width = item_features(counts=rows), counts.shape[1]
    draws = {name: np.full(resamples, np.nan) for name in Coefficient}  # nan: undefined in this resample
    for resample in range(resamples):
        drawn = rng.multinomial(len(counts), times / times.sum())
        sums = unpack_sums(row=drawn @ features, width=width)
        if sums.paired < 1:  # no item with two votes was drawn
            continue
        for name, formula in FORMULAS.items():
            value = formula(sums)
            draws[name][resample] = np.nan if value is None else value
    return draws


def _distinct_rows(counts: Integers) -> tuple[Integers, Integers]:
    """Distinct rows and how often each occurs; rows are ordered, so that a seed means one result."""
    rows, times = np.unique(counts, axis=0, return_counts=True)
    return rows, times


def _with_interval(point: Estimate, draws: Numbers, level: float) -> Estimate:
    defined = draws[~np.isnan(draws)]
    if point.value is None:
        return point
    if len(defined) < 0.95 * len(draws):
        return replace(
            point, sentence="No interval: in more than one of twenty resamples the coefficient is undefined."
        )
    tail = (1 - level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return replace(point, low=float(low), high=float(high))
