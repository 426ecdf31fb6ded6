"""Whoever was slashed for a vote that an appeal proves right gets it back by postings that strangers reckon alike."""

from dataclasses import replace
from decimal import Decimal

import pytest

from auditing.core.policy import FAST
from auditing.core.values import Choice
from auditing.models import Audit, Posting
from auditing.research.ledger_checks import services as fsck
from auditing.research.reports.appeals import appeal
from auditing.selectors.clock import database_now
from auditing.services.points import books
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import World, make_user, make_world
from tests.rooms.points.test_slash_basis import divided, verified

pytestmark = pytest.mark.django_db
CERTAIN = replace(FAST, slash_min=Decimal(1), slash_max=Decimal(1))


def held(world: World, audit: Audit, place: int) -> dict[str, int]:
    """Kind of posting -> points on one reviewer's held account from this audit."""
    rows = Posting.objects.filter(
        account__auditor=auditor_of(user=world.reviewers[place]), account__name="held", transfer__audit=audit
    )
    sums: dict[str, int] = {}
    for kind, points in rows.values_list("transfer__kind", "amount"):
        sums[kind] = sums.get(kind, 0) + points
    return sums


def test_an_appeal_that_overturns_gives_the_slash_back_and_takes_the_reward() -> None:
    world = make_world(policy=CERTAIN)
    audit = world.submit()
    divided(world)
    audit.refresh_from_db()
    outvoted = held(world, audit, 2)
    assert set(outvoted) == {"slash"}
    votes = -outvoted["slash"] // CERTAIN.penalty
    assert votes > 0
    made = appeal(audit=audit, by=world.reviewers[2], reason="wrong_outcome", text="", now=database_now())
    first, world.reviewers = world.reviewers, [make_user(f"other{n}@example.org", "reviewer") for n in range(3)]
    world.everybody_votes(made.successor, Choice.FAIL)
    world.reviewers = first
    assert sum(held(world, audit, 2).values()) == votes * CERTAIN.reward
    assert sum(held(world, audit, 0).values()) == -votes * CERTAIN.penalty
    assert held(world, audit, 2)["reversal"] == votes * CERTAIN.penalty
    for each in (audit, made.successor):
        assert verified(Audit.objects.get(pk=each.pk))
    assert books.check(now=database_now()) == 0
    assert [check.name for check in fsck.check(now=database_now()) if not check.holds] == []
