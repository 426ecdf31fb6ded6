"""Adjudicators whom a campaign names: its disputes go to them, and nobody else on the site sees its cases."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from auditing.core.values import Choice
from auditing.models import Audit, Round, Seat
from auditing.research.campaigns.services.steering import name_in
from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.adjudication import contested_rounds
from auditing.services.consensus.adjudication import hand_to_named, hold_case, state_reason
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import World, make_user, make_world

pytestmark = pytest.mark.django_db


def name(world: World, *judges: Any) -> None:
    emails = [judge.email for judge in judges]
    assert name_in(campaign=world.campaign, role="adjudicator", emails=emails, actor=world.campaign.owner) == []


def contested(world: World) -> Audit:
    """Every reviewer abstains, so that each segment of theirs ends before an adjudicator."""
    audit = world.submit()
    world.everybody_votes(audit, Choice.ABSTAIN)
    world.settle_machines()
    return audit


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def holders() -> set[Any]:
    seats = Seat.objects.filter(round__adjudicates=True, stage__in=("offered", "held"))
    return {seat.auditor.user for seat in seats.select_related("auditor__user")}


@pytest.fixture
def judges() -> list[Any]:
    return [make_user(f"judge{number}@example.org", "adjudicator") for number in range(3)]


def test_disputes_go_to_those_named_and_the_others_see_nothing_of_them(judges: list[Any]) -> None:
    world = make_world()
    name(world, judges[1])
    contested(world)
    assert holders() == {judges[1]}
    round = Round.objects.filter(adjudicates=True)[0]
    for judge, cases in ((judges[0], 0), (judges[1], Round.objects.filter(adjudicates=True).count())):
        client = signed_in(judge)
        assert len(client.get("/adjudication").context["contested"]) == cases
        assert client.get(f"/adjudication/{round.pk}").status_code == (200 if cases else 404)
        assert (client.get("/desk").context.get("case") is not None) == bool(cases)
        assert client.get(f"/campaigns/{world.campaign.pk}").status_code == (200 if cases else 404)
        assert len(client.get("/campaigns").context["page"].rows) == bool(cases)
    assert signed_in(world.campaign.owner).get("/adjudication").context["contested"]


def test_where_none_is_named_every_adjudicator_serves(judges: list[Any]) -> None:
    world = make_world()
    contested(world)
    assert holders() <= set(judges)
    for judge in judges:
        assert signed_in(judge).get("/adjudication").context["contested"]


def test_what_waits_goes_to_those_named_later_and_the_audit_ends(judges: list[Any]) -> None:
    world = make_world()
    audit = contested(world)
    before = holders()
    heir = next(judge for judge in judges if judge not in before) if len(before) < 3 else judges[0]
    name(world, heir)
    assert holders() == {heir}
    auditor = auditor_of(user=heir)
    for case in contested_rounds(auditor=auditor):
        state_reason(round=case.round, auditor=auditor, reason="ambiguous", now=database_now())
        seat = Seat.objects.select_related("round__audit", "round__segment__block").get(
            round=case.round, auditor=auditor, stage="held"
        )
        world.seal(seat, auditor, Choice.PASS)
    world.settle_machines()
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    assert [found.faults for found in fsck.check(now=database_now()) if not found.holds] == []


def test_a_newcomer_is_handed_the_cases_once_the_ledger_names_them(judges: list[Any]) -> None:
    world = make_world()
    contested(world)
    late = make_user("late@example.org", "adjudicator")
    name(world, late)
    assert late not in holders()
    for _ in range(4):
        world.settle_machines()
        hand_to_named()
    assert holders() == {late}


def test_a_case_that_somebody_opened_stays_with_them(judges: list[Any]) -> None:
    world = make_world()
    contested(world)
    seat = Seat.objects.filter(round__adjudicates=True, stage="offered").select_related("auditor__user")[0]
    hold_case(seat=seat, now=database_now())
    name(world, *[judge for judge in judges if judge != seat.auditor.user][:1])
    assert Seat.objects.get(pk=seat.pk).stage == "held"
    mine = signed_in(seat.auditor.user).get("/adjudication").context["contested"]
    assert [case.round.pk for case in mine] == [seat.round_id]
    assert seat.lease_until is None or seat.lease_until < database_now() + timedelta(days=1)
