"""Measures of step verifiers as their benchmarks publish them: PRMScore and MR-Score.

Sources: PRMBench (Song et al., 2025), PRMScore = .5 F1 + .5 negative F1 over steps; MR-GSM8K and MR-Ben (Zeng et al.,
2024), MR-Score = .2 max(0, MCC) + .3 ACC_step + .5 ACC_reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

__all__ = ["MrScore", "PrmScore", "mr_score", "prm_score"]

_MR_WEIGHTS = (0.2, 0.3, 0.5)


@dataclass(frozen=True, slots=True)
class PrmScore:
    """Over steps: F1 of calling right steps right, of calling wrong steps wrong, and their mean."""

    f1: float
    negative_f1: float
    score: float
    steps: int
    wrong: int


@dataclass(frozen=True, slots=True)
class MrScore:
    """MCC of right or wrong solutions, first errors named of wrong ones; the score with no reason right, and with all.

    Whether a reason is right is graded by people (or GPT-4, in the paper); without grades only these bounds are known.
    """

    mcc: float
    named: float | None
    at_least: float | None
    at_most: float | None


def prm_score(*, wrong: Sequence[bool], called_wrong: Sequence[bool]) -> PrmScore:
    """Of all steps of all traces together. Raises ValueError where the lengths differ.

    >>> prm_score(wrong=[False, False, True], called_wrong=[False, True, True]).score
    0.6666666666666666
    """
    pairs = list(zip(wrong, called_wrong, strict=True))
    positive = _f1([not a for a, _ in pairs], [not b for _, b in pairs])
    negative = _f1([a for a, _ in pairs], [b for _, b in pairs])
    return PrmScore(positive, negative, (positive + negative) / 2, len(pairs), sum(wrong))


def mr_score(*, labels: Sequence[int | None], predicted: Sequence[int | None]) -> MrScore:
    """Of predicted first errors beside labels, None for no error. MCC is 0 where a margin is empty.

    >>> mr_score(labels=[1, None], predicted=[1, None])
    MrScore(mcc=1.0, named=1.0, at_least=0.5, at_most=1.0)
    """
    pairs = list(zip(labels, predicted, strict=True))
    tp = sum(label is None and named is None for label, named in pairs)
    tn = sum(label is not None and named is not None for label, named in pairs)
    fp = sum(label is not None and named is None for label, named in pairs)
    fn = len(pairs) - tp - tn - fp
    below = sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    mcc = (tp * tn - fp * fn) / below if below else 0.0
    wrong = [(label, named) for label, named in pairs if label is not None]
    named_share = sum(label == named for label, named in wrong) / len(wrong) if wrong else None
    if named_share is None:
        return MrScore(mcc, None, None, None)
    least = _MR_WEIGHTS[0] * max(0.0, mcc) + _MR_WEIGHTS[1] * named_share
    # A reason counts only where the step is named.
    return MrScore(mcc, named_share, least, least + _MR_WEIGHTS[2] * named_share)


def _f1(true: Sequence[bool], called: Sequence[bool]) -> float:
    """1 for a class that is neither present nor called, as macro-F1 counts it elsewhere (thresholds.py)."""
    hits = sum(a and b for a, b in zip(true, called, strict=True))
    total = sum(true) + sum(called)
    return 2 * hits / total if total else 1.0
