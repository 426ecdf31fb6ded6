"""Correlated agreement, a peer-prediction payment: agreeing on the same segment counts, agreeing everywhere does not.

Who always passes, or votes at random, gains nothing; given the model tier's vote, neither does who hands in a model's
answer. Source: Dasgupta and Ghosh, WWW 2013; Shnayder et al., EC 2016; given a model's answer: arXiv 2506.06991;
docs/formulas.md section 1.5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.core.values import Choice

LEAST_SHARED = 2  # one shared segment would make the first share 0 or 1
LEAST_IN_STRATUM = 20  # shared segments with one answer of the models, or that stratum pays nothing
DIRECTIONS = (Choice.PASS, Choice.FAIL)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedVote:
    """A vote on a segment that others of the tier and the models voted on too."""

    mine: Choice
    others: Sequence[Choice]
    model: Choice


def correlated_agreement(*, mine: Mapping[str, Choice], peer: Mapping[str, Choice]) -> Fraction | None:
    """P(agree | same task) - P(agree | different tasks), from the votes of two auditors by segment.

    The second share runs over pairs (segment of mine, another segment of the peer's). None with fewer than two
    shared segments; with two there are pairs of different ones. Abstentions are left out. In [-1, 1].

    >>> p, f = Choice.PASS, Choice.FAIL
    >>> correlated_agreement(mine={"a": p, "b": f}, peer={"a": p, "b": f})
    Fraction(1, 1)
    >>> correlated_agreement(mine={"a": p, "b": p}, peer={"a": p, "b": f})
    Fraction(0, 1)
    """
    left = {key: vote for key, vote in mine.items() if vote is not Choice.ABSTAIN}
    right = {key: vote for key, vote in peer.items() if vote is not Choice.ABSTAIN}
    shared = left.keys() & right.keys()
    if len(shared) < LEAST_SHARED:
        return None
    pairs = len(left) * len(right) - len(shared)
    same = sum(left[key] is right[key] for key in shared)
    # Counted over all pairs at once and the equal segments taken off: no loop over len(left) * len(right) pairs.
    everywhere = sum(_count(left, choice) * _count(right, choice) for choice in (Choice.PASS, Choice.FAIL))
    return Fraction(same, len(shared)) - Fraction(everywhere - same, pairs)


def agreement_given_model(*, votes: Sequence[SharedVote]) -> Fraction | None:
    """Correlated agreement within each answer of the models, over all shared segments, to the nearest .01.

    Stratum m holds the segments that the models answered with m. Its value is P(agree | same segment) - P(agree |
    different segments of m), against the share of the others that agree; strata of fewer than twenty count as 0.
    Who answers as the models do votes one way within a stratum and gets 0 by construction, as a rubber-stamper
    does. None where no stratum holds twenty. In [-1, 1].

    >>> p, f = Choice.PASS, Choice.FAIL
    >>> paster = [SharedVote(mine=p, others=(p, f)[n % 2 :], model=p) for n in range(20)]
    >>> agreement_given_model(votes=paster)
    Fraction(0, 1)
    """
    counted = [vote for vote in votes if vote.mine in DIRECTIONS and any(word in DIRECTIONS for word in vote.others)]
    strata = [[vote for vote in counted if vote.model is answer] for answer in DIRECTIONS]
    full = [stratum for stratum in strata if len(stratum) >= LEAST_IN_STRATUM]
    if not full:
        return None
    # Of all strata, not of the full ones alone: a thin stratum counts as 0 and pulls the value down.
    total = sum(map(len, strata))
    value = sum((len(stratum) * _stratum_agreement(stratum) for stratum in full), start=Fraction(0)) / total
    return Fraction(round(100 * value), 100)


def _stratum_agreement(stratum: Sequence[SharedVote]) -> Fraction:
    """P(agree | same) - P(agree | different) of one voter against the share of the others that passes."""
    mine = [int(vote.mine is Choice.PASS) for vote in stratum]
    theirs = [Fraction(_passing(vote.others), _counted(vote.others)) for vote in stratum]
    same = sum((own * share + (1 - own) * (1 - share) for own, share in zip(mine, theirs, strict=True)), Fraction(0))
    n, passes, shares = len(stratum), sum(mine), sum(theirs, start=Fraction(0))
    # Over all pairs at once, and the equal segments taken off, as in correlated_agreement.
    everywhere = passes * shares + (n - passes) * (n - shares)
    return same / n - (everywhere - same) / (n * (n - 1))


def _passing(words: Sequence[Choice]) -> int:
    return sum(word is Choice.PASS for word in words)


def _counted(words: Sequence[Choice]) -> int:
    return sum(word in DIRECTIONS for word in words)


def expected_agreement(*, mine: tuple[float, float], peer: tuple[float, float], base_rate: float) -> float:
    """The mean of correlated_agreement for two (sensitivity, specificity) pairs, independent given the truth.

    >>> round(expected_agreement(mine=(1.0, 0.0), peer=(0.7, 0.7), base_rate=0.8), 12)  # who passes everything
    0.0
    """
    same = base_rate * _agree(mine[0], peer[0]) + (1 - base_rate) * _agree(mine[1], peer[1])
    return same - _agree(_passes(mine, base_rate), _passes(peer, base_rate))


def _passes(skill: tuple[float, float], base_rate: float) -> float:
    return base_rate * skill[0] + (1 - base_rate) * (1 - skill[1])


def _agree(a: float, b: float) -> float:
    return a * b + (1 - a) * (1 - b)


def _count(votes: Mapping[str, Choice], choice: Choice) -> int:
    return sum(vote is choice for vote in votes.values())
