"""Thresholds on soundness: the cut with the best macro-F1 on labelled chains, scored on chains it has not seen.

Source: ARES, section 4 and appendix C.3 (threshold picked for the best macro-F1 on the validation fold).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Calibration", "FoldedScore", "best_of", "best_threshold", "calibrate", "five_fold", "macro_f1"]

Scores = NDArray[np.float64]
Labels = NDArray[np.bool_]
Row = TypeVar("Row", Scores, Labels)


@dataclass(frozen=True, slots=True)
class FoldedScore:
    """Macro-F1 on held-out chains: mean and standard deviation over folds, and the threshold of every fold.

    false_alarms: share of the sound claims of all folds that the threshold of their fold calls unsound, or None.
    """

    mean: float
    deviation: float
    thresholds: tuple[float, ...]
    false_alarms: float | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """A threshold from all labelled chains, and how well such a threshold does on chains that it has not seen."""

    threshold: float
    folded: FoldedScore
    chains: int
    claims: int
    unsound: int


def macro_f1(*, scores: Scores, sound: Labels, threshold: float) -> float:
    """Mean of the F1 of the two classes when a claim counts as sound from `threshold` on.

    A class that is neither present nor predicted counts as 1, one that is only present or only predicted as 0.

    >>> macro_f1(scores=np.array([0.9, 0.2]), sound=np.array([True, False]), threshold=0.5)
    1.0
    """
    predicted = np.asarray(scores) >= threshold
    return (_f1(predicted, sound) + _f1(~predicted, ~np.asarray(sound))) / 2


def _f1(predicted: Labels, true: Labels) -> float:
    both, either = int((predicted & true).sum()), int(predicted.sum() + true.sum())
    return 2 * both / either if either else 1.0


def best_threshold(*, scores: Scores, sound: Labels) -> float:
    """The cut with the highest macro-F1, halfway between two neighbouring scores; ties go to the one nearest .5.

    One sort and cumulative counts, O(n log n). Raises ValueError on an empty or unequal pair.

    >>> float(best_threshold(scores=np.array([0.1, 0.3, 0.8]), sound=np.array([False, False, True])))
    0.55
    """
    if len(scores) == 0 or len(scores) != len(sound):
        raise ValueError(f"a threshold needs as many labels as scores, got {len(scores)} and {len(sound)}")
    order = np.argsort(scores)
    value, good = np.asarray(scores, dtype=np.float64)[order], np.asarray(sound, dtype=np.bool_)[order]
    cuts = np.flatnonzero(np.concatenate(([True], value[1:] > value[:-1])))  # everything from the cut on is sound
    # For every cut at once: how many lie above it, how many good ones above it, how many bad ones below it.
    total, goods = len(value), int(good.sum())
    good_above = goods - np.concatenate(([0], np.cumsum(good)))[cuts]
    above = total - cuts
    bad_below = (total - goods) - (above - good_above)
    # F1 = 2 hits / (predicted + present) for either class, 1 for a class that is neither.
    with np.errstate(invalid="ignore"):
        f1_good = np.where(above + goods > 0, 2 * good_above / (above + goods), 1.0)
        f1_bad = np.where(cuts + total - goods > 0, 2 * bad_below / (cuts + total - goods), 1.0)
    at = np.where(cuts == 0, value[0], (value[cuts] + value[np.maximum(cuts - 1, 0)]) / 2)
    worth = f1_good + f1_bad
    ties = np.flatnonzero(worth >= worth.max() - 1e-12)  # equal F1 computed from other counts may differ in ulps
    return float(at[ties[np.argmin(np.abs(at[ties] - 0.5))]])


def five_fold(*, scores: Sequence[Scores], sound: Sequence[Labels], seed: int, folds: int = 5) -> FoldedScore:
    """Macro-F1 on chains that took no part in choosing the threshold; chains are dealt to folds at random.

    Raises ValueError with fewer chains than folds.
    """
    if len(scores) < folds:
        raise ValueError(f"{folds} folds need at least {folds} chains, got {len(scores)}")
    order = np.random.default_rng(seed).permutation(len(scores))
    worth, cuts = [], []
    alarms = goods = 0
    for held_out in np.array_split(order, folds):
        training = np.setdiff1d(order, held_out)
        cut = best_threshold(scores=_joined(scores, training), sound=_joined(sound, training))
        worth.append(macro_f1(scores=_joined(scores, held_out), sound=_joined(sound, held_out), threshold=cut))
        cuts.append(cut)
        good = _joined(sound, held_out)
        goods += int(good.sum())
        alarms += int((good & (_joined(scores, held_out) < cut)).sum())
    return FoldedScore(float(np.mean(worth)), float(np.std(worth)), tuple(cuts), alarms / goods if goods else None)


def calibrate(*, scores: Sequence[Scores], sound: Sequence[Labels], seed: int) -> Calibration:
    """The threshold with the best macro-F1 on all chains, with its five-fold score beside it.

    scores, sound: one array a chain, one entry a claim. Raises ValueError with fewer than five chains.

    >>> scores, sound = [np.array([0.9, 0.1])] * 5, [np.array([True, False])] * 5
    >>> calibrate(scores=scores, sound=sound, seed=1).threshold
    0.5
    """
    folded = five_fold(scores=scores, sound=sound, seed=seed)
    labels = np.concatenate(list(sound))
    threshold = best_threshold(scores=np.concatenate(list(scores)), sound=labels)
    return Calibration(threshold, folded, len(scores), len(labels), int((~labels).sum()))


def _joined(rows: Sequence[Row], picks: NDArray[np.intp]) -> Row:
    return np.concatenate([rows[i] for i in picks])


def best_of(*, means: Sequence[float]) -> int:
    """Index of the best of N chains by mean (or last) soundness; the earliest of equals. Raises ValueError when empty.

    >>> best_of(means=[0.4, 0.9, 0.9])
    1
    """
    if not means:
        raise ValueError("there is no chain to choose from")
    return max(range(len(means)), key=lambda i: (means[i], -i))
