"""Many votes at once, as arrays: the input of the rules that learn from a whole set of segments."""

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
    """Vote v: auditor[v] said passed[v] (1 or 0) of segment[v]. gold: 1 valid, 0 wrong, -1 unknown, by segment."""

    segment: Ints
    auditor: Ints
    passed: Ints
    gold: Ints
    auditors: int

    @property
    def segments(self) -> int:
        """Number of segments, voted on or not."""
        return len(self.gold)

    def with_gold(self, *, gold: Ints) -> "Ballots":
        """The same votes, knowing other truths."""
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
    """
    segments: dict[Hashable, int] = {}
    auditors: dict[Hashable, int] = {}
    rows: dict[tuple[int, int], int] = {}
    for segment, auditor, passed in votes:
        key = segments.setdefault(segment, len(segments)), auditors.setdefault(auditor, len(auditors))
        if key in rows:
            raise BadVotesError(f"auditor {auditor} votes twice on segment {segment}")
        rows[key] = int(passed)
    table = np.array(list(rows), dtype=np.int64).reshape(-1, 2)
    known = gold or {}
    truth = np.array([int(known[key]) if key in known else UNKNOWN for key in segments], dtype=np.int64)
    ballots = Ballots(table[:, 0], table[:, 1], np.array(list(rows.values()), dtype=np.int64), truth, len(auditors))
    return ballots, list(segments), list(auditors)
