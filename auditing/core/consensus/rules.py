"""Every consensus rule behind one Protocol: ballots -> P(valid) by segment."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from auditing.core.consensus.ballots import UNKNOWN, Ballots, Floats
from auditing.core.consensus.calibration import brier
from auditing.core.consensus.two_coin import Aggregate, Priors, dawid_skene, gold_initialised_em, gold_only
from auditing.core.policy import ConsensusRule

FOLDS = 5
LEAST_GOLD = 10  # gold segments of either truth before a comparison on held-out gold means anything


class Rule(Protocol):
    """One way to turn votes into posteriors."""

    def __call__(self, *, ballots: Ballots, priors: Priors) -> Floats:
        """P(valid) by segment."""
        ...


def by_quorum(*, ballots: Ballots, priors: Priors, tau: float = 0.5) -> Floats:
    """1 when passes >= ceil(tau n - 1e-9), else 0 (TRUST section 3.2, its two outcomes)."""
    passes, fails = ballots.counts()
    return (passes >= np.ceil(tau * (passes + fails) - 1e-9)).astype(np.float64)


def by_majority(*, ballots: Ballots, priors: Priors) -> Floats:
    """Share of passes; the base rate without votes."""
    passes, fails = ballots.counts()
    votes = passes + fails
    return np.where(votes > 0, passes / np.maximum(votes, 1), priors.base_rate)


def by_reputation(*, ballots: Ballots, priors: Priors, gamma: float = 0.02) -> Floats:
    """Log-odds weights from one moving reputation each, judged segment by segment against the running outcome.

    TRUST section 3.3 with log-odds weights. One number cannot represent a rubber-stamper: for comparison.
    """
    reputation = np.full(ballots.auditors, priors.right / (priors.right + priors.wrong))
    order = np.argsort(ballots.segment, kind="stable")
    bounds = np.searchsorted(ballots.segment[order], np.arange(ballots.segments + 1))
    prior = np.log(priors.base_rate / (1 - priors.base_rate))
    odds = np.full(ballots.segments, prior)
    for number in range(ballots.segments):
        votes = order[bounds[number] : bounds[number + 1]]
        seats, said = ballots.auditor[votes], ballots.passed[votes]
        r = reputation[seats].clip(0.01, 0.99)
        odds[number] += float(((2 * said - 1) * np.log(r / (1 - r))).sum())
        truth = ballots.gold[number] if ballots.gold[number] != UNKNOWN else int(odds[number] > 0)
        reputation[seats] = (1 - gamma) * reputation[seats] + gamma * (said == truth)
    found: Floats = 1 / (1 + np.exp(-odds))
    return found


@dataclass(frozen=True, slots=True)
class AutoChoice:
    """Which rule `auto` took, with the Brier scores on held-out gold that decided (None without enough gold)."""

    rule: ConsensusRule
    brier_gold_only: float | None
    brier_em: float | None
    why: str


def choose_rule(*, ballots: Ballots, priors: Priors, collusion: bool = False) -> AutoChoice:
    """Gold-only, unless gold-initialised EM has the better Brier score on held-out gold and no collusion flag is set.

    Five folds over gold, valid and wrong segments spread evenly; each fold is scored with its truth hidden.
    """
    known = np.flatnonzero(ballots.gold != UNKNOWN)
    if collusion:
        return AutoChoice(ConsensusRule.TWO_COIN_GOLD, None, None, "a collusion flag is set")
    if min((ballots.gold[known] == 1).sum(), (ballots.gold[known] == 0).sum()) < LEAST_GOLD:
        return AutoChoice(ConsensusRule.TWO_COIN_GOLD, None, None, "too little gold to compare")
    plain, learned = _held_out(ballots, priors, known)
    better = learned < plain
    rule = ConsensusRule.TWO_COIN_EM if better else ConsensusRule.TWO_COIN_GOLD
    sign = "<" if better else ">="
    return AutoChoice(rule, plain, learned, f"held-out Brier of EM {learned:.4f} {sign} gold-only {plain:.4f}")


def _held_out(ballots: Ballots, priors: Priors, known: np.ndarray) -> tuple[float, float]:
    """Brier of (gold-only, EM) over gold held out fold by fold."""
    ranked = known[np.argsort(ballots.gold[known], kind="stable")]
    truth = ballots.gold.astype(np.float64)
    posteriors = np.zeros((2, ballots.segments))
    for fold in range(FOLDS):
        hidden = ranked[fold::FOLDS]
        gold = ballots.gold.copy()
        gold[hidden] = UNKNOWN
        blind = ballots.with_gold(gold=gold)
        posteriors[0, hidden] = gold_only(ballots=blind, priors=priors).posterior[hidden]
        posteriors[1, hidden] = gold_initialised_em(ballots=blind, priors=priors).posterior[hidden]
    plain, learned = (brier(posterior=row[known], truth=truth[known]) for row in posteriors)
    return plain, learned


def auto(*, ballots: Ballots, priors: Priors, collusion: bool = False) -> Aggregate:
    """The aggregate of the rule that choose_rule takes."""
    choice = choose_rule(ballots=ballots, priors=priors, collusion=collusion)
    if choice.rule is ConsensusRule.TWO_COIN_EM:
        return gold_initialised_em(ballots=ballots, priors=priors)
    return gold_only(ballots=ballots, priors=priors)


RULES: dict[ConsensusRule, Rule] = {
    ConsensusRule.QUORUM: by_quorum,
    ConsensusRule.MAJORITY: by_majority,
    ConsensusRule.REPUTATION: by_reputation,
    ConsensusRule.TWO_COIN_GOLD: lambda *, ballots, priors: gold_only(ballots=ballots, priors=priors).posterior,
    ConsensusRule.TWO_COIN_EM: lambda *, ballots, priors: gold_initialised_em(ballots=ballots, priors=priors).posterior,
    ConsensusRule.DAWID_SKENE: lambda *, ballots, priors: dawid_skene(ballots=ballots, priors=priors).posterior,
    ConsensusRule.AUTO: lambda *, ballots, priors: auto(ballots=ballots, priors=priors).posterior,
}
