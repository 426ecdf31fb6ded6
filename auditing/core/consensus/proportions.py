"""Shares of counts with their Wilson score intervals."""

from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its Wilson interval; None when there is nothing to divide by."""

    count: int
    of: int
    share: float | None
    low: float | None
    high: float | None


def wilson_interval(*, count: int, of: int, z: float = 1.959963984540054) -> Rate:
    """(p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n). Source: Wilson (1927).

    Raises ValueError unless 0 <= count <= of.

    >>> rate = wilson_interval(count=23, of=30)
    >>> round(rate.low, 2), round(rate.high, 2)
    (0.59, 0.88)
    """
    if not 0 <= count <= of:
        raise ValueError(f"{count} of {of} is no share")
    if of == 0:
        return Rate(0, 0, None, None, None)
    share, square = count / of, z * z
    middle = share + square / (2 * of)
    half = z * sqrt(share * (1 - share) / of + square / (4 * of * of))
    scale = 1 + square / of
    low, high = (middle - half) / scale, (middle + half) / scale
    # exactly 0 and 1 at the ends, where rounding would leave 1e-17
    return Rate(count, of, share, max(0.0, low) if count else 0.0, min(1.0, high) if count < of else 1.0)
