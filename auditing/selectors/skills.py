"""What is believed of auditors when their votes are counted."""

from collections.abc import Iterable

from auditing.core.policy import Policy
from auditing.core.skills import Skill, prior_skill
from auditing.core.values import Tier
from auditing.models import Auditor


def skills_for(*, auditors: Iterable[Auditor], policy: Policy) -> dict[str, Skill]:
    """Skill of each auditor by id: the tier's prior until gold speaks."""
    return {
        str(auditor.pk): prior_skill(policy=policy, tier=Tier(auditor.tier), family=_family(auditor))
        for auditor in auditors
    }


def _family(auditor: Auditor) -> str:
    return auditor.endpoint.family if auditor.endpoint is not None else ""
