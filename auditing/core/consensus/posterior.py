"""The posterior probability that a segment is valid, from its votes and its voters' skills, in exact fractions.

Two-coin model (Dawid and Skene 1979, two classes): a voter passes a valid segment with probability s (sensitivity)
and fails a wrong one with probability t (specificity). Source: docs/formulas.md section 6.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from auditing.core.consensus.followers import Heard, correction
from auditing.core.consensus.skills import Beta, Skill, prior_skill
from auditing.core.policy import Policy
from auditing.core.values import Choice, Vote


def posterior_valid(
    *,
    votes: Sequence[Vote],
    skills: Mapping[str, Skill],
    policy: Policy,
    prior: Fraction,
    heard: Sequence[Heard] = (),
) -> Fraction:
    """P(valid | votes) = prior A / (prior A + (1 - prior) B), A and B the votes' likelihoods under valid and wrong.

    A pass contributes s to A and 1 - t to B, a fail 1 - s to A and t to B, an abstention nothing. Votes are
    independent given the truth, except within one family of models: with probability rho a family speaks with one
    voice, which only a unanimous family can have done; rho is the family's measured correlation,
    policy.family_correlation until it is measured. A person who follows a model adds to what it, and others who
    follow it, have said (followers.correction). Rational throughout: no logarithm, so that anyone can repeat it.

    votes: of one segment, any tiers. skills: by auditor; who is missing is believed at the tier's prior. heard: votes
    of the segment's earlier rounds, which are counted there: they say only what these ones add.

    >>> from auditing.core.policy import DEFAULT
    >>> votes = [Vote(choice=Choice.PASS, auditor="a"), Vote(choice=Choice.FAIL, auditor="b")]
    >>> posterior_valid(votes=votes, skills={}, policy=DEFAULT, prior=Fraction(4, 5))
    Fraction(4, 5)
    """
    # People start at s = t = .85: one pass alone moves 4/5 to .8 * .85 / (.8 * .85 + .2 * .15) = 68/71.
    likelihood_valid = likelihood_wrong = Fraction(1)
    for group in _families(votes, skills, policy):
        if_valid, if_wrong = _group_likelihoods(group, _one_voice(group, policy))
        likelihood_valid, likelihood_wrong = likelihood_valid * if_valid, likelihood_wrong * if_wrong
    add_valid, add_wrong = _added(votes, skills, heard)
    likelihood_valid, likelihood_wrong = likelihood_valid * add_valid, likelihood_wrong * add_wrong
    # No 0/0: the mean of a Beta with positive counts is never 0 or 1, so neither likelihood is zero.
    return prior * likelihood_valid / (prior * likelihood_valid + (1 - prior) * likelihood_wrong)


def _added(votes: Sequence[Vote], skills: Mapping[str, Skill], heard: Sequence[Heard]) -> tuple[Fraction, Fraction]:
    """What following changes by these votes: the correction with them over the one without them."""
    known = [(vote.choice, skills[vote.auditor]) for vote in votes if vote.auditor in skills]
    with_them, before = correction(votes=[*heard, *known]), correction(votes=heard)
    return with_them[0] / before[0], with_them[1] / before[1]


def _families(votes: Sequence[Vote], skills: Mapping[str, Skill], policy: Policy) -> list[list[tuple[Choice, Skill]]]:
    """(choice, skill) of every vote that is no abstention, grouped by family of models."""
    groups: dict[str, list[tuple[Choice, Skill]]] = defaultdict(list)
    for number, vote in enumerate(votes):
        if vote.choice is not Choice.ABSTAIN:
            skill = skills.get(vote.auditor) or prior_skill(policy=policy, tier=vote.tier)
            # People and models of no stated family are groups of one; "#" is no letter of a family's name.
            groups[skill.family or f"#{number}"].append((vote.choice, skill))
    return list(groups.values())


def _one_voice(group: list[tuple[Choice, Skill]], policy: Policy) -> Fraction:
    """The probability that a family speaks with one voice; of several figures the least flattering."""
    measured = [skill.correlation for _, skill in group if skill.correlation is not None]
    return max(measured, default=Fraction(policy.family_correlation))


def _group_likelihoods(group: list[tuple[Choice, Skill]], rho: Fraction) -> tuple[Fraction, Fraction]:
    """(P(votes | valid), P(votes | wrong)) of one family: rho * (mean of its votes') + (1 - rho) * (their product)."""
    pairs = [skill.likelihoods(choice=choice) for choice, skill in group]
    valid, wrong = [if_valid for if_valid, _ in pairs], [if_wrong for _, if_wrong in pairs]
    apart_valid, apart_wrong = math.prod(valid, start=Fraction(1)), math.prod(wrong, start=Fraction(1))
    is_unanimous = len({choice for choice, _ in group}) == 1
    if not is_unanimous or len(group) == 1:
        return apart_valid, apart_wrong  # who disagrees did not speak with one voice
    # One voice is one vote, of the members' mean skill: three equal passes at rho = 1 count as one pass.
    together_valid, together_wrong = Fraction(sum(valid), len(group)), Fraction(sum(wrong), len(group))
    return rho * together_valid + (1 - rho) * apart_valid, rho * together_wrong + (1 - rho) * apart_wrong


def credible_interval(
    *, posterior: Fraction, votes: Sequence[Vote], skills: Mapping[str, Skill], policy: Policy, z: float = 1.96
) -> tuple[float, float]:
    """Interval of the posterior from what is unknown about the skills (delta method on the log-odds).

    Var log-odds = sum over votes of Var log s + Var log(1 - t), s and t independent Betas; the logarithm of a
    Beta(a, b) variable has variance trigamma(a) - trigamma(a + b). For display: never decides an outcome.
    z: standard errors to each side, 1.96 for 95 %.
    """
    variance = sum(_vote_variance(*pair) for group in _families(votes, skills, policy) for pair in group)
    if posterior in (0, 1):
        return float(posterior), float(posterior)
    centre, half = math.log(posterior / (1 - posterior)), z * math.sqrt(variance)
    return _logistic(centre - half), _logistic(centre + half)


def _vote_variance(choice: Choice, skill: Skill) -> float:
    """Var log P(vote | valid) + Var log P(vote | wrong); 1 - x of a Beta(a, b) variable is Beta(b, a)."""
    if choice is Choice.PASS:  # likelihoods s and 1 - t
        betas = skill.sensitivity, _complement(skill.specificity)
    else:  # likelihoods 1 - s and t
        betas = _complement(skill.sensitivity), skill.specificity
    return sum(_trigamma(float(beta.right)) - _trigamma(float(beta.strength)) for beta in betas)


def _complement(beta: Beta) -> Beta:
    return Beta(beta.wrong, beta.right)


def _trigamma(x: float) -> float:
    """Second derivative of log Gamma: recurrence to x >= 8, then the asymptotic series (error < 1e-9)."""
    total = 0.0
    while x < 8:  # trigamma(x) = trigamma(x + 1) + 1 / x^2
        total, x = total + 1 / (x * x), x + 1
    y = 1 / (x * x)
    return total + 1 / x + y / 2 + y / x * (1 / 6 - y * (1 / 30 - y * (1 / 42 - y / 30)))


def _logistic(x: float) -> float:
    # the exponent is never positive, so that no argument overflows
    return 1 / (1 + math.exp(-x)) if x >= 0 else 1 - 1 / (1 + math.exp(x))
