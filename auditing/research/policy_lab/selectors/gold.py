"""What a policy's figures assume of gold, beside the gold that exists, and of a bonus, beside whom it reaches.

Reads Round, GoldTruth, Campaign, Vote.
"""

from dataclasses import dataclass, replace
from decimal import Decimal

from auditing.core.gold import decoys_due
from auditing.core.points.payoff import payoff_with_honeypots
from auditing.core.policy import Policy
from auditing.models import Campaign
from auditing.research.policy_lab.core.curves import Behaviour, behaviours_of, least_honest_accuracy
from auditing.selectors.gold.decoys import Placed, gold_share
from auditing.selectors.points.agreements import campaign_agreements


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
    seats: int  # of people in a round: what one decoy takes
    honest: float  # share of right votes of the honest reviewer of these figures, as the policy plans it
    overtakes: float  # share of right votes from which an honest reviewer earns more than a rubber-stamper, in effect

    @property
    def is_short(self) -> bool:
        """Whether the planned figures assume gold that does not exist: one more decoy would not exceed the plan."""
        placed = self.placed
        share = self.planned
        due = decoys_due(ordinary=placed.ordinary, gold=placed.gold, share=share, seats=self.seats) if share else 0
        return due > 0 or (not placed.gold and share > 0)


@dataclass(frozen=True, slots=True)
class BonusInEffect:
    """The bonus of agreement in one campaign: whom it reaches now. Nobody below twenty shared segments an answer."""

    campaign: Campaign
    reviewers: int


def bonus_in_effect(*, number: int, policy: Policy) -> tuple[BonusInEffect, ...]:
    """Every open campaign under policy version `number`, if the policy pays a bonus at all."""
    if not policy.agreement_bonus:
        return ()
    campaigns = Campaign.objects.filter(policy__number=number).exclude(state=Campaign.State.CLOSED)
    return tuple(
        BonusInEffect(row, len(campaign_agreements(campaign=row, policy=policy))) for row in campaigns.order_by("pk")
    )


def gold_in_effect(*, policy: Policy, number: int | None = None) -> GoldInEffect:
    """The gold of all audits under policy version `number`, or of the site where there are none."""
    placed = gold_share(policy=number)
    of_site = number is None or not placed.all
    if number is not None and of_site:
        placed = gold_share(policy=None)
    in_effect = with_share(policy, placed)
    return GoldInEffect(
        planned=policy.honeypot_share,
        placed=placed,
        of_site=of_site,
        seats=policy.first_seats if policy.planner else policy.human.k,
        honest=float(1 - policy.human.error),
        overtakes=least_honest_accuracy(policy=in_effect),
        payoffs=tuple(
            Payoff(planned.name, _payoff(planned, policy), _payoff(behaviour, in_effect))
            for planned, behaviour in zip(behaviours_of(policy=policy), behaviours_of(policy=in_effect), strict=True)
        ),
    )


def with_share(policy: Policy, placed: Placed) -> Policy:
    """The policy as if it had planned the share that there is; for figures, never to be published."""
    shares = [Decimal(str(round(share, 4))) for share in (placed.share, placed.misleading_share)]
    return replace(policy, honeypot_share=shares[0], model_fail_share=shares[1])


def _payoff(behaviour: Behaviour, policy: Policy) -> float:
    return payoff_with_honeypots(accuracy=behaviour.accuracy, gold_accuracy=behaviour.gold_accuracy, policy=policy)
