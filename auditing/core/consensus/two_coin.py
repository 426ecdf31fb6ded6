"""The two-coin model on arrays: skills from gold, posteriors by log-odds, and EM around both.

Model (Dawid and Skene 1979, two classes): an auditor passes a valid segment with probability s (sensitivity) and
fails a wrong one with probability t (specificity). The base rate is pinned: learned from votes it drags EM into
"everything passes" (docs/formulas.md section 6).
"""

from dataclasses import dataclass

import numpy as np

from auditing.core.consensus.ballots import UNKNOWN, Ballots, Floats

EDGE = 1e-6


@dataclass(frozen=True, slots=True)
class Priors:
    """Beta pseudo-counts of right and wrong votes, for sensitivity and specificity alike, and the base rate."""

    right: float = 1.4
    wrong: float = 0.6
    base_rate: float = 0.8


@dataclass(frozen=True, slots=True)
class Aggregate:
    """posterior: P(valid) by segment; sensitivity, specificity: by auditor."""

    posterior: Floats
    sensitivity: Floats
    specificity: Floats


def gold_only(*, ballots: Ballots, priors: Priors) -> Aggregate:
    """Skills from votes on gold alone, then log-odds: what collusion outside gold cannot touch."""
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
    start = (passes + 0.5) / (passes + fails + 1)
    return _em(blind, start, Priors(EDGE, EDGE, -1.0), (iterations, tolerance))


def _em(ballots: Ballots, posterior: Floats, priors: Priors, limits: tuple[int, float]) -> Aggregate:
    iterations, tolerance = limits
    everything = np.ones(ballots.segments)
    known = _gold_mask(ballots) > 0
    found = Aggregate(posterior, np.empty(0), np.empty(0))
    for _ in range(iterations):
        belief = np.where(known, ballots.gold, found.posterior)
        before = found.posterior
        pinned = priors if priors.base_rate > 0 else Priors(priors.right, priors.wrong, _kept(float(belief.mean())))
        found = _aggregate(ballots, _skills(ballots, belief, everything, priors), pinned)
        if float(np.abs(found.posterior - before).max(initial=0.0)) < tolerance:
            break
    return found


def _skills(ballots: Ballots, belief: Floats, weight: Floats, priors: Priors) -> tuple[Floats, Floats]:
    """Posterior means of sensitivity and specificity, each vote counted by what is believed of its segment."""
    valid = (belief * weight)[ballots.segment]
    wrong = weight[ballots.segment] - valid
    total = priors.right + priors.wrong

    def add(values: Floats) -> Floats:
        found: Floats = np.bincount(ballots.auditor, values, ballots.auditors).astype(np.float64)
        return found

    sensitivity = (priors.right + add(valid * ballots.passed)) / (total + add(valid))
    specificity = (priors.right + add(wrong * (1 - ballots.passed))) / (total + add(wrong))
    return sensitivity.clip(EDGE, 1 - EDGE), specificity.clip(EDGE, 1 - EDGE)


def _aggregate(ballots: Ballots, skills: tuple[Floats, Floats], priors: Priors) -> Aggregate:
    sensitivity, specificity = skills
    if_fail = np.log1p(-sensitivity) - np.log(specificity)
    gain = np.log(sensitivity) - np.log1p(-specificity) - if_fail
    evidence = if_fail[ballots.auditor] + gain[ballots.auditor] * ballots.passed
    odds = np.bincount(ballots.segment, evidence, ballots.segments) + np.log(priors.base_rate / (1 - priors.base_rate))
    return Aggregate(1 / (1 + np.exp(-odds.clip(-700, 700))), sensitivity, specificity)


def _gold_mask(ballots: Ballots) -> Floats:
    known: Floats = np.asarray(ballots.gold != UNKNOWN, dtype=np.float64)
    return known


def _gold_belief(ballots: Ballots) -> Floats:
    valid: Floats = np.asarray(ballots.gold == 1, dtype=np.float64)
    return valid


def _kept(share: float) -> float:
    return min(max(share, EDGE), 1 - EDGE)
