"""Votes as counts per item, added up by PostgreSQL: agreement over a million votes reads only small numbers.

An item is a round (one segment before one tier). Abstentions are no category; with `between` they stand between
fail and pass, which makes the ordinal alpha mean something.
"""

from collections import defaultdict
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
    categories = ORDERED if between else CATEGORIES
    # Prefixed: an annotation may not bear the name of a field.
    names = [f"n_{choice}" for choice in categories]
    counted = votes.values(item, *([group] if group else [])).annotate(
        **{name: Count("pk", filter=Q(choice=choice)) for name, choice in zip(names, categories, strict=True)}
    )
    rows: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    columns = ([group] if group else []) + names
    # Read in portions: a million rounds are a million short rows.
    for values in counted.values_list(*columns).iterator(chunk_size=10_000):
        key, numbers = (str(values[0]), values[1:]) if group else ("", values)
        rows[key].append(numbers)
    return {key: np.array(table, dtype=np.int64) for key, table in sorted(rows.items())}
