"""What is believed of an auditor: sensitivity and specificity, each a Beta distribution in exact fractions."""

from dataclasses import dataclass
from fractions import Fraction

from auditing.core.policy import Policy
from auditing.core.values import Choice, Tier

CENT = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Beta:
    """A Beta distribution by its pseudo-counts of right and wrong votes."""

    right: Fraction
    wrong: Fraction

    @property
    def mean(self) -> Fraction:
        """right / (right + wrong)."""
        return self.right / (self.right + self.wrong)

    @property
    def strength(self) -> Fraction:
        """right + wrong, in votes."""
        return self.right + self.wrong

    def after(self, *, right: int, wrong: int) -> "Beta":
        """The posterior after that many right and wrong votes on gold."""
        return Beta(self.right + right, self.wrong + wrong)


@dataclass(frozen=True, slots=True)
class Skill:
    """sensitivity = P(pass | valid segment), specificity = P(fail | wrong segment); family of a model, or ""."""

    sensitivity: Beta
    specificity: Beta
    family: str = ""

    def likelihoods(self, *, choice: Choice) -> tuple[Fraction, Fraction]:
        """(P(vote | valid), P(vote | wrong)) from the Beta means; an abstention says nothing: (1, 1)."""
        sensitivity, specificity = self.sensitivity.mean, self.specificity.mean
        if choice is Choice.PASS:
            return sensitivity, 1 - specificity
        if choice is Choice.FAIL:
            return 1 - sensitivity, specificity
        return Fraction(1), Fraction(1)


def prior_skill(*, policy: Policy, tier: Tier, family: str = "") -> Skill:
    """What the policy believes of any auditor of `tier` before gold.

    >>> from auditing.core.policy import DEFAULT
    >>> prior_skill(policy=DEFAULT, tier=Tier.HUMAN).sensitivity.mean
    Fraction(7, 10)
    """
    rules = policy.tier(tier)
    beta = Beta(Fraction(rules.prior_right), Fraction(rules.prior_wrong))
    return Skill(beta, beta, family)
