"""Chance-corrected coefficients of agreement (Fleiss, Gwet, Krippendorff) as functions of sums over items.

Because every coefficient reads sums only, a bootstrap resample of the items is one weighted sum of their features.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from auditing.research.agreement.core.votes import Integers

Numbers: TypeAlias = NDArray[np.float64]


class Coefficient(StrEnum):
    """The coefficients of agreement."""

    FLEISS_KAPPA = "fleiss_kappa"
    GWET_AC1 = "gwet_ac1"
    ALPHA_NOMINAL = "krippendorff_alpha_nominal"
    ALPHA_ORDINAL = "krippendorff_alpha_ordinal"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient, its interval when one was asked for, and a sentence when it is undefined."""

    value: float | None
    items: int  # items with at least two votes
    votes: int  # votes on those items
    low: float | None = None
    high: float | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over items, each item counted as often as it was drawn.

    agreement: sum of P_i over items with two or more votes; paired: how many these are; shares: sum of the category
    shares of every item with a vote, shape (c,); voted: how many these are; coincidences: Krippendorff's matrix (c, c).
    """

    agreement: float
    paired: float
    shares: Numbers
    voted: float
    coincidences: Numbers


def item_features(*, counts: Integers) -> Numbers:
    """What each item adds to the sums, shape (items, 3 + c + c * c).

    P_i = sum_q n_iq (n_iq - 1) / (n_i (n_i - 1)); share_iq = n_iq / n_i;
    coincidence_cq = n_ic (n_iq - [c = q]) / (n_i - 1).
    Source: Gwet, Handbook of Inter-Rater Reliability (2014), for unequal numbers of votes; Krippendorff (2011).
    """
    table = counts.astype(np.float64)
    width = table.shape[1]
    total = table.sum(axis=1)
    paired, voted = total >= 2, total >= 1
    others = np.where(paired, total - 1, 1)[:, None, None]  # 1 where there is nobody else: pairs are zeroed below
    # A vote is never compared with itself: n_ic (n_ic - 1) on the diagonal, n_ic n_iq beside it.
    pairs = table[:, :, None] * (table[:, None, :] - np.eye(width)) / others * paired[:, None, None]
    agreement = np.trace(pairs, axis1=1, axis2=2) / np.maximum(total, 1)
    shares = table / np.maximum(total, 1)[:, None]
    scalars = np.stack([agreement, paired, voted], axis=1)
    return np.concatenate([scalars, shares, pairs.reshape(len(table), -1)], axis=1)


def unpack_sums(*, row: Numbers, width: int) -> Sums:
    """The named sums in one weighted row of item features."""
    shares, pairs = row[3 : 3 + width], row[3 + width :].reshape(width, width)
    return Sums(float(row[0]), float(row[1]), shares, float(row[2]), pairs)


def _beyond_chance(observed: float, expected: float) -> float | None:
    """(P - P_e) / (1 - P_e), undefined where chance alone agrees always (0/0)."""
    return None if expected >= 1 - 1e-15 else (observed - expected) / (1 - expected)


def fleiss_kappa(sums: Sums) -> float | None:
    """(P - P_e) / (1 - P_e) with P_e = sum of squared mean shares. Source: Fleiss (1971); unequal n_i: Gwet (2014)."""
    mean = sums.shares / sums.voted
    return _beyond_chance(sums.agreement / sums.paired, float(mean @ mean))


def gwet_ac1(sums: Sums) -> float | None:
    """(P - P_e) / (1 - P_e) with P_e = sum pi_q (1 - pi_q) / (c - 1). Source: Gwet (2008)."""
    mean = sums.shares / sums.voted
    return _beyond_chance(sums.agreement / sums.paired, float(mean @ (1 - mean)) / (len(mean) - 1))


def _alpha(coincidences: Numbers, distance: Numbers) -> float | None:
    """1 - (n - 1) sum o_cq d_cq / sum n_c n_q d_cq."""
    margin = coincidences.sum(axis=0)
    expected = float(margin @ distance @ margin)
    if expected <= 0:
        return None
    return 1 - (float(margin.sum()) - 1) * float((coincidences * distance).sum()) / expected


def alpha_nominal(sums: Sums) -> float | None:
    """Krippendorff's alpha with distance 1 between different categories. Source: Krippendorff (2011)."""
    return _alpha(sums.coincidences, 1 - np.eye(len(sums.shares)))


def alpha_ordinal(sums: Sums) -> float | None:
    """Alpha with d_cq = (n_c / 2 + the margins between + n_q / 2) squared. Source: Krippendorff (2011)."""
    margin = sums.coincidences.sum(axis=0)
    middle = np.cumsum(margin) - margin / 2  # mean rank of each category: distances are differences of ranks
    return _alpha(sums.coincidences, (middle[:, None] - middle[None, :]) ** 2)


FORMULAS: dict[Coefficient, Callable[[Sums], float | None]] = {
    Coefficient.FLEISS_KAPPA: fleiss_kappa,
    Coefficient.GWET_AC1: gwet_ac1,
    Coefficient.ALPHA_NOMINAL: alpha_nominal,
    Coefficient.ALPHA_ORDINAL: alpha_ordinal,
}


def why_undefined(*, paired: int, minimum_items: int) -> str:
    """The sentence for a coefficient without a value."""
    if paired == 0:
        return "Undefined: no item has two votes, so nothing can agree or disagree."
    if paired < minimum_items:
        return f"Not shown: only {paired} of the at least {minimum_items} items that it needs have two votes."
    return "Undefined: all votes lie in one category, so agreement by chance is already complete."


def measure_agreement(*, counts: Integers, minimum_items: int = 2) -> dict[Coefficient, Estimate]:
    """All coefficients of a table of item counts, shape (items, categories).

    >>> values = measure_agreement(counts=np.array([[2, 0], [0, 2], [1, 1], [2, 0]]))
    >>> round(values[Coefficient.FLEISS_KAPPA].value, 6)
    0.466667
    """
    totals = counts.sum(axis=1)
    paired, votes = int((totals >= 2).sum()), int(totals[totals >= 2].sum())
    if paired < max(minimum_items, 1):
        missing = Estimate(None, paired, votes, sentence=why_undefined(paired=paired, minimum_items=minimum_items))
        return dict.fromkeys(Coefficient, missing)
    sums = unpack_sums(row=item_features(counts=counts).sum(axis=0), width=counts.shape[1])
    values = {name: formula(sums) for name, formula in FORMULAS.items()}
    sentence = why_undefined(paired=paired, minimum_items=0)
    return {name: Estimate(v, paired, votes, sentence="" if v is not None else sentence) for name, v in values.items()}
