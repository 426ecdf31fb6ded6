"""What a simulated system believes: skills as a snapshot publishes them, a passage without one auditor's vote."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import exp, log

from auditing.core.consensus.skills import Beta, Skill
from auditing.core.policy import Policy
from auditing.core.values import Choice


def learned_skill(sensitivity: float, specificity: float, votes: int) -> Skill:
    """As a snapshot publishes it: means to .01, as sure as the votes behind them."""
    strength = Fraction(max(2, votes))
    means = [Fraction(min(99, max(1, round(100 * value))), 100) for value in (sensitivity, specificity)]
    betas = [Beta(mean * strength, (1 - mean) * strength) for mean in means]
    return Skill(betas[0], betas[1])


def believed_without(auditor: int, choices: Mapping[int, bool], skills: Sequence[Skill], policy: Policy) -> float:
    """P(valid) given everybody's votes but this auditor's."""
    base = float(policy.base_rate)
    odds = log(base / (1 - base))
    for peer, passed in choices.items():
        if peer != auditor:
            if_valid, if_wrong = skills[peer].likelihoods(choice=Choice.PASS if passed else Choice.FAIL)
            odds += log(float(if_valid) / float(if_wrong))
    return 1 / (1 + exp(-odds))
