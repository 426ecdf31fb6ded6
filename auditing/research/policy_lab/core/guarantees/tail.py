"""The exact lower tail of a weighted Poisson-binomial: Pr[W < W_beta] for W = sum of w_s B_s, however small.

Few segments: dynamic programming over the lattice of weights, all terms positive, so that the relative error is
that of the additions. Many: the segments are tilted exponentially until W_beta is the mean, the tilted
distribution is built by FFT convolution (whose absolute error is then small beside the terms that matter), and the
tilt is taken back inside the sum: Pr[W < b] = M(t) sum_{x<b} q_t(x) e^{tx}, M(t) = E e^{-tW}.
Source: Hong 2013 (Poisson-binomial); tilting as for Cramer's theorem; docs/formulas.md section 1.2.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, exp, lcm, log, log1p

import numpy as np
from numpy.typing import NDArray

from auditing.core.errors import BadParameterError

Floats = NDArray[np.float64]
SMALL = 400  # segments up to which dynamic programming is used: no double underflows there for p <= 1 - 1e-6
LARGEST_LATTICE = 50_000_000  # points of 8 bytes each


@dataclass(frozen=True, slots=True)
class Group:
    """`count` independent segments that pass with probability p and weigh `weight` each."""

    count: int
    p: float
    weight: Fraction | Decimal | int = 1

    def __post_init__(self) -> None:
        if self.count < 0 or not 0 <= self.p <= 1 or not self.weight > 0:
            raise BadParameterError("group", f"needs count >= 0, 0 <= p <= 1, weight > 0: {self}")


def tail(*, groups: Sequence[Group], beta: Fraction | Decimal | float) -> float:
    """Pr[W < beta * sum of weights], exactly.

    >>> tail(groups=[Group(2, 0.5), Group(1, 1.0, 2)], beta=0.75)
    0.25
    """
    return min(1.0, exp(log_tail(groups=groups, beta=beta)))


def log_tail(*, groups: Sequence[Group], beta: Fraction | Decimal | float) -> float:
    """Natural logarithm of `tail`, which may lie far below the smallest double; -inf when impossible."""
    classes, threshold = _lattice(groups, beta)
    segments = sum(count for _, sizes in classes.items() for count in sizes.values())
    if segments <= SMALL:
        small = float(_by_programming(classes, threshold).sum())
        return log(small) if small > 0 else -np.inf
    arrays = {
        weight: (np.array(list(sizes)), np.array(list(sizes.values()), dtype=np.float64))
        for weight, sizes in classes.items()
    }
    return _by_tilting(arrays, threshold)


def tails(*, groups: Sequence[Group], betas: Sequence[float]) -> list[float]:
    """`tail` at many thresholds: one distribution, then running sums of its positive masses.

    >>> tails(groups=[Group(2, 0.5), Group(1, 1.0, 2)], betas=[0.5, 0.75])
    [0.0, 0.25]
    """
    if sum(group.count for group in groups) > SMALL:
        return [tail(groups=groups, beta=beta) for beta in betas]
    below = np.append(0.0, np.cumsum(poisson_binomial(groups=groups)))
    total = len(below) - 2
    at = [ceil(Fraction(str(beta)) * total - Fraction(1, 10**9)) for beta in betas]
    return [min(1.0, float(below[max(0, threshold)])) for threshold in at]


def tail_of_many(*, p: Floats, weights: NDArray[np.int64], threshold: int) -> float:
    """Pr[W < threshold] for distinct p with integer weights (arrays of one length)."""
    if p.shape != weights.shape or p.ndim != 1 or (p < 0).any() or (p > 1).any() or (weights < 1).any():
        raise BadParameterError("p", "needs two flat arrays of one length, 0 <= p <= 1, weights >= 1")
    arrays = {int(w): (p[weights == w], np.ones(int((weights == w).sum()))) for w in np.unique(weights)}
    return min(1.0, exp(_by_tilting(arrays, threshold)))


def poisson_binomial(*, groups: Sequence[Group]) -> Floats:
    """Distribution of W on the integer lattice that holds all weights, index 0 to their sum."""
    classes, _ = _lattice(groups, 1)
    return _by_programming(classes, sum(w * n for w, sizes in classes.items() for n in sizes.values()) + 1)


def is_countable(*, groups: Sequence[Group]) -> bool:
    """Whether the weights have a common unit that is not too small to sum over.

    >>> [is_countable(groups=[Group(3, 0.5, Decimal("0.25")), Group(1, 0.5, weight)]) for weight in (2, 10**9)]
    [True, False]
    """
    return sum(w * group.count for group, w in zip(groups, _whole_weights(groups), strict=True)) <= LARGEST_LATTICE


def _whole_weights(groups: Sequence[Group]) -> list[int]:
    """The weights in the unit that makes each an integer."""
    weights = [Fraction(group.weight) for group in groups]
    unit = lcm(*(weight.denominator for weight in weights))
    return [int(weight * unit) for weight in weights]


def _lattice(groups: Sequence[Group], beta: Fraction | Decimal | float) -> tuple[dict[int, dict[float, int]], int]:
    """(weight -> p -> count, least integer x with x >= W_beta - 1e-9), in units that make every weight an integer."""
    whole = _whole_weights(groups)
    classes: dict[int, dict[float, int]] = defaultdict(lambda: defaultdict(int))
    total = 0
    for group, weight in zip(groups, whole, strict=True):
        classes[weight][float(group.p)] += group.count
        total += weight * group.count
    if total > LARGEST_LATTICE:
        raise BadParameterError("weight", f"the weights need a lattice of {total} points")
    share = Fraction(str(beta)) if isinstance(beta, float) else Fraction(beta)
    return classes, ceil(share * total - Fraction(1, 10**9))


def _by_programming(classes: dict[int, dict[float, int]], threshold: int) -> Floats:
    """Pr[W = x] for 0 <= x < threshold: a'[x] = a[x](1 - p) + a[x - w] p for each segment in turn.

    Segments that pass for sure (p = 1) only move the start; those that never pass (p = 0) change nothing.
    """
    masses = np.zeros(max(threshold, 0))
    sure = sum(weight * sizes.get(1.0, 0) for weight, sizes in classes.items())
    masses[sure : sure + 1] = 1.0
    for weight, sizes in classes.items():
        for p, count in sizes.items():
            for _ in range(count if 0 < p < 1 else 0):
                moved = masses[:-weight] * p
                masses *= 1 - p
                masses[weight:] += moved
    return masses


def _by_tilting(arrays: dict[int, tuple[Floats, Floats]], threshold: int) -> float:
    """log Pr[W < threshold]; arrays: weight -> (p of its segments, how many have that p)."""
    total = int(sum(weight * counts.sum() for weight, (_, counts) in arrays.items()))
    sure = int(sum(weight * counts[p == 1].sum() for weight, (p, counts) in arrays.items()))
    if threshold <= sure:
        return -np.inf
    if threshold > total:
        return 0.0
    # 1. The tilt that puts the mean where the tail begins, so that what is summed is no longer rare.
    tilt = _tilt(arrays, threshold - 1)
    log_moment, start, classes = 0.0, 0, []
    # 2. Tilted by e^{-tw}, a segment passes with p e^{-tw} / (p e^{-tw} + 1 - p); the denominators multiply to M(t).
    for weight, (p, counts) in sorted(arrays.items()):
        passing = p * exp(-tilt * weight)
        log_moment += float((counts * np.log(passing + (1 - p))).sum())
        offset, masses = _tilted_counts(passing / (passing + (1 - p)), counts)
        start += weight * offset
        classes.append(_spread(masses, weight))
    # 3. The classes of weights are independent: their distributions are convolved.
    total_masses = classes[0]
    for class_masses in classes[1:]:
        total_masses = _convolve(total_masses, class_masses)
    # 4. Untilted inside the sum; e^{t (threshold - 1)}, its largest factor, stays outside as a logarithm.
    x = start + np.arange(len(total_masses))
    is_below = x < threshold
    inner = float((total_masses[is_below] * np.exp(tilt * (x[is_below] - (threshold - 1.0)))).sum())
    return log_moment + tilt * (threshold - 1) + log(inner) if inner > 0 else -np.inf


def _tilt(arrays: dict[int, tuple[Floats, Floats]], target: int) -> float:
    """t >= 0 at which the tilted mean of W is `target`; 0 when the mean is below it already. Bisection."""

    def mean(t: float) -> float:
        return sum(
            float((weight * counts * p * exp(-t * weight) / (p * exp(-t * weight) + (1 - p))).sum())
            for weight, (p, counts) in arrays.items()
        )

    if mean(0.0) <= target:
        return 0.0
    low, high = 0.0, 1.0
    while mean(high) > target and high < 600:  # exp(-600) is still a double
        low, high = high, 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) > target else (low, middle)
    return low


def _tilted_counts(p: Floats, counts: Floats) -> tuple[int, Floats]:
    """(first index, masses) of the number of passes of one weight class; far tails below 1e-40 are left out."""
    if len(p) <= 64 and counts.max(initial=0) > 1:
        offset, total = 0, np.ones(1)
        for share, count in zip(p, counts, strict=True):
            first, share_masses = _binomial(int(count), float(share))
            offset, total = offset + first, _convolve(total, share_masses)
        return offset, total
    return 0, _product(np.repeat(p, counts.astype(np.int64)))


def _binomial(n: int, p: float) -> tuple[int, Floats]:
    """(first index, masses) of Bin(n, p) by ratios outward from the mode: relative error about sqrt(n) ulp."""
    if p in (0.0, 1.0):
        return int(n * p), np.ones(1)
    mode = min(n, int((n + 1) * p))
    reach = int(20 * (n * p * (1 - p)) ** 0.5) + 60  # twenty standard deviations: masses beyond lie below 1e-40
    first, last = max(0, mode - reach), min(n, mode + reach)
    odds = exp(log(p) - log1p(-p))
    up = np.arange(mode, last)
    down = np.arange(mode, first, -1)
    above = np.cumprod((n - up) / (up + 1.0) * odds)
    below = np.cumprod(down / (n - down + 1.0) / odds)[::-1]
    masses = np.concatenate([below, np.ones(1), above])
    return first, masses / masses.sum()


def _product(p: Floats) -> Floats:
    """Masses of a Poisson-binomial with distinct p: pairwise products of (1 - p, p), batched per level."""
    size = 1 << max(0, (len(p) - 1).bit_length())  # filled up with segments that never pass: factor 1
    rows = np.zeros((size, 2))
    rows[:, 0], rows[: len(p), 0], rows[: len(p), 1] = 1.0, 1 - p, p
    while len(rows) > 1:
        rows = _multiply_rows(rows[0::2], rows[1::2])
    masses: Floats = rows[0][: len(p) + 1]
    return masses


def _multiply_rows(a: Floats, b: Floats) -> Floats:
    length = a.shape[1] + b.shape[1] - 1
    if a.shape[1] <= 17:  # short factors: adding shifted rows is faster than a transform, and exact
        direct = np.zeros((len(a), length))
        for shift in range(a.shape[1]):
            direct[:, shift : shift + b.shape[1]] += a[:, shift : shift + 1] * b
        return direct
    size = _good_size(length)
    product = np.fft.irfft(np.fft.rfft(a, size) * np.fft.rfft(b, size), size)[:, :length]
    return np.asarray(product.clip(min=0.0), dtype=np.float64)


def _convolve(a: Floats, b: Floats) -> Floats:
    if min(len(a), len(b)) <= 64:  # positive terms only: no cancellation
        return np.convolve(a, b)
    masses: Floats = _multiply_rows(a[None, :], b[None, :])[0]
    return masses


def _good_size(n: int) -> int:
    """Smallest m >= n with m = 2^a, 3 * 2^a or 5 * 2^a: lengths that numpy's FFT likes."""
    power = 1 << max(0, (n - 1).bit_length())
    return min(m for m in (power, power * 3 // 4, power * 5 // 8) if m >= n and m > 0)


def _spread(masses: Floats, weight: int) -> Floats:
    """Masses of weight * X from those of X."""
    spread = np.zeros((len(masses) - 1) * weight + 1)
    spread[::weight] = masses
    return spread
