"""What a policy's figures assume of gold, beside the gold that exists. Reads Round, GoldTruth."""

from dataclasses import dataclass, replace
from decimal import Decimal

from auditing.core.points.curves import BEHAVIOURS, Behaviour
from auditing.core.points.payoff import payoff_with_honeypots
from auditing.core.policy import Policy
from auditing.selectors.gold.decoys import Placed, gold_share


@dataclass(frozen=True, slots=True)
class Payoff:
    """Mean points a segment of one behaviour: with the gold that the policy plans, and with the gold there is."""

    name: str
    planned: float
    in_effect: float


@dataclass(frozen=True, slots=True)
class GoldInEffect:
    """Seats on gold under a policy, or of the whole site for one that nobody has used, and what follows for pay."""

    planned: Decimal
    placed: Placed
    of_site: bool
    payoffs: tuple[Payoff, ...]

    @property
    def is_short(self) -> bool:
        """Whether the planned figures assume gold that does not exist."""
        return self.placed.share < float(self.planned)


def gold_in_effect(*, policy: Policy, number: int | None = None) -> GoldInEffect:
    """The gold of all audits under policy version `number`, or of the site where there are none."""
    placed = gold_share(policy=number)
    of_site = number is None or not placed.all
    if of_site:
        placed = gold_share(policy=None)
    return GoldInEffect(
        planned=policy.honeypot_share,
        placed=placed,
        of_site=of_site,
        payoffs=tuple(
            Payoff(behaviour.name, _payoff(behaviour, policy), _payoff(behaviour, with_share(policy, placed)))
            for behaviour in BEHAVIOURS
        ),
    )


def with_share(policy: Policy, placed: Placed) -> Policy:
    """The policy as if it had planned the share that there is; for figures, never to be published."""
    return replace(policy, honeypot_share=Decimal(str(round(placed.share, 4))))


def _payoff(behaviour: Behaviour, policy: Policy) -> float:
    return payoff_with_honeypots(accuracy=behaviour.accuracy, gold_accuracy=behaviour.gold_accuracy, policy=policy)
