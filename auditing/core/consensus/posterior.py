"""The posterior that a segment is valid, from its votes and the skills behind them, in exact fractions."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from auditing.core.consensus.skills import Beta, Skill, prior_skill
from auditing.core.policy import Policy
from auditing.core.values import Choice, Vote


def posterior_valid(*, votes: Sequence[Vote], skills: Mapping[str, Skill], policy: Policy, prior: Fraction) -> Fraction:
    """P(valid | votes) = prior A / (prior A + (1 - prior) B), A and B the votes' likelihoods under valid and wrong.

    Two-coin model (Dawid and Skene 1979, binary). Votes are independent given the truth, except within one family of
    models: with probability rho a family speaks with one voice, which only a unanimous family can have done; rho is
    the family's measured correlation, policy.family_correlation until it is measured. Rational throughout: no
    logarithm, so that anyone can repeat it.
    """
    valid = wrong = Fraction(1)
    for group in _families(votes, skills, policy):
        a, b = _group_likelihoods(group, _one_voice(group, policy))
        valid, wrong = valid * a, wrong * b
    return prior * valid / (prior * valid + (1 - prior) * wrong)


def _families(votes: Sequence[Vote], skills: Mapping[str, Skill], policy: Policy) -> list[list[tuple[Choice, Skill]]]:
    groups: dict[str, list[tuple[Choice, Skill]]] = defaultdict(list)
    for number, vote in enumerate(votes):
        if vote.choice is not Choice.ABSTAIN:
            skill = skills.get(vote.auditor) or prior_skill(policy=policy, tier=vote.tier)
            groups[skill.family or f"#{number}"].append((vote.choice, skill))
    return list(groups.values())


def _one_voice(group: list[tuple[Choice, Skill]], policy: Policy) -> Fraction:
    """The probability that a family speaks with one voice; of several figures the least flattering."""
    measured = [skill.correlation for _, skill in group if skill.correlation is not None]
    return max(measured, default=Fraction(policy.family_correlation))


def _group_likelihoods(group: list[tuple[Choice, Skill]], rho: Fraction) -> tuple[Fraction, Fraction]:
    pairs = [skill.likelihoods(choice=choice) for choice, skill in group]
    one = Fraction(1)
    apart = math.prod((a for a, _ in pairs), start=one), math.prod((b for _, b in pairs), start=one)
    if len({choice for choice, _ in group}) > 1 or len(group) == 1:
        return apart
    size = len(group)
    together = Fraction(sum(a for a, _ in pairs), size), Fraction(sum(b for _, b in pairs), size)
    return rho * together[0] + (1 - rho) * apart[0], rho * together[1] + (1 - rho) * apart[1]


def credible_interval(
    *, posterior: Fraction, votes: Sequence[Vote], skills: Mapping[str, Skill], policy: Policy, z: float = 1.96
) -> tuple[float, float]:
    """Interval of the posterior from what is unknown about the skills (delta method on the log-odds).

    Var log-odds = sum over votes of Var log s + Var log(1 - t), s and t independent Betas; the logarithm of a
    Beta(a, b) variable has variance trigamma(a) - trigamma(a + b). For display: never decides an outcome.
    """
    variance = sum(_vote_variance(*pair) for group in _families(votes, skills, policy) for pair in group)
    if posterior in (0, 1):
        return float(posterior), float(posterior)
    centre, half = math.log(posterior / (1 - posterior)), z * math.sqrt(variance)
    return _logistic(centre - half), _logistic(centre + half)


def _vote_variance(choice: Choice, skill: Skill) -> float:
    first, second = skill.sensitivity, Beta(skill.specificity.wrong, skill.specificity.right)
    if choice is Choice.FAIL:
        first, second = Beta(first.wrong, first.right), Beta(second.wrong, second.right)
    return sum(_trigamma(float(b.right)) - _trigamma(float(b.strength)) for b in (first, second))


def _trigamma(x: float) -> float:
    """Second derivative of log Gamma: recurrence to x >= 8, then the asymptotic series (error < 1e-9)."""
    total = 0.0
    while x < 8:
        total, x = total + 1 / (x * x), x + 1
    y = 1 / (x * x)
    return total + 1 / x + y / 2 + y / x * (1 / 6 - y * (1 / 30 - y * (1 / 42 - y / 30)))


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else 1 - 1 / (1 + math.exp(x))
