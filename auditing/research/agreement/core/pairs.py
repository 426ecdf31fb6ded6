"""Raw agreement and Cohen's kappa of every two auditors, on the items that both voted on."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from auditing.research.agreement.core.coefficients import Numbers
from auditing.research.agreement.core.votes import Integers, VoteTable, VoteTableRefusedError

MOST_AUDITORS = 1000  # the matrices take 3 x 8 MB then
CHUNK_PAIRS = 2_000_000  # pairs of votes held in memory at once


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """What two auditors share. None with a sentence where there is too little to say."""

    shared: int
    agreement: float | None
    kappa: float | None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class PairMatrix:
    """Shared items, raw agreement and Cohen's kappa for all pairs; nan where undefined. Shapes (auditors, auditors)."""

    auditors: tuple[Hashable, ...]
    shared: Integers
    agreement: Numbers
    kappa: Numbers
    minimum_shared: int

    def pair(self, *, first: Hashable, second: Hashable) -> PairAgreement:
        """The entry of two auditors, with a sentence when something is undefined."""
        cell = self.auditors.index(first), self.auditors.index(second)
        shared, agreement, kappa = int(self.shared[cell]), float(self.agreement[cell]), float(self.kappa[cell])
        if shared < self.minimum_shared:
            return PairAgreement(shared, None, None, f"Fewer than {self.minimum_shared} shared items ({shared}).")
        if np.isnan(kappa):
            return PairAgreement(
                shared, agreement, None, "Kappa is undefined: both used one and the same category only."
            )
        return PairAgreement(shared, agreement, kappa)


def compare_pairs(*, table: VoteTable, minimum_shared: int = 5) -> PairMatrix:
    """Raw agreement and Cohen's kappa of each pair, margins taken over the shared items only.

    kappa = (p - e) / (1 - e), e = sum_q p_aq p_bq. Source: Cohen (1960).
    Raises VoteTableRefusedError beyond 1000 auditors: compare groups of them instead.
    """
    size, width = len(table.auditors), len(table.categories)
    if size > MOST_AUDITORS:
        raise VoteTableRefusedError(f"a matrix of {size} auditors is more than the {MOST_AUDITORS} that it may hold")
    shared = np.zeros(size * size, dtype=np.int64)
    agree = np.zeros(size * size, dtype=np.int64)
    margins = np.zeros(size * size * width, dtype=np.int64)  # [a, b, q]: a said q on items shared with b
    for first, second, category, peer_category in _ordered_pairs(table):
        cell = first * size + second
        shared += np.bincount(cell, minlength=size * size)
        agree += np.bincount(cell[category == peer_category], minlength=size * size)
        margins += np.bincount(cell * width + category, minlength=size * size * width)
    return _matrix(table, shared, agree, margins, minimum_shared)


def _ordered_pairs(table: VoteTable) -> Iterator[tuple[Integers, Integers, Integers, Integers]]:
    """Every ordered pair of votes on one item, in chunks, items of one size together."""
    order = np.argsort(table.item, kind="stable")
    auditor, category = table.auditor[order], table.category[order]
    sizes = np.bincount(table.item, minlength=len(table.items))
    starts = np.cumsum(sizes) - sizes
    for size in np.unique(sizes[sizes >= 2]):
        # Items with equally many votes share one pattern of pairs, added to where each item's votes begin.
        left, right = np.nonzero(~np.eye(int(size), dtype=bool))
        begins = starts[sizes == size]
        step = max(1, CHUNK_PAIRS // len(left))  # items at once
        for begin in range(0, len(begins), step):
            base = begins[begin : begin + step, None]
            a, b = (base + left).ravel(), (base + right).ravel()
            yield auditor[a], auditor[b], category[a], category[b]


def _matrix(table: VoteTable, shared: Integers, agree: Integers, margins: Integers, minimum: int) -> PairMatrix:
    size, width = len(table.auditors), len(table.categories)
    together = shared.reshape(size, size)
    enough = together >= max(minimum, 1)
    n = np.where(enough, together, 1)  # divides by 1 where the result is thrown away
    observed = np.where(enough, agree.reshape(size, size) / n, np.nan)
    margin = margins.reshape(size, size, width)
    # sum over q of p_aq p_bq, each auditor's margin taken over the items shared with the other
    expected = (margin * margin.transpose(1, 0, 2)).sum(axis=2) / n**2
    defined = enough & (expected < 1)
    kappa = np.where(defined, (observed - expected) / np.where(defined, 1 - expected, 1), np.nan)
    return PairMatrix(table.auditors, together, observed, kappa, minimum)
