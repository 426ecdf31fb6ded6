"""Stored policy versions: their parameters (cached, for a version never changes), differences, and dry runs.

Reads PolicyVersion, Audit, Round.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import Count, FilteredRelation, Q

from accounts.prepared import PreparedQuery
from auditing.core.policy import Policy, changes, for_domain, from_json
from auditing.core.stages import RoundStage
from auditing.models import Audit, PolicyVersion
from auditing.selectors.kept import kept


@dataclass(frozen=True, slots=True)
class Difference:
    """One parameter that differs between two policies."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class DryRun:
    """Open rounds and audits under the version that a new one follows; none of them is affected."""

    rounds: int
    audits: int


def load_policy(*, version: PolicyVersion, domain: str = "") -> Policy:
    """The parameters of a version, with the overrides of `domain` applied."""
    return _loaded(version.pk, domain)


# Safe without any invalidation: a trigger refuses every change of a version (migrations).
@lru_cache(maxsize=256)
def _loaded(version: UUID, domain: str) -> Policy:
    body: dict[str, Any] = PolicyVersion.objects.values_list("body", flat=True).get(pk=version)
    return for_domain(policy=from_json(values=body), domain=domain)


def latest_policy() -> PolicyVersion | None:
    """The newest version, if any was made yet."""
    return _LATEST.first()


_LATEST = PreparedQuery(lambda: PolicyVersion.objects.order_by("-number")[:1])


def difference(*, before: Policy, after: Policy) -> list[Difference]:
    """Every parameter that differs, lists (routes, domains) as JSON text."""
    return [
        Difference(field, _text(old), _text(new)) for field, (old, new) in changes(before=before, after=after).items()
    ]


def dry_run(*, follows: PolicyVersion | None) -> DryRun:
    """What publishing would touch: nothing that is open, because an audit keeps the version it began with."""
    under = Audit.objects.exclude(stage__in=("recorded", "failed", "withdrawn"))
    if follows is not None:
        under = under.filter(policy=follows)
    # A condition of the join and not of its rows: only open rounds are read, by their own index.
    is_open = FilteredRelation("rounds", condition=~Q(rounds__stage=RoundStage.TALLIED))
    counts = {"audits": Count("pk", distinct=True), "rounds": Count("open_rounds")}
    [(audits, rounds)] = kept(
        name=f"open:{follows.number if follows else 'all'}",
        count=lambda: [list(under.annotate(open_rounds=is_open).aggregate(**counts).values())],
    )
    return DryRun(rounds, audits)


def _text(value: Any) -> str:
    if value is None:
        return "—"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
