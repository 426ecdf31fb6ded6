"""The two-coin model on arrays: skills from gold, posteriors by log-odds, and EM around both.

Model (Dawid and Skene 1979, two classes): an auditor passes a valid segment with probability s (sensitivity) and
fails a wrong one with probability t (specificity). The base rate is pinned: learned from votes it drags EM into
"everything passes" (docs/formulas.md section 6).
"""

from dataclasses import dataclass

import numpy as np

from auditing.core.consensus.ballots import UNKNOWN, Ballots, Floats

EDGE = 1e-6  # no probability comes nearer to 0 or 1, so that every logarithm is finite
LEARN_BASE_RATE = -1.0  # in the place of a base rate: take the mean belief of each step


@dataclass(frozen=True, slots=True)
class Priors:
    """Beta pseudo-counts of right and wrong votes, for sensitivity and specificity alike, and the base rate."""

    right: float = 1.4  # with `wrong`: two votes' worth of belief in a skill of .7
    wrong: float = 0.6
    base_rate: float = 0.8  # share of valid segments


@dataclass(frozen=True, slots=True)
class Aggregate:
    """posterior: P(valid) by segment; sensitivity, specificity: by auditor."""

    posterior: Floats
    sensitivity: Floats
    specificity: Floats


def gold_only(*, ballots: Ballots, priors: Priors) -> Aggregate:
    """Skills from votes on gold alone, then log-odds: what collusion outside gold cannot touch.

    log odds(valid) = log base odds + sum of log(s / (1 - t)) over passes + log((1 - s) / t) over fails.

    >>> ballots = Ballots(*(np.array(column) for column in ([0, 1], [0, 0], [1, 1], [1, -1])), auditors=1)
    >>> [round(float(p), 3) for p in gold_only(ballots=ballots, priors=Priors()).posterior]
    [0.914, 0.914]
    """
    skills = _skills(ballots, _gold_belief(ballots), _gold_mask(ballots), priors)
    return _aggregate(ballots, skills, priors)


def gold_initialised_em(
    *, ballots: Ballots, priors: Priors, iterations: int = 50, tolerance: float = 1e-6
) -> Aggregate:
    """EM from the gold-only skills; gold keeps its truth in every step, the base rate stays pinned."""
    return _em(ballots, gold_only(ballots=ballots, priors=priors).posterior, priors, (iterations, tolerance))


def dawid_skene(*, ballots: Ballots, priors: Priors, iterations: int = 100, tolerance: float = 1e-6) -> Aggregate:
    """Two-coin EM from the majority's shares, gold unused, base rate learned. For comparison: it can flip."""
    blind = ballots.with_gold(gold=np.full_like(ballots.gold, UNKNOWN))
    passes, fails = blind.counts()
    start = (passes + 0.5) / (passes + fails + 1)  # share of passes, kept off 0 and 1 by half a vote each way
    return _em(blind, start, Priors(EDGE, EDGE, LEARN_BASE_RATE), (iterations, tolerance))


def _em(ballots: Ballots, posterior: Floats, priors: Priors, limits: tuple[int, float]) -> Aggregate:
    """EM from the beliefs `posterior` until no belief moves by `tolerance`; limits = (iterations, tolerance)."""
    iterations, tolerance = limits
    everything = np.ones(ballots.segments)
    is_gold = _gold_mask(ballots) > 0
    aggregate = Aggregate(posterior, np.empty(0), np.empty(0))
    for _ in range(iterations):
        before = aggregate.posterior
        belief = np.where(is_gold, ballots.gold, before)  # gold is never in doubt
        rated = priors
        if priors.base_rate == LEARN_BASE_RATE:
            rated = Priors(priors.right, priors.wrong, float(belief.mean().clip(EDGE, 1 - EDGE)))
        # M step: skills under these beliefs; E step: beliefs under these skills.
        aggregate = _aggregate(ballots, _skills(ballots, belief, everything, priors), rated)
        if float(np.abs(aggregate.posterior - before).max(initial=0.0)) < tolerance:
            break
    return aggregate


def _skills(ballots: Ballots, belief: Floats, weight: Floats, priors: Priors) -> tuple[Floats, Floats]:
    """Posterior means of sensitivity and specificity, each vote counted by what is believed of its segment.

    s = (right + sum of b over passes) / (right + wrong + sum of b over all votes), b = P(segment valid); t likewise
    with 1 - b over fails. belief, weight: by segment; a weight of 0 leaves a segment's votes out.
    """
    valid = (belief * weight)[ballots.segment]
    wrong = weight[ballots.segment] - valid
    total = priors.right + priors.wrong

    def add(values: Floats) -> Floats:
        sums: Floats = np.bincount(ballots.auditor, values, ballots.auditors).astype(np.float64)
        return sums

    sensitivity = (priors.right + add(valid * ballots.passed)) / (total + add(valid))
    specificity = (priors.right + add(wrong * (1 - ballots.passed))) / (total + add(wrong))
    return sensitivity.clip(EDGE, 1 - EDGE), specificity.clip(EDGE, 1 - EDGE)


def _aggregate(ballots: Ballots, skills: tuple[Floats, Floats], priors: Priors) -> Aggregate:
    """Posteriors by adding up the votes' log-likelihood ratios; skills = (sensitivity, specificity) by auditor."""
    sensitivity, specificity = skills
    # A fail adds log((1 - s) / t); a pass adds that and `gain`, in all log(s / (1 - t)).
    if_fail = np.log1p(-sensitivity) - np.log(specificity)
    gain = np.log(sensitivity) - np.log1p(-specificity) - if_fail
    evidence = if_fail[ballots.auditor] + gain[ballots.auditor] * ballots.passed
    odds = np.bincount(ballots.segment, evidence, ballots.segments) + np.log(priors.base_rate / (1 - priors.base_rate))
    return Aggregate(1 / (1 + np.exp(-odds.clip(-700, 700))), sensitivity, specificity)


def _gold_mask(ballots: Ballots) -> Floats:
    mask: Floats = np.asarray(ballots.gold != UNKNOWN, dtype=np.float64)
    return mask


def _gold_belief(ballots: Ballots) -> Floats:
    valid: Floats = np.asarray(ballots.gold == 1, dtype=np.float64)
    return valid
