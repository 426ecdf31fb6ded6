"""Auditors: the rows that can hold seats, made for people, for endpoints and for the checker at first need.

Reads User, Endpoint; writes Auditor, and the stake of newcomers (Transfer, Posting).
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from accounts.models import Role, User
from accounts.prepared import PreparedQuery, PreparedRows
from auditing.core.values import Tier
from auditing.models import Auditor, Round
from auditing.selectors.policy.versions import latest_policy, load_policy
from auditing.services.points.transfers import stake_newcomers, without_stake
from hdag.models import Endpoint

CHECKER = "checker"


def ensure_auditors(*, rounds: Sequence[Round], knows_people: bool = False) -> int:
    """Make auditors of all who could sit in `rounds` and are none yet; returns how many were made.

    knows_people: those of people were made a moment ago, for several audits together.
    """
    made = 0 if knows_people or all(round.tier != Tier.HUMAN for round in rounds) else seat_newcomers()
    models = [round.k for round in rounds if round.tier != Tier.HUMAN]
    return made + (seat_endpoints(seats=max(models)) if models else 0)


def auditor_of(*, user: User) -> Auditor:
    """The auditor that a person is, made at first need."""
    made = {"tier": Tier.HUMAN, "is_simulated": bool(user.is_simulated)}
    return _of_person.first(user=user.pk) or Auditor.objects.get_or_create(user=user, defaults=made)[0]


@PreparedQuery
def _of_person(user: int) -> QuerySet[Auditor]:
    return Auditor.objects.filter(user=user)


def checker_auditor() -> Auditor:
    """The computer tier's one auditor."""
    existing = _checkers.first(checker=CHECKER)
    return existing or Auditor.objects.get_or_create(checker=CHECKER, defaults={"tier": Tier.COMPUTER})[0]


@PreparedQuery
def _checkers(checker: str) -> QuerySet[Auditor]:
    return Auditor.objects.filter(checker=checker)


def seat_newcomers() -> int:
    """Make an auditor of every active person who may review or adjudicate and is none yet, and give it its stake."""
    # ignore_conflicts: another worker may make the same rows at this moment.
    made = Auditor.objects.bulk_create(
        [Auditor(user=user, tier=Tier.HUMAN, is_simulated=user.is_simulated) for user in _newcomers.rows()],
        ignore_conflicts=True,
    )
    if without_stake() and (policy := latest_policy()) is not None:
        stake_newcomers(policy=policy, stake=load_policy(version=policy).stake)
    return len(made)


@PreparedQuery
def _newcomers() -> QuerySet[User]:
    roles = (Role.REVIEWER, Role.ADJUDICATOR)
    return User.objects.filter(is_active=True, grants__role__in=roles, auditor__isnull=True).distinct()


@PreparedRows
def _enabled() -> QuerySet[Endpoint, Any]:
    return Endpoint.objects.filter(enabled=True).values_list("pk")


def seat_endpoints(*, seats: int) -> int:
    """Make the auditors of every enabled endpoint: one a seat of a round, where models are fewer than seats."""
    rows = [key for (key,) in _enabled.rows()]
    if not rows:
        return 0
    existing = set(Auditor.objects.filter(endpoint__isnull=False).values_list("endpoint", "sample"))
    missing = [(key, sample) for key in rows for sample in range(seats) if (key, sample) not in existing]
    made = Auditor.objects.bulk_create(
        (Auditor(endpoint_id=key, sample=sample, tier=Tier.LLM) for key, sample in missing), ignore_conflicts=True
    )
    return len(made)
