"""Proofs of what is told of a sort of whole numbers: its readings, what is asked of them, and the number claimed.

Who re-checks it enumerates each reading again.
"""

from __future__ import annotations

from collections.abc import Sequence

from auditing.checker.checks.number_sorts.sorts import Reading
from auditing.checker.proofs.formulas import packed


def of_number_sort(asks: str, readings: Sequence[Reading], claimed: Sequence[str]) -> dict[str, str]:
    """asks: count, sum, product, mean, largest, smallest or gap; claimed: the terms of a sum, or one number."""
    kept = [[reading.low, reading.high, [list(test) for test in reading.tests], reading.first] for reading in readings]
    return packed({"kind": "number sort", "asks": asks, "readings": kept, "claimed": list(claimed)})
