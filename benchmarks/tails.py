"""Exact trace tails beside their floors: 50 segments in 1 ms, 10^5 grouped in 1 s, 10^5 distinct in 5 s.

Run: python -m benchmarks.tails. Accuracy is checked in the same run: the grouped tail against Python's integers on
2,000 segments, the distinct one against dynamic programming on 4,000.
"""

import time
from collections.abc import Callable
from fractions import Fraction
from math import ceil, log

import numpy as np

from auditing.research.policy_lab.core.guarantees import Group, log_tail, pass_probability, tail, tail_of_many

MODEL, PEOPLE = pass_probability(k=3, tau=0.5, error=0.05), pass_probability(k=5, tau=0.5, error=0.3, malicious=0.1)


def seconds(work: Callable[[], object], repeats: int) -> float:
    """Best of `repeats` runs."""
    found = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return min(found)


def grouped_error() -> float:
    """Largest relative error of 2,000 segments in two weight classes, p = 3/4 and 7/8, over five thresholds."""
    masses = [1]
    for fail, win, weight, count in ((1, 3, 1, 1200), (1, 7, 2, 800)):
        for _ in range(count):
            longer = [value * fail for value in masses] + [0] * weight
            for x, value in enumerate(masses):
                longer[x + weight] += value * win
            masses = longer
    scale = 4**1200 * 8**800
    groups, worst = [Group(1200, 0.75, 1), Group(800, 0.875, 2)], 0.0
    for beta in ("0.3", "0.5", "0.7", "0.8", "0.82"):
        exact = Fraction(sum(masses[: ceil(Fraction(beta) * 2800)]), scale)
        wanted = log(exact.numerator) - log(exact.denominator)
        worst = max(worst, abs(np.expm1(log_tail(groups=groups, beta=Fraction(beta)) - wanted)))
    return worst


def distinct_error() -> float:
    """Largest absolute error of 4,000 distinct p against dynamic programming."""
    rng = np.random.default_rng(2)
    p, weights = rng.uniform(0.5, 1, 4000), rng.integers(1, 4, 4000)
    masses = np.zeros(int(weights.sum()) + 1)
    masses[0] = 1
    for share, weight in zip(p, weights, strict=True):
        moved = masses[:-weight] * share
        masses *= 1 - share
        masses[weight:] += moved
    below, centre = np.cumsum(masses), int((p * weights).sum())
    return max(
        abs(tail_of_many(p=p, weights=weights, threshold=centre + shift) - below[centre + shift - 1])
        for shift in (-300, -100, 0, 100, 300)
    )


def main() -> None:
    """Print every figure beside its floor."""
    small = [Group(20, 1.0, 3), Group(20, MODEL, 2), Group(10, PEOPLE, 1)]
    mixed = [Group(1, float(p), w) for p, w in zip(np.linspace(0.6, 0.99, 50), [1, 2, 3, 2, 1] * 10, strict=True)]
    big = [Group(40_000, 0.999, 3), Group(40_000, MODEL, 2), Group(20_000, PEOPLE, 1)]
    rng = np.random.default_rng(1)
    p, weights = rng.uniform(0.5, 1, 100_000), rng.integers(1, 4, 100_000)
    threshold = int((p * weights).sum()) - 900
    rows = [
        ("50 segments, by tier", seconds(lambda: tail(groups=small, beta=0.75), 200), 1e-3),
        ("50 segments, distinct p", seconds(lambda: tail(groups=mixed, beta=0.75), 200), 1e-3),
        ("100,000 segments, by tier", seconds(lambda: log_tail(groups=big, beta=0.95), 5), 1.0),
        (
            "100,000 segments, distinct p",
            seconds(lambda: tail_of_many(p=p, weights=weights, threshold=threshold), 3),
            5.0,
        ),
    ]
    for name, found, floor in rows:
        print(f"{name:30} {1000 * found:9.3f} ms   floor {1000 * floor:7.0f} ms   {floor / found:6.1f} times under it")
    print(f"relative error by tier         {grouped_error():9.1e}      floor 1e-09")
    print(f"absolute error, distinct p     {distinct_error():9.1e}      floor 1e-12")


if __name__ == "__main__":
    main()
