"""Who follows a model, as it was measured last (research/conduct/services/following.py). Reads FollowMeasure."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from auditing.core.policy import Followers, Policy
from auditing.models import Auditor, FollowMeasure


def followed_by(*, auditors: Iterable[Auditor], policy: Policy) -> dict[UUID, FollowMeasure]:
    """By auditor, what was measured last of those who follow a model; empty where the policy hears them apart."""
    keys = {auditor.pk: auditor.followed_id for auditor in auditors if auditor.followed_id is not None}
    if not keys or policy.followers is Followers.APART:
        return {}
    rows = FollowMeasure.objects.in_bulk(list(keys.values()))
    return {auditor: rows[measure] for auditor, measure in keys.items()}


def follow_record(*, measure: FollowMeasure) -> dict[str, Any]:
    """What stands of it in the record behind a weight."""
    return {
        "family": measure.family,
        "following": str(measure.following),
        "shared": measure.shared,
        "alike": measure.alike,
        "audits": sorted(measure.audits),
    }
