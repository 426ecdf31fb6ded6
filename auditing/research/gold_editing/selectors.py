"""Gold among the audits, as admins see it: the share really placed by campaign, and the newest decoys.

Reads Campaign, Decoy, Round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from auditing.core.gold import decoys_due
from auditing.core.policy import Policy
from auditing.models import Campaign, Decoy
from auditing.selectors.gold.decoys import CampaignDecoys, Placed, decoys_by_campaign
from auditing.selectors.policy.versions import load_policy

NEWEST = 50


@dataclass(frozen=True, slots=True)
class CampaignGold:
    """What the policy of a campaign asks for beside what is in effect."""

    campaign: Campaign
    wanted: Decimal
    wanted_misleading: Decimal  # of it, gold that models fail on
    placed: Placed
    right: int
    wrong: int
    seats: int  # that one decoy takes

    @property
    def is_short(self) -> bool:
        """Whether one more decoy would not exceed what the policy's figures assume."""
        return self._is_due(self.placed.gold, self.wanted)

    @property
    def is_short_of_misleading(self) -> bool:
        """The same of gold that models fail on."""
        return self._is_due(self.placed.misleading, self.wanted_misleading)

    def _is_due(self, gold: int, share: Decimal) -> bool:
        return decoys_due(ordinary=self.placed.all - gold, gold=gold, share=share, seats=self.seats) > 0


def gold_by_campaign() -> list[CampaignGold]:
    """Every campaign that is not closed, oldest first; as many statements for a hundred of them as for one."""
    rows = Campaign.objects.exclude(state=Campaign.State.CLOSED).select_related("policy").order_by("created", "pk")
    policies = {row.pk: load_policy(version=row.policy, domain=row.domain) for row in rows}
    decoys = decoys_by_campaign(policies=policies)
    return [_campaign_gold(row, policies[row.pk], decoys[row.pk]) for row in rows]


def newest_decoys() -> Sequence[Decoy]:
    """The decoys that were planted last, with their traces."""
    return list(
        Decoy.objects.select_related("trace", "gold").prefetch_related("trace__audits").order_by("-created")[:NEWEST]
    )


def _campaign_gold(campaign: Campaign, policy: Policy, decoys: CampaignDecoys) -> CampaignGold:
    return CampaignGold(
        campaign=campaign,
        wanted=policy.honeypot_share,
        wanted_misleading=policy.model_fail_share,
        seats=decoys.seats.each,
        placed=decoys.seats.placed,
        right=decoys.right,
        wrong=decoys.wrong,
    )
