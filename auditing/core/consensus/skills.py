"""An auditor's skill: sensitivity and specificity, each a Beta distribution in exact fractions, learned from gold.

Source: docs/formulas.md section 6 (one number cannot represent an auditor who passes everything, two can).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.core.errors import BadParameterError
from auditing.core.policy import Policy
from auditing.core.values import Choice, Tier

CENT = Fraction(1, 100)  # skills are published in steps of .01, never 0 or 1


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

    def at(self, *, mean: Fraction) -> "Beta":
        """As sure as this one, with another mean."""
        return Beta(mean * self.strength, (1 - mean) * self.strength)

    def after(self, *, right: int, wrong: int) -> "Beta":
        """The posterior after that many right and wrong votes on gold."""
        return Beta(self.right + right, self.wrong + wrong)


@dataclass(frozen=True, slots=True)
class Skill:
    """sensitivity = P(pass | valid segment), specificity = P(fail | wrong segment); family of a model, or "".

    correlation: of errors within the family as it was measured; None leaves it to the policy's figure.
    follows: of a person, the family of models whose answers the votes are taken for, as often as `following` says.

    >>> seven = Beta(Fraction(7), Fraction(3))
    >>> Skill(seven, seven).likelihoods(choice=Choice.PASS)
    (Fraction(7, 10), Fraction(3, 10))
    """

    sensitivity: Beta
    specificity: Beta
    family: str = ""
    correlation: Fraction | None = None
    follows: str = ""
    following: Fraction | None = None

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
    Fraction(17, 20)
    """
    rules = policy.tier(tier)
    beta = Beta(Fraction(rules.prior_right), Fraction(rules.prior_wrong))
    return Skill(beta, beta, family)


@dataclass(frozen=True, slots=True)
class GoldCounts:
    """Votes on gold: passes on `valid` valid segments, fails on `wrong` wrong ones."""

    valid: int
    valid_passed: int
    wrong: int
    wrong_failed: int

    def without(self, *, inner: "GoldCounts") -> "GoldCounts":
        """The counts outside `part`, which they contain."""
        return GoldCounts(
            self.valid - inner.valid,
            self.valid_passed - inner.valid_passed,
            self.wrong - inner.wrong,
            self.wrong_failed - inner.wrong_failed,
        )


def shrunk_skill(
    *, counts: Sequence[GoldCounts], policy: Policy, tier: Tier, family: str = "", strength: int = 10
) -> Skill:
    """Skill in a cell from gold, shrunk cell -> domain -> auditor -> tier, exactly.

    counts: from broad to narrow (the auditor's, those of the domain, those of the cell), each containing the next.
    Every level starts from the posterior of the one above, weakened to at most `strength` votes, and sees only the
    gold that the narrower levels do not; so a cell without gold is judged as the domain, and so on up to the tier.
    """
    skill = prior_skill(policy=policy, tier=tier, family=family)
    narrower_levels = [*counts[1:], GoldCounts(0, 0, 0, 0)]
    # Each level counts only the votes that the narrower ones do not: gold counted twice would look surer than it is.
    for level, narrower in zip(counts, narrower_levels, strict=True):
        own = level.without(inner=narrower)
        if min(own.valid_passed, own.wrong_failed, own.valid - own.valid_passed, own.wrong - own.wrong_failed) < 0:
            raise BadParameterError("counts", "each level must contain the next, and no more right votes than votes")
        skill = Skill(
            _weakened(skill.sensitivity, strength).after(right=own.valid_passed, wrong=own.valid - own.valid_passed),
            _weakened(skill.specificity, strength).after(right=own.wrong_failed, wrong=own.wrong - own.wrong_failed),
            family,
        )
    return skill


def published_skill(*, skill: Skill) -> Skill:
    """Means rounded to .01 within .01 to .99: what the ledger shows and posteriors rest on, so linking is harder."""
    return Skill(_rounded(skill.sensitivity), _rounded(skill.specificity), skill.family, skill.correlation)


def _weakened(beta: Beta, strength: int) -> Beta:
    """The same mean, worth at most `strength` votes, so that the next level can still move it."""
    if beta.strength <= strength:
        return beta
    return Beta(beta.mean * strength, (1 - beta.mean) * strength)


def _rounded(beta: Beta) -> Beta:
    mean = min(max(Fraction(round(beta.mean * 100), 100), CENT), 1 - CENT)
    return Beta(mean * beta.strength, (1 - mean) * beta.strength)
