"""How often a policy passes right and wrong traces: TPR, FPR and accuracy against beta.

Source: TRUST, figure 4; docs/formulas.md section 1.2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from auditing.core.errors import BadParameterError
from auditing.core.policy import Policy
from auditing.core.values import Tier
from auditing.research.policy_lab.core.guarantees.lemma import pass_probability, wrong_pass_probability
from auditing.research.policy_lab.core.guarantees.tail import Floats, Group, poisson_binomial


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceAccuracy:
    """Shares against beta: right traces passed, wrong traces passed, and (TPR + 1 - FPR) / 2."""

    beta: Floats
    true_positive: Floats
    false_positive: Floats

    @property
    def accuracy(self) -> Floats:
        """(TPR + TNR) / 2."""
        return (self.true_positive + 1 - self.false_positive) / 2


def policy_groups(
    *, policy: Policy, counts: Mapping[Tier, int], wrong: Mapping[Tier, int] | None = None
) -> list[Group]:
    """The segments of a trace with `counts` by tier, `wrong` of them wrong, at the policy's planning values."""
    wrong = wrong or {}
    groups = []
    for tier, count in counts.items():
        rules, bad = policy.tier(tier), wrong.get(tier, 0)
        if not 0 <= bad <= count:
            raise BadParameterError(f"wrong.{tier}", f"must lie in 0 to {count}, not {bad}")
        planned = (rules.k, float(rules.tau), float(rules.error), float(rules.malicious))
        weight = Fraction(rules.weight)
        groups.append(Group(count - bad, _pass(planned), weight))
        groups.append(Group(bad, _wrong_pass(planned), weight))
    return [group for group in groups if group.count]


def _pass(planned: tuple[int, float, float, float]) -> float:
    k, tau, error, malicious = planned
    return pass_probability(k=k, tau=tau, error=error, malicious=malicious)


def _wrong_pass(planned: tuple[int, float, float, float]) -> float:
    k, tau, error, malicious = planned
    return wrong_pass_probability(k=k, tau=tau, error=error, malicious=malicious)


def trace_accuracy(*, right: Sequence[Group], wrong: Sequence[Group], betas: Sequence[float]) -> TraceAccuracy:
    """Exact TPR and FPR of the rule W >= beta sum w, for a right trace and for one with wrong segments.

    Both must hold the same weights. The paper's figure 4 takes ALL segments of a wrong trace to be wrong; with
    one wrong segment of thirty the same rule is little better than a coin.
    """
    return TraceAccuracy(
        beta=np.asarray(betas, dtype=np.float64),
        true_positive=_passing(poisson_binomial(groups=right), betas),
        false_positive=_passing(poisson_binomial(groups=wrong), betas),
    )


def _passing(masses: Floats, betas: Sequence[float]) -> Floats:
    """Pr[W >= W_beta] at each beta."""
    # above[i] = Pr[W >= i], summed from the far end, where the terms are smallest
    above = np.append(np.cumsum(masses[::-1])[::-1], 0.0)
    total = len(masses) - 1
    index = np.ceil(np.asarray(betas) * total - 1e-9).astype(int).clip(0, total + 1)
    shares: Floats = np.minimum(1.0, above[index])
    return shares


def best_window(*, curve: TraceAccuracy, above: float = 0.9999) -> tuple[float, float] | None:
    """(first, last) beta of the curve with accuracy over `above`, or None."""
    good = curve.beta[curve.accuracy > above]
    return (float(good.min()), float(good.max())) if len(good) else None
