"""What a ring's agreement would be if its members voted independently: the null distribution, drawn with a seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from auditing.core.consensus.ballots import Ballots, Floats

DRAWS = 2_000
_ABSENT = -1


@dataclass(frozen=True, slots=True)
class RingNull:
    """Agreements within a ring, and those of as many independent votes with the same skills on the same passages."""

    agreed: int
    of: int
    low: int  # 5 % of the draws lie below
    high: int  # 5 % lie above
    most: int
    draws: int
    reached: int  # draws that agree as often as the ring, or oftener

    @property
    def chance(self) -> float:
        """P(independent votes agree as often), by the draws; never 0, for nobody drew often enough to say so.

        Source: Phipson and Smyth 2010, "Permutation p-values should never be zero": (b + 1) / (m + 1).
        """
        return (self.reached + 1) / (self.draws + 1)


def ring_null(
    *,
    ballots: Ballots,
    valid: Floats,
    skills: tuple[Floats, Floats],
    members: Sequence[int],
    rng: np.random.Generator,
    draws: int = DRAWS,
) -> RingNull:
    """Truths by `valid`, then each member's votes by their skills alone, `draws` times; agreements are counted.

    The pairs of a ring share passages, so that their agreements are no independent sums: drawing keeps that.
    valid: P(valid) by segment; skills: (sensitivity, specificity) by auditor.
    """
    votes = np.full((len(members), ballots.segments), _ABSENT)
    for row, member in enumerate(members):
        mine = ballots.auditor == member
        votes[row, ballots.segment[mine]] = ballots.passed[mine]
    # Only passages that two members voted on can show agreement.
    shared = np.flatnonzero((votes != _ABSENT).sum(axis=0) > 1)
    votes, known = votes[:, shared], valid[shared]
    both = [(a, b, (votes[a] != _ABSENT) & (votes[b] != _ABSENT)) for a, b in combinations(range(len(members)), 2)]
    observed = sum(int((votes[a] == votes[b])[where].sum()) for a, b, where in both)
    sensitivity, specificity = (skill[list(members)][:, None] for skill in skills)
    totals = np.zeros(draws, dtype=np.int64)
    for number in range(draws):
        truth = rng.random(len(shared)) < known
        passed = rng.random(votes.shape) < np.where(truth, sensitivity, 1 - specificity)
        totals[number] = sum(int((passed[a] == passed[b])[where].sum()) for a, b, where in both)
    low, high = np.quantile(totals, (0.05, 0.95))
    return RingNull(
        agreed=observed,
        of=sum(int(where.sum()) for _, _, where in both),
        low=int(low),
        high=int(high),
        most=int(totals.max()),
        draws=draws,
        reached=int((totals >= observed).sum()),
    )
