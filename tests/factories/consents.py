"""Consents as those who run campaigns would have given them: most tests are about what comes after."""

from auditing.models import Campaign
from auditing.services.model_tier.consents import agree
from hdag.models import Endpoint


def agree_to_all() -> None:
    """Texts of every campaign, under its policy, may go to every endpoint, as much as it may see."""
    for campaign in Campaign.objects.select_related("policy"):
        for row in Endpoint.objects.all():
            agree(endpoint=row, policy=campaign.policy, campaign=campaign, extent=row.may_see, actor=None)
