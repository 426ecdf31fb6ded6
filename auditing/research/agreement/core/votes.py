"""Votes coded as columns of small integers, and the counts by item and category that coefficients are computed from."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]


class VoteTableRefusedError(ValueError):
    """These votes cannot be tabulated."""


@dataclass(frozen=True, slots=True)
class VoteTable:
    """One row per vote as codes into `items`, `auditors` and `categories`; ordered categories for ordinal use."""

    items: tuple[Hashable, ...]
    auditors: tuple[Hashable, ...]
    categories: tuple[Hashable, ...]
    item: Integers  # shape (votes,)
    auditor: Integers  # shape (votes,)
    category: Integers  # shape (votes,)
    left_out: int = 0  # votes in none of the categories, such as abstentions

    def counts(self) -> Integers:
        """Votes of each item in each category, shape (items, categories)."""
        width = len(self.categories)
        cells = np.bincount(self.item * width + self.category, minlength=len(self.items) * width)
        return cells.reshape(len(self.items), width)


def tabulate_votes(
    *, votes: Iterable[tuple[Hashable, Hashable, Hashable]], categories: Sequence[Hashable]
) -> VoteTable:
    """Code (item, auditor, category) triples; a vote in none of `categories` is counted as left out.

    Raises VoteTableRefusedError for fewer than two or repeated categories, and when one auditor has two votes on one
    item.

    >>> table = tabulate_votes(votes=[("s1", "a", "pass"), ("s1", "b", "fail")], categories=["fail", "pass"])
    >>> table.counts().tolist()
    [[1, 1]]
    """
    codes = {category: code for code, category in enumerate(categories)}
    if len(codes) < 2 or len(codes) != len(categories):
        raise VoteTableRefusedError(f"agreement needs at least two different categories, got {list(categories)!r}")
    items: dict[Hashable, int] = {}
    auditors: dict[Hashable, int] = {}
    rows: list[tuple[int, int, int]] = []
    left_out = 0
    for unit, auditor, category in votes:
        code = codes.get(category)
        if code is None:
            left_out += 1
            continue
        rows.append((items.setdefault(unit, len(items)), auditors.setdefault(auditor, len(auditors)), code))
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T.copy()
    table = VoteTable(tuple(items), tuple(auditors), tuple(codes), columns[0], columns[1], columns[2], left_out)
    _check_one_vote_each(table)
    return table


def _check_one_vote_each(table: VoteTable) -> None:
    # One number for each (item, auditor): after sorting, a repeated one stands beside itself.
    seats = np.sort(table.item * max(len(table.auditors), 1) + table.auditor)
    repeated = seats[1:][seats[1:] == seats[:-1]]
    if repeated.size:
        unit, auditor = divmod(int(repeated[0]), len(table.auditors))
        raise VoteTableRefusedError(
            f"auditor {table.auditors[auditor]!r} has more than one vote on item {table.items[unit]!r}"
        )
