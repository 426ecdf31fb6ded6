"""Whether a model's confidence can be believed, and whether its errors are those of other models.

Sources: DeGroot and Fienberg 1983 (reliability diagram); Naeini, Cooper and Hauskrecht 2015 (expected calibration
error); Yule 1912 (correlation of two yes-or-no variables).
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from auditing.core.consensus.proportions import Rate, wilson_interval

__all__ = ["Bin", "ErrorCorrelation", "calibration_error", "error_correlation", "reliability"]

_BINS = 5  # of the confidences .5 to 1
LEAST_SHARED = 30  # items that two models judged, before a correlation is shown


@dataclass(frozen=True, slots=True)
class Bin:
    """Votes of about one confidence: the mean of what was claimed, and the share that was right."""

    low: float
    high: float
    claimed: float
    right: Rate


@dataclass(frozen=True, slots=True)
class ErrorCorrelation:
    """How far two models err on the same items; value is None where one of them never or always erred."""

    items: int
    value: float | None


def reliability(*, votes: Iterable[tuple[float, bool]]) -> tuple[Bin, ...]:
    """Votes (confidence .5 to 1, right or not) in five bins, empty ones left out.

    >>> [(b.low, b.claimed, b.right.share) for b in reliability(votes=[(0.95, True), (0.97, False), (0.55, True)])]
    [(0.5, 0.55, 1.0), (0.9, 0.96, 0.5)]
    """
    sorted_votes: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for confidence, is_right in votes:
        index = int((confidence - 0.5) * 2 * _BINS + 1e-9)
        sorted_votes[max(0, min(_BINS - 1, index))].append((confidence, is_right))
    width = 0.5 / _BINS
    return tuple(
        Bin(
            low=round(0.5 + index * width, 3),
            high=round(0.5 + (index + 1) * width, 3),
            claimed=sum(confidence for confidence, _ in inside) / len(inside),
            right=wilson_interval(count=sum(is_right for _, is_right in inside), of=len(inside)),
        )
        for index, inside in enumerate(sorted_votes)
        if inside
    )


def calibration_error(*, bins: Iterable[Bin]) -> float | None:
    """Mean distance of claimed and right, weighted by votes; None without votes."""
    distances = [(bin.right.of, abs(bin.claimed - (bin.right.share or 0.0))) for bin in bins]
    total = sum(count for count, _ in distances)
    return sum(count * distance for count, distance in distances) / total if total else None


def error_correlation(*, mine: Mapping[str, bool], theirs: Mapping[str, bool]) -> ErrorCorrelation:
    """phi = (n11 n00 - n10 n01) / sqrt(products of the margins), of errors on the items that both judged.

    >>> error_correlation(mine={"a": True, "b": False}, theirs={"a": True, "b": False}).value
    1.0
    """
    shared = sorted(mine.keys() & theirs.keys())
    both = sum(not mine[case] and not theirs[case] for case in shared)
    neither = sum(mine[case] and theirs[case] for case in shared)
    only_mine = sum(not mine[case] and theirs[case] for case in shared)
    only_theirs = sum(mine[case] and not theirs[case] for case in shared)
    # Who is always right, or always wrong, has no variance: phi is then undefined, not nought.
    margins = (both + only_mine) * (neither + only_theirs) * (both + only_theirs) * (neither + only_mine)
    value = (both * neither - only_mine * only_theirs) / math.sqrt(margins) if margins else None
    return ErrorCorrelation(len(shared), value)
