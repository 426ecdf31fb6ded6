"""Votes on a set of segments as columns of integers: the input of the rules that learn skills from all of them."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditing.core.errors import BadVotesError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class Ballots:
    """Vote v: auditor[v] passed (1) or failed (0) segment[v]; abstentions are left out."""

    segment: Ints  # shape (votes,), 0 to segments - 1
    auditor: Ints  # shape (votes,), 0 to auditors - 1
    passed: Ints  # shape (votes,), 1 or 0
    gold: Ints  # shape (segments,): 1 valid, 0 wrong, -1 unknown
    auditors: int

    @property
    def segments(self) -> int:
        """Number of segments, voted on or not."""
        return len(self.gold)

    def with_gold(self, *, gold: Ints) -> "Ballots":
        """The same votes with other truths; how a rule is tried on gold that it does not see."""
        return Ballots(self.segment, self.auditor, self.passed, gold, self.auditors)

    def counts(self) -> tuple[Floats, Floats]:
        """(passes, fails) by segment."""
        passes = _sum_by(self.segment, self.passed, self.segments)
        return passes, _sum_by(self.segment, 1 - self.passed, self.segments)


def _sum_by(keys: Ints, values: Ints, size: int) -> Floats:
    return np.bincount(keys, values.astype(np.float64), size).astype(np.float64)


def ballots_from_votes(
    *, votes: Iterable[tuple[Hashable, Hashable, bool]], gold: Mapping[Hashable, bool] | None = None
) -> tuple[Ballots, list[Hashable], list[Hashable]]:
    """(ballots, segments, auditors) from (segment, auditor, passed) triples, in order of first appearance.

    Raises BadVotesError when an auditor votes twice on a segment.

    >>> ballots, segments, auditors = ballots_from_votes(votes=[("s", "ann", True), ("t", "ann", False)])
    >>> ballots.passed.tolist(), segments, auditors
    ([1, 0], ['s', 't'], ['ann'])
    """
    # A dict as a numbering: setdefault gives a name its number when it is first seen.
    segments: dict[Hashable, int] = {}
    auditors: dict[Hashable, int] = {}
    rows: dict[tuple[int, int], int] = {}
    for segment, auditor, passed in votes:
        key = segments.setdefault(segment, len(segments)), auditors.setdefault(auditor, len(auditors))
        if key in rows:
            raise BadVotesError(f"auditor {auditor} votes twice on segment {segment}")
        rows[key] = int(passed)
    table = np.array(list(rows), dtype=np.int64).reshape(-1, 2)
    truths = gold or {}
    truth = np.array([int(truths[key]) if key in truths else UNKNOWN for key in segments], dtype=np.int64)
    ballots = Ballots(table[:, 0], table[:, 1], np.array(list(rows.values()), dtype=np.int64), truth, len(auditors))
    return ballots, list(segments), list(auditors)
