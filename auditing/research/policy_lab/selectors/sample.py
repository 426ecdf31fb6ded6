"""The random sample in effect: how many passages models judged under a policy, and how many of them it asked of people.

Reads Round.
"""

from dataclasses import dataclass
from decimal import Decimal

from auditing.core.policy import Policy
from auditing.core.stages import RoundStage
from auditing.core.values import Tier
from auditing.models import Round
from auditing.selectors.kept import kept


@dataclass(frozen=True, slots=True)
class SampleInEffect:
    """share: of what models settle. judged: passages that models judged; drawn: of them, asked by the sample alone."""

    share: Decimal
    judged: int
    drawn: int


def sample_in_effect(*, policy: Policy, number: int) -> SampleInEffect:
    """Counted over all audits under policy version `number`."""
    rounds = Round.objects.filter(audit__policy__number=number, stage=RoundStage.TALLIED)
    judged = rounds.filter(tier=Tier.LLM).values("audit", "segment").distinct()
    drawn = Round.objects.filter(audit__policy__number=number, inclusion__isnull=False)
    [(drawn_count, judged_count)] = kept(name=f"sample:{number}", count=lambda: [[drawn.count(), judged.count()]])
    return SampleInEffect(share=policy.sample_share, judged=judged_count, drawn=drawn_count)
