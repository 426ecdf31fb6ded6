"""Reading policies: the value of a stored version, cached because a version never changes."""

from functools import lru_cache
from typing import Any
from uuid import UUID

from auditing.core.policy import Policy, for_domain, from_json
from auditing.models import PolicyVersion


def load_policy(*, version: PolicyVersion, domain: str = "") -> Policy:
    """The parameters of a version, with the overrides of `domain` applied."""
    return _loaded(version.pk, domain)


@lru_cache(maxsize=256)
def _loaded(version: UUID, domain: str) -> Policy:
    body: dict[str, Any] = PolicyVersion.objects.values_list("body", flat=True).get(pk=version)
    return for_domain(policy=from_json(values=body), domain=domain)


def latest_policy() -> PolicyVersion | None:
    """The newest version, if any was made yet."""
    return PolicyVersion.objects.order_by("-number").first()
