"""The cheapest policy that keeps two error rates at a reviewer's accuracy, or the number of seats that did not do."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from auditing.core.policy.parameters import Policy
from auditing.core.values import Tier
from auditing.research.policy_lab.core.forecast.paths import Unit
from auditing.research.policy_lab.core.forecast.simulation import Forecast, forecast_trace, planned_share

SEATS = (1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21)  # odd: no ties
THRESHOLDS = ((Decimal("0.9"), Decimal("0.25")), (Decimal("0.95"), Decimal("0.1")), (Decimal("0.98"), Decimal("0.05")))
COSTS = ((Decimal(10), Decimal(4)), (Decimal(20), Decimal(10)), (Decimal(25), Decimal(20)))  # of a miss, a false alarm
TRIALS = 1000
PLANNED_TRIALS = 300
MOST_ADJUDICATED = 0.1  # of the passages: who leaves more to adjudicators has only moved the work


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """policy: the cheapest that was found, with its forecast; without one, `seats` a trace were not enough."""

    policy: Policy | None
    forecast: Forecast | None
    seats: int


def recommend_policy(
    *, policy: Policy, passages: int, accuracy: Decimal, most_not_passed: float, most_passed: float
) -> Recommendation:
    """Look from few seats to many for human.k (in waves: cap), the thresholds and the costs that keep both errors.

    policy: all that is not varied. accuracy: share of right votes of a reviewer. Both errors as they were simulated,
    with the passages all asked of people and one of them wrong in a wrong trace.
    """
    units = [Unit(tiers=(Tier.HUMAN,), k=1)] * passages
    trials = PLANNED_TRIALS if policy.planner else TRIALS
    for k in SEATS:
        best = None
        for candidate in _candidates(planned_share(policy=policy, accuracy=accuracy), k):
            forecast = forecast_trace(units=[replace(unit, k=k) for unit in units], policy=candidate, trials=trials)
            if not _keeps(forecast, passages, most_not_passed, most_passed):
                continue
            if best is None or _seats(forecast) < _seats(best[1]):
                best = candidate, forecast
        # The first k that keeps both errors: more seats would keep them too, and cost more.
        if best is not None:
            return Recommendation(policy=best[0], forecast=best[1], seats=round(_seats(best[1])))
    return Recommendation(policy=None, forecast=None, seats=SEATS[-1] * passages)


def _candidates(policy: Policy, k: int) -> Iterator[Policy]:
    # In waves a passage has at most `cap` seats, and its own thresholds decide nothing.
    seats = {"cap": max(k, policy.first_seats)} if policy.planner else {"human": replace(policy.human, k=k)}
    for theta_pass, theta_fail in THRESHOLDS[:1] if policy.planner else THRESHOLDS:
        for miss, false_alarm in COSTS:
            yield replace(
                policy,
                **seats,
                theta_pass=theta_pass,
                theta_fail=theta_fail,
                cost_miss=miss,
                cost_false_alarm=false_alarm,
            )


def _keeps(forecast: Forecast, passages: int, most_not_passed: float, most_passed: float) -> bool:
    return (
        (forecast.not_passed.share or 0.0) <= most_not_passed
        and (forecast.passed.share or 0.0) <= most_passed
        and forecast.adjudications.mean <= MOST_ADJUDICATED * passages
    )


def _seats(forecast: Forecast) -> float:
    return forecast.people.mean + forecast.adjudications.mean
