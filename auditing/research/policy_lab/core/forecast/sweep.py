"""The binding rule against reviewers' accuracy and against the number of passages: both errors, undecided, seats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from auditing.core.policy.parameters import Policy
from auditing.core.values import Outcome, Tier
from auditing.research.policy_lab.core.forecast.paths import Unit
from auditing.research.policy_lab.core.forecast.simulation import (
    FEWEST_PLANNED,
    Forecast,
    forecast_trace,
    planned_share,
)

ACCURACIES = tuple(Decimal(cents) / 100 for cents in (55, 60, 65, 70, 75, 80, 85, 90, 95, 98))
LENGTHS = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
CELLS, MOST_TRIALS, FEWEST_TRIALS = 40_000, 600, 100
LONGEST_PLANNED = 32  # told plan by plan, 48 and 64 would take longer than all the others, and a page waits


@dataclass(frozen=True, slots=True)
class SweptPoint:
    """One forecast of a sweep, at an accuracy or at a number of passages."""

    x: float
    forecast: Forecast


def sweep_accuracy(*, policy: Policy, counts: Mapping[Tier, int], most: int = MOST_TRIALS) -> tuple[SweptPoint, ...]:
    """The forecast of a trace with `counts` units by tier, for reviewers of each accuracy, who are believed at it.

    `most`: simulated right traces a point, and as many wrong ones.
    """
    units = units_by_tier(policy=policy, counts=counts)
    return tuple(
        SweptPoint(float(accuracy), _forecast(units, planned_share(policy=policy, accuracy=accuracy), most))
        for accuracy in ACCURACIES
    )


def sweep_length(*, policy: Policy, most: int = MOST_TRIALS) -> tuple[SweptPoint, ...]:
    """The forecast of traces of 1 to 64 units (in waves: 32), all for people, at the policy's planned accuracy."""
    unit = Unit(tiers=(Tier.HUMAN,), k=policy.human.k)
    lengths = [length for length in LENGTHS if not policy.planner or length <= LONGEST_PLANNED]
    return tuple(SweptPoint(float(length), _forecast([unit] * length, policy, most)) for length in lengths)


def units_by_tier(*, policy: Policy, counts: Mapping[Tier, int]) -> list[Unit]:
    """Units of a trace by who judges them: the computer has decided its own, a model's go to people when it is hung."""
    kinds = {
        Tier.COMPUTER: Unit(tiers=(Tier.COMPUTER,), k=1, weight=_weight(policy, Tier.COMPUTER), decided=Outcome.PASS),
        Tier.LLM: Unit(tiers=(Tier.LLM, Tier.HUMAN), k=policy.llm.k, weight=_weight(policy, Tier.LLM)),
        Tier.HUMAN: Unit(tiers=(Tier.HUMAN,), k=policy.human.k, weight=_weight(policy, Tier.HUMAN)),
    }
    return [kinds[tier] for tier, count in counts.items() for _ in range(count)]


def _weight(policy: Policy, tier: Tier) -> float:
    return float(policy.tier(tier).weight)


def _forecast(units: Sequence[Unit], policy: Policy, most: int) -> Forecast:
    # In waves each trace is told plan by plan.
    fewest, cells = (FEWEST_PLANNED, CELLS // 10) if policy.planner else (FEWEST_TRIALS, CELLS)
    trials = min(most, max(fewest, cells // len(units)))
    return forecast_trace(units=units, policy=policy, trials=trials)
