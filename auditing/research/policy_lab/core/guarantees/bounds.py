"""Bounds of the probability that a right trace fails, and the paper's design rules ("dials") with valid replacements.

Source: TRUST, equation 1 and Theorem 1; docs/formulas.md sections 1.2 and 1.4.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, fsum, inf, log, sqrt

from auditing.core.errors import BadParameterError
from auditing.core.policy import Policy
from auditing.research.policy_lab.core.guarantees.tail import Group, tail, tails


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One requirement on a policy: what it needs, what it has, and the number that would mend it."""

    name: str
    source: str
    sound: bool  # whether the claim behind it holds as it is printed
    satisfied: bool  # whether this policy meets it
    has: float
    needs: float
    mend: str


def hoeffding(*, groups: Sequence[Group], beta: float) -> float:
    """exp(-2 (mu - W_beta)^2 / sum w^2) for mu > W_beta, else 1. Source: TRUST equation 1; holds."""
    mean, total, squares = _moments(groups)
    gap = mean - beta * total
    return exp(-2 * gap * gap / squares) if gap > 0 else 1.0


def chernoff(*, groups: Sequence[Group], beta: float) -> float:
    """min over 0 < l < 60 of exp(l W_beta + sum log(p e^{-lw} + 1 - p)) for mu > W_beta, else 1.

    Source: TRUST equation 1; holds. The exponent is convex in l.
    """
    mean, total, _ = _moments(groups)
    if mean <= beta * total:
        return 1.0

    terms = [(g.count, g.p, 1 - g.p, float(g.weight)) for g in groups if g.count]

    def exponent(rate: float) -> float:
        return rate * beta * total + sum([n * _log(p * exp(-rate * w) + q) for n, p, q, w in terms])

    return min(1.0, exp(_least(exponent, 0.0, 60.0)))


def valid_safety(*, groups: Sequence[Group], beta: float, policy: Policy) -> Check:
    """Replacement of the statistical dial: exact Pr[W < W_beta] <= eps_target / (traces an hour * hours)."""
    allowed = float(policy.epsilon_target) / (policy.traces_per_hour * policy.horizon_hours)
    failure = tail(groups=groups, beta=beta)
    return Check(
        name="statistical safety",
        source="exact tail with the union bound over traces",
        sound=True,
        satisfied=failure <= allowed,
        has=failure,
        needs=allowed,
        mend=_mend_beta(groups, beta, allowed),
    )


def statistical_dial(*, groups: Sequence[Group], beta: float, policy: Policy) -> Check:
    """mu - W_beta >= sqrt(sup Var(W) ln(lambda T / eps) / 2), as printed in Theorem 1.

    Does not hold: it puts sup Var(W) (= sum w^2 / 4) in the place of Hoeffding's sum w^2, a factor of four in the
    exponent.
    """
    mean, total, squares = _moments(groups)
    traces = policy.traces_per_hour * policy.horizon_hours
    needs = sqrt(squares / 4 * log(traces / float(policy.epsilon_target)) / 2)
    has = mean - beta * total
    return Check(
        name="statistical dial (as printed)",
        source="TRUST, Theorem 1",
        sound=False,
        satisfied=has >= needs,
        has=has,
        needs=needs,
        mend=f"beta at most {max(0.0, (mean - needs) / total):.3f}" if total else "",
    )


def economic_dials(*, policy: Policy) -> tuple[Check, ...]:
    """The economic dial's two conditions as printed, and p_min >= delta: all that an always-wrong seat needs."""
    # Honest: (1 - e) R > e P p_max. Printed: p_min >= delta / (1 - alpha), alpha = P p_max / (R + P p_max).
    error, penalty = float(policy.human.error), policy.penalty
    low, high = float(policy.slash_min), float(policy.slash_max)
    delta = float(policy.delta)
    least_reward = error / (1 - error) * penalty * high
    spread = policy.reward + penalty * high
    alpha = penalty * high / spread if spread else 0.0
    needs = delta / (1 - alpha) if alpha < 1 else inf
    return (
        Check(
            name="honest seats earn",
            source="TRUST, Theorem 1",
            sound=True,
            satisfied=policy.reward > least_reward,
            has=policy.reward,
            needs=least_reward,
            mend=f"R above {least_reward:.3f}",
        ),
        Check(
            name="economic dial (as printed)",
            source="TRUST, Theorem 1",
            sound=False,
            satisfied=low >= needs,
            has=low,
            needs=needs,
            mend=f"p_min at least {needs:.3f}, or delta at most {low * (1 - alpha):.3f}",
        ),
        Check(
            name="always-wrong seats lose delta P",
            source="E X = -P p_slash <= -P p_min",
            sound=True,
            satisfied=low >= delta,
            has=low,
            needs=delta,
            mend=f"p_min at least {delta:.3f}",
        ),
    )


def _mend_beta(groups: Sequence[Group], beta: float, allowed: float) -> str:
    """The greatest beta, in hundredths, at which the tail is allowed."""
    steps = [step / 100 for step in range(1, 100)]
    failures = tails(groups=groups, betas=steps)
    fitting = [step for step, share in zip(steps, failures, strict=True) if share <= allowed]
    if beta in fitting:
        return ""
    return f"beta at most {max(fitting):.2f}" if fitting else "no beta: raise k or lower the share of people"


def _moments(groups: Sequence[Group]) -> tuple[float, float, float]:
    """(mean, sum of weights, sum of squared weights)."""
    if not any(group.count for group in groups):
        raise BadParameterError("groups", "must hold at least one segment")
    weights = [(float(g.weight), g.count, g.p) for g in groups]
    return (
        fsum(w * n * p for w, n, p in weights),
        fsum(w * n for w, n, _ in weights),
        fsum(w * w * n for w, n, _ in weights),
    )


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    """Minimum of a convex function on [low, high] by golden sections."""
    ratio = (sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(40):  # to 3e-7 of the span: a convex minimum is flat, so its value is exact to 1e-12
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
    return min(at_left, at_right)


def _log(x: float) -> float:
    return log(x) if x > 0 else -inf
