"""Macro-recall and macro-precision on chains that took no part in choosing the threshold, beside macro-F1.

Source: ARES, tables A9 to A11 (recall, precision and F1 of the mean over five folds).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditing.research.soundness.core.thresholds import five_fold

__all__ = ["FoldedRates", "folded_rates", "macro_rates"]


@dataclass(frozen=True, slots=True)
class FoldedRates:
    """Means over folds."""

    f1: float
    recall: float
    precision: float


def macro_rates(*, predicted: NDArray[np.bool_], sound: NDArray[np.bool_]) -> tuple[float, float]:
    """(macro-recall, macro-precision): means over both classes; one that is neither present nor predicted counts as 1.

    >>> macro_rates(predicted=np.array([True, True, False]), sound=np.array([True, False, False]))
    (0.75, 0.75)
    """
    recalls, precisions = [], []
    for true, called in ((sound, predicted), (~sound, ~predicted)):
        hits = int((true & called).sum())
        empty = float(not true.sum() and not called.sum())
        recalls.append(hits / int(true.sum()) if true.sum() else empty)
        precisions.append(hits / int(called.sum()) if called.sum() else empty)
    return sum(recalls) / 2, sum(precisions) / 2


def folded_rates(
    *, scores: Sequence[NDArray[np.float64]], sound: Sequence[NDArray[np.bool_]], seed: int
) -> FoldedRates:
    """With the thresholds and folds of `five_fold` of the same seed. Raises ValueError with fewer chains than folds."""
    folded = five_fold(scores=scores, sound=sound, seed=seed)
    order = np.random.default_rng(seed).permutation(len(scores))
    rates = []
    for held_out, cut in zip(np.array_split(order, len(folded.thresholds)), folded.thresholds, strict=True):
        predicted = np.concatenate([scores[i] for i in held_out]) >= cut
        rates.append(macro_rates(predicted=predicted, sound=np.concatenate([sound[i] for i in held_out])))
    recall, precision = (float(np.mean(column)) for column in zip(*rates, strict=True))
    return FoldedRates(folded.mean, recall, precision)
