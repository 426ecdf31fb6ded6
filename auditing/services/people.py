"""Auditors for people: who may hold human seats. Writes Auditor."""

from typing import Any

from accounts.models import Role, User
from auditing.core.values import Tier
from auditing.models import Auditor
from auditing.selectors.policies import latest_policy, load_policy
from auditing.services.points import stake_newcomers


def auditor_of(*, user: Any) -> Auditor:
    """The auditor that a person is, made at first need."""
    return Auditor.objects.get_or_create(
        user=user, defaults={"tier": Tier.HUMAN, "is_simulated": bool(user.is_simulated)}
    )[0]


def seat_newcomers() -> int:
    """Make an auditor of every active person who may review or adjudicate and is none yet, and give it its stake."""
    people = User.objects.filter(
        is_active=True, grants__role__in=(Role.REVIEWER, Role.ADJUDICATOR), auditor__isnull=True
    ).distinct()
    made = Auditor.objects.bulk_create(
        (Auditor(user=user, tier=Tier.HUMAN, is_simulated=user.is_simulated) for user in people), ignore_conflicts=True
    )
    if (policy := latest_policy()) is not None:
        stake_newcomers(policy=policy, stake=load_policy(version=policy).stake)
    return len(made)
