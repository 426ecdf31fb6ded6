"""Votes as counts per item, added up by PostgreSQL: agreement over a million votes reads only small numbers.

An item is a round of ours (one segment before one tier), or an item of one imported set. Abstentions are no category;
with `between` they stand between fail and pass, which makes the ordinal alpha mean something.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from django.db.models import Count, Func, Q, QuerySet, TextField

from auditing.core.values import Choice
from auditing.core.voting.rationale import Criterion, Mark
from auditing.models import Vote
from auditing.research.agreement.core import VoteTable, tabulate_votes
from auditing.research.agreement.selectors.vote_counts import CATEGORIES, Counts
from auditing.research.exports.selectors.scope import Scope
from auditing.research.models import ImportedVote
from auditing.selectors.gold.repeats import repeat_pairs

MOST_AUDITORS = 12  # in the matrix of pairs: the busiest


class _Elements(Func):
    """The texts in a JSON list, a row each."""

    function = "jsonb_array_elements_text"
    set_returning = True
    output_field = TextField()


def our_votes(*, scope: Scope) -> QuerySet[Vote]:
    """Opened votes of counted rounds in scope, none of them a second one of the same person on the same passage."""
    return Vote.objects.filter(seat__round__in=scope.rounds())


def counts_of_repeats(*, scope: Scope) -> Counts:
    """What each reviewer said of a passage, and said again: (pairs, [fail, pass])."""
    votes = Vote.objects.filter(seat__round__in=scope.rounds(repeats=True))
    pairs = [(pair.first, pair.second) for pair in repeat_pairs(votes=votes)]
    rows = [[pair.count(category) for category in CATEGORIES] for pair in pairs]
    return np.array(rows, dtype=np.int64).reshape(-1, len(CATEGORIES))  # none has the shape of some


def counts_by_class(*, votes: QuerySet[ImportedVote]) -> dict[str, Counts]:
    """For each kind of error of imported votes: (items, [not marked, marked]), empty sheets left out."""
    cast = votes.exclude(choice=Choice.ABSTAIN)
    totals = dict(cast.values_list("item").annotate(n=Count("pk")))
    marked: dict[str, dict[str, int]] = defaultdict(dict)
    for unit, name, count in _marked(cast):
        marked[name][unit] = count
    return {
        # Who cast a vote on the item and did not mark this class said "not marked".
        name: np.array([(total - per.get(unit, 0), per.get(unit, 0)) for unit, total in totals.items()])
        for name, per in sorted(marked.items())
    }


def _marked(cast: QuerySet[ImportedVote]) -> Iterator[tuple[str, str, int]]:
    yield from (
        cast.annotate(name=_Elements("classes")).values_list("item", "name").annotate(n=Count("pk")).order_by("name")
    )


def counts_by_criterion(*, votes: QuerySet[Vote]) -> dict[str, Counts]:
    """For each criterion: (items, [no, yes]), "not applicable" left out."""
    # Criteria lie in one JSON column: two counts of each, all in one grouped query over the votes.
    marks = [(criterion, mark) for criterion in Criterion for mark in (Mark.NO, Mark.YES)]
    columns = {
        f"{criterion}_{mark}": Count("pk", filter=Q(**{f"criteria__{criterion}": mark})) for criterion, mark in marks
    }
    rows = list(votes.values("seat__round").annotate(**columns).values_list(*columns))
    tables = np.array(rows, dtype=np.int64).reshape(len(rows), len(Criterion), 2)
    # An item on which nobody marked a criterion says nothing of it.
    marked = {
        str(criterion): tables[tables[:, column].any(axis=1), column] for column, criterion in enumerate(Criterion)
    }
    return {name: counts for name, counts in marked.items() if len(counts)}


def busiest(*, votes: QuerySet[Any], item: str, auditor: str) -> VoteTable | None:
    """The votes of the auditors with the most votes, for the matrix of pairs; None when fewer than two voted."""
    cast = votes.exclude(choice=Choice.ABSTAIN)
    voters = list(cast.values_list(auditor).annotate(n=Count("pk")).order_by("-n", auditor)[:MOST_AUDITORS])
    if len(voters) < 2:
        return None
    # Twelve auditors make 66 pairs; a matrix of all pairs would be unreadable and grows with the square.
    chosen = cast.filter(**{f"{auditor}__in": [voter for voter, _ in voters]}).order_by(auditor, item)
    triples = (
        (str(key), voter_id, choice)
        for key, voter_id, choice in chosen.values_list(item, auditor, "choice").iterator(chunk_size=10_000)
    )
    return tabulate_votes(votes=triples, categories=[str(category) for category in CATEGORIES])
