"""Votes as counts per item, added up by PostgreSQL: agreement over a million votes reads only small numbers.

An item is a round (one segment before one tier). Abstentions are no category; with `between` they stand between
fail and pass, which makes the ordinal alpha mean something.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.db.models import Count, Q, QuerySet
from numpy.typing import NDArray

from auditing.core.values import Choice

Counts = NDArray[np.int64]
CATEGORIES = (Choice.FAIL, Choice.PASS)
ORDERED = (Choice.FAIL, Choice.ABSTAIN, Choice.PASS)
GROUPS = {
    "tier": "seat__round__tier",
    "domain": "seat__round__audit__trace__domain",
    "level": "seat__round__segment__level",
}


def counts_by(*, votes: QuerySet[Any], item: str, group: str = "", between: bool = False) -> dict[str, Counts]:
    """Tables of (items, categories) by the values of `group`; everything under "" without one.

    One grouped query, one row of the table for each item. group: a field of Vote, as in GROUPS.
    """
    counted = _counted(votes, item, [group] if group else [], between)
    rows: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    # Read in portions: a million rounds are a million short rows.
    for values in counted.iterator(chunk_size=10_000):
        key, numbers = (str(values[0]), values[1:]) if group else ("", values)
        rows[key].append(numbers)
    return {key: np.array(table, dtype=np.int64) for key, table in sorted(rows.items())}


def counts_by_each(*, votes: QuerySet[Any], item: str, groups: Sequence[str]) -> list[dict[str, Counts]]:
    """The same for each of several groups, abstentions between fail and pass: one query in place of one a group.

    An item has one value of each group.
    """
    rows: list[dict[str, list[tuple[int, ...]]]] = [defaultdict(list) for _ in groups]
    for values in _counted(votes, item, groups, between=True).iterator(chunk_size=10_000):
        for tables, value in zip(rows, values[: len(groups)], strict=True):
            tables[str(value)].append(values[len(groups) :])
    return [{key: np.array(table, dtype=np.int64) for key, table in sorted(tables.items())} for tables in rows]


def without_abstentions(*, tables: Mapping[str, Counts]) -> dict[str, Counts]:
    """Tables of ORDERED as those of CATEGORIES."""
    columns = [ORDERED.index(choice) for choice in CATEGORIES]
    return {key: table[:, columns] for key, table in tables.items()}


def _counted(votes: QuerySet[Any], item: str, groups: Sequence[str], between: bool) -> QuerySet[Any, Any]:
    """(value of each group, votes for each category) of every item."""
    # Prefixed: an annotation may not bear the name of a field.
    counts = {f"n_{choice}": Count("pk", filter=Q(choice=choice)) for choice in (ORDERED if between else CATEGORIES)}
    rows: QuerySet[Any, Any] = votes.values(item, *groups).annotate(**counts).values_list(*groups, *counts)
    return rows
