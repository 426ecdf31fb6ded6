"""Every consensus rule behind one Protocol, from ballots to P(valid) by segment, and the choice among them by gold."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from auditing.core.consensus.ballots import UNKNOWN, Ballots, Floats, Ints
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

    odds += sum over votes of +-log(r / (1 - r)); then r <- (1 - gamma) r + gamma [vote is right], where right means
    against gold, and against the sign of the odds elsewhere. TRUST section 3.3 with log-odds weights. One number
    cannot represent a rubber-stamper (who passes everything): for comparison.
    """
    reputation = np.full(ballots.auditors, priors.right / (priors.right + priors.wrong))
    order = np.argsort(ballots.segment, kind="stable")
    bounds = np.searchsorted(ballots.segment[order], np.arange(ballots.segments + 1))
    prior = np.log(priors.base_rate / (1 - priors.base_rate))
    odds = np.full(ballots.segments, prior)
    for number in range(ballots.segments):
        votes = order[bounds[number] : bounds[number + 1]]
        seats, passed = ballots.auditor[votes], ballots.passed[votes]
        r = reputation[seats].clip(0.01, 0.99)  # nobody's vote weighs more than log 99
        odds[number] += float(((2 * passed - 1) * np.log(r / (1 - r))).sum())
        truth = ballots.gold[number] if ballots.gold[number] != UNKNOWN else int(odds[number] > 0)
        reputation[seats] = (1 - gamma) * reputation[seats] + gamma * (passed == truth)
    posterior: Floats = 1 / (1 + np.exp(-odds))
    return posterior


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
    gold_segments = np.flatnonzero(ballots.gold != UNKNOWN)
    if collusion:
        return AutoChoice(ConsensusRule.TWO_COIN_GOLD, None, None, "a collusion flag is set")
    if min((ballots.gold[gold_segments] == 1).sum(), (ballots.gold[gold_segments] == 0).sum()) < LEAST_GOLD:
        return AutoChoice(ConsensusRule.TWO_COIN_GOLD, None, None, "too little gold to compare")
    plain, learned = _held_out(ballots, priors, gold_segments)
    better = learned < plain
    rule = ConsensusRule.TWO_COIN_EM if better else ConsensusRule.TWO_COIN_GOLD
    sign = "<" if better else ">="
    return AutoChoice(rule, plain, learned, f"held-out Brier of EM {learned:.4f} {sign} gold-only {plain:.4f}")


def _held_out(ballots: Ballots, priors: Priors, gold_segments: Ints) -> tuple[float, float]:
    """Brier scores of (gold-only, EM) on gold held out fold by fold; gold_segments: indices of segments with gold."""
    # Sorted by truth, every fifth one makes a fold: each holds its share of valid and of wrong segments.
    ranked = gold_segments[np.argsort(ballots.gold[gold_segments], kind="stable")]
    truth = ballots.gold.astype(np.float64)
    posteriors = np.zeros((2, ballots.segments))
    for fold in range(FOLDS):
        hidden = ranked[fold::FOLDS]
        visible_gold = ballots.gold.copy()
        visible_gold[hidden] = UNKNOWN
        blind = ballots.with_gold(gold=visible_gold)
        posteriors[0, hidden] = gold_only(ballots=blind, priors=priors).posterior[hidden]
        posteriors[1, hidden] = gold_initialised_em(ballots=blind, priors=priors).posterior[hidden]
    plain, learned = (brier(posterior=row[gold_segments], truth=truth[gold_segments]) for row in posteriors)
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
