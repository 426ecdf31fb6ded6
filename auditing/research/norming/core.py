"""Agreement of a norming room before and after its discussion, over those who voted on every passage both times."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from auditing.research.agreement.core.coefficients import Coefficient, measure_agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """One vote: who, on what, before (1) or after (2) the discussion."""

    auditor: Hashable
    item: Hashable
    round: int
    passed: bool


@dataclass(frozen=True, slots=True)
class Agreement:
    """One round. alike: share of pairs of votes on an item that agree; alpha: Krippendorff's; right: share of votes."""

    alike: float
    alpha: float | None
    right: float


@dataclass(frozen=True, slots=True)
class Change:
    """Both rounds of the same people on the same items, and how many votes were changed: to the truth, and from it."""

    people: int
    before: Agreement
    after: Agreement
    towards: int
    away: int


def change_of(*, ballots: Iterable[Ballot], truths: dict[Hashable, bool]) -> Change | None:
    """None unless two people voted on every item in both rounds.

    Others are left out: who came, or left, in between would look like a change of mind. truths: item -> is right.

    >>> ann = [Ballot(auditor="ann", item="s", round=turn, passed=True) for turn in (1, 2)]
    >>> bo = [Ballot(auditor="bo", item="s", round=turn, passed=turn == 2) for turn in (1, 2)]
    >>> change = change_of(ballots=[*ann, *bo], truths={"s": True})
    >>> change.before.alike, change.after.alike, change.towards, change.away
    (0.0, 1.0, 1, 0)
    """
    words = {(ballot.auditor, ballot.item, ballot.round): ballot.passed for ballot in ballots}
    everybody = sorted({auditor for auditor, _, _ in words}, key=str)
    people = [who for who in everybody if all((who, item, turn) in words for item in truths for turn in (1, 2))]
    if len(people) < 2 or not truths:
        return None
    pairs = [(words[who, item, 1], words[who, item, 2], truths[item]) for who in people for item in truths]
    return Change(
        people=len(people),
        before=_agreement([[words[who, item, 1] for who in people] for item in truths], list(truths.values())),
        after=_agreement([[words[who, item, 2] for who in people] for item in truths], list(truths.values())),
        towards=sum(first != truth == second for first, second, truth in pairs),
        away=sum(second != truth == first for first, second, truth in pairs),
    )


def _agreement(votes: Sequence[Sequence[bool]], truths: Sequence[bool]) -> Agreement:
    """votes: by item, one a person."""
    counts = np.array([[sum(row), len(row) - sum(row)] for row in votes], dtype=np.int64)
    size = counts[0].sum()
    alike = (counts * (counts - 1)).sum() / (len(votes) * size * (size - 1))
    alpha = measure_agreement(counts=counts, minimum_items=1)[Coefficient.ALPHA_NOMINAL].value
    right = np.mean([word == truth for row, truth in zip(votes, truths, strict=True) for word in row])
    return Agreement(float(alike), alpha, float(right))
