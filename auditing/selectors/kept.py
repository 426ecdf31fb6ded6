"""Counts over very many rows, kept for half a minute: to count a hundred thousand takes a page as long as all else."""

from collections.abc import Callable, Sequence
from typing import Any

from django.core.cache import cache

MANY = 10_000  # below it a count is so quick that everybody sees the newest
MANY_BY_PERSON = 2_000  # the same where the rows of each person are counted, beside any number of others
SECONDS = 30


def kept(
    *, name: str, count: Callable[[], Sequence[Sequence[Any]]], many: int | None = None
) -> Sequence[Sequence[Any]]:
    """Rows that each end in a count, as they were counted within the last half minute where they count very many.

    What else stands in a row must be texts, numbers or moments; what is kept comes back as lists.
    """
    rows: Sequence[Sequence[Any]] | None = cache.get(name)
    if rows is None:
        rows = count()
        if sum(row[-1] or 0 for row in rows) >= (many or MANY):
            cache.set(name, [list(row) for row in rows], SECONDS)
    return rows
