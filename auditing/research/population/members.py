"""Simulated people with tokens for a server of one's own, and what its tables say of them afterwards.

Refused in production. Reads Auditor, ReputationStep, Posting, Vote, SegmentOutcome; writes User, RoleGrant, ApiToken.
"""

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from accounts.models import RoleGrant, User
from accounts.services.tokens import make_token
from auditing.core.ledger.leaves import Column
from auditing.models import Auditor, Seat
from auditing.research.population.conducts import Conduct, make_crowd
from auditing.research.population.figures import SIMULATED
from auditing.research.population.visits import Member
from auditing.selectors.points.reputations import newest_steps
from auditing.selectors.points.statement import balances_of

PROVIDER = "provider"


def make_members(*, mix: Mapping[Conduct, int], seed: int) -> dict[str, Any]:
    """Marked accounts with one token each, and a provider; what stands in the file that `visit` reads."""
    if settings.PRODUCTION:
        raise ImproperlyConfigured("Simulated reviewers are refused in production.")
    rng = random.Random(seed)  # noqa: S311  a simulation, repeatable on purpose
    members = []
    for number, auditor in enumerate(make_crowd(mix=mix, rng=rng)):
        person = _person(f"simulated-{seed}-{number}@demo.example", f"Simulated auditor {seed}-{number}", "reviewer")
        _, token = make_token(user=person, name="simulate")
        members.append(asdict(Member(person.pseudonym, auditor.conduct, token, auditor.factor)))
    provider = _person(f"simulated-{seed}-provider@demo.example", f"Simulated provider {seed}", PROVIDER)
    return {"provider": make_token(user=provider, name="simulate")[1], "members": members}


def read_members(*, path: Path) -> tuple[str, list[Member]]:
    """(token of the provider, members) of such a file. Raises OSError, ValueError, KeyError, TypeError."""
    body = json.loads(path.read_text(encoding="utf-8"))
    members = [Member(**{**line, "conduct": Conduct(line["conduct"])}) for line in body["members"]]
    return str(body["provider"]), members


def standing_by_conduct(*, members: Sequence[Member]) -> Iterator[str]:
    """Points, reputation and gold by conduct, from the tables of this server."""
    by_name = {member.name: member.conduct for member in members}
    auditors = list(Auditor.objects.filter(user__pseudonym__in=by_name).select_related("user"))
    conducts: dict[Any, Conduct] = {row.pk: by_name[row.user.pseudonym] for row in auditors if row.user is not None}
    balances = balances_of(auditors=auditors)
    steps = {column: newest_steps(auditors=auditors, column=column) for column in Column}
    votes: dict[Any, int] = defaultdict(int)
    for auditor in Seat.objects.filter(auditor__in=auditors, vote__isnull=False).values_list("auditor", flat=True):
        votes[auditor] += 1
    yield SIMULATED
    yield "conduct          auditors  votes  points/vote  r(gold)  r(outcome)  suspended"
    for conduct in sorted(set(conducts.values())):
        rows = [row for row in auditors if conducts[row.pk] is conduct]
        cast = sum(votes[row.pk] for row in rows)
        earned = sum(balances[row.pk].points + balances[row.pk].held for row in rows)
        values = {
            column: [float(steps[column][row.pk].value) for row in rows if row.pk in steps[column]] for column in Column
        }
        means = {column: f"{fmean(measured):.2f}" if measured else "-" for column, measured in values.items()}
        suspended = sum(row.suspended_until is not None for row in rows)
        yield (
            f"{conduct:<16} {len(rows):<8}  {cast:<5}  {earned / cast if cast else 0:>+11.2f}  "
            f"{means[Column.GOLD]:>7}  {means[Column.CONSENSUS]:>10}  {suspended:>9}"
        )


def _person(email: str, name: str, role: str) -> User:
    user = User.objects.filter(email=email).first()
    if user is None:
        user = User.objects.create_user(email, None, pseudonym=name, is_simulated=True)
    RoleGrant.objects.get_or_create(user=user, role=role)
    return user
