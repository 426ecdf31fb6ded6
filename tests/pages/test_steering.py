"""An admin steers: waiting seats go to the next in the draw, many campaigns at once, and what a campaign will take."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, Campaign, Leaf, Notice, Seat
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
OFFERED = {"stage": "offered", "round__tier": "human"}


@pytest.fixture
def admin(one_seat_hens: World) -> Client:
    return signed_in(one_seat_hens.campaign.owner)


def steer(client: Client, world: World, **fields: Any) -> Any:
    return client.post(f"/campaigns/{world.campaign.pk}/steer", fields)


def test_seats_that_nobody_opened_go_to_the_next_in_the_draw(admin: Client, one_seat_hens: World) -> None:
    seat = Seat.objects.filter(**OFFERED).order_by("pk")[0]
    person = seat.auditor.user
    waiting = Seat.objects.filter(**OFFERED, auditor=seat.auditor).count()
    assert (
        f"Pass on what waits for {person.pseudonym}"
        in admin.get(f"/campaigns/{one_seat_hens.campaign.pk}/people").content.decode()
    )
    steer(admin, one_seat_hens, person=str(person.public_id))
    assert not Seat.objects.filter(**OFFERED, auditor=seat.auditor).exists()
    taken = Seat.objects.filter(stage="lapsed", declined_because="reassigned")
    assert taken.count() == waiting
    for old in taken:
        assert (
            Seat.objects.filter(round=old.round, place=old.place, stage="offered").exclude(auditor=old.auditor).count()
            == 1
        )
    assert AuditEvent.objects.filter(kind="seat.reassigned", actor=one_seat_hens.campaign.owner).count() == waiting
    assert Leaf.objects.filter(kind="substitution").count() == waiting


def test_the_audit_ends_and_the_ledger_holds_after_a_seat_was_passed_on(admin: Client, one_seat_hens: World) -> None:
    person = Seat.objects.filter(**OFFERED).order_by("pk")[0].auditor.user
    steer(admin, one_seat_hens, person=str(person.public_id))
    audit = Audit.objects.get()
    one_seat_hens.everybody_votes(audit, Choice.PASS)
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    one_seat_hens.sequence()
    assert [found.faults for found in fsck.check(now=database_now()) if not found.holds] == []


def test_a_seat_in_hand_stays_with_its_holder(admin: Client, one_seat_hens: World) -> None:
    person = Seat.objects.filter(**OFFERED).order_by("pk")[0].auditor.user
    held = claim_next(auditor=auditor_of(user=person), now=database_now())
    assert held is not None
    steer(admin, one_seat_hens, person=str(person.public_id))
    assert Seat.objects.get(pk=held.pk).stage == "held"


def test_a_seat_for_which_nobody_else_is_left_stays(admin: Client, one_seat_hens: World) -> None:
    for _ in range(len(one_seat_hens.reviewers) + 1):
        for person in one_seat_hens.reviewers:
            steer(admin, one_seat_hens, person=str(person.public_id))
    rounds = Seat.objects.filter(round__tier="human", round__stage="committing").values_list("round", flat=True)
    assert set(rounds) == set(Seat.objects.filter(**OFFERED).values_list("round", flat=True))


def test_nobody_but_an_admin_passes_seats_on(one_seat_hens: World) -> None:
    for person in (one_seat_hens.reviewers[0], one_seat_hens.provider):
        assert steer(signed_in(person), one_seat_hens, person=str(person.public_id)).status_code == 403
        assert signed_in(person).post("/campaigns/steer", {"verb": "closed"}).status_code == 403
    assert not Seat.objects.filter(declined_because="reassigned").exists()


def test_many_campaigns_are_paused_reminded_and_closed_at_once(admin: Client, one_seat_hens: World) -> None:
    first = one_seat_hens.campaign
    second = open_campaign(title="Ducks", owner=first.owner, policy=first.policy)
    both = {"campaigns": [str(first.pk), str(second.pk)]}
    admin.post("/campaigns/steer", {**both, "verb": "remind"})
    assert Notice.objects.filter(kind="reminder").exists()
    for state in ("paused", "open", "closed"):
        assert admin.post("/campaigns/steer", {**both, "verb": state}).status_code == 302
        assert set(Campaign.objects.values_list("state", flat=True)) == {state}
    admin.post("/campaigns/steer", {"campaigns": ["x", str(second.pk)], "verb": "melt"})
    assert set(Campaign.objects.values_list("state", flat=True)) == {"closed"}


def test_a_provider_withdraws_many_and_nobody_elses(one_seat_hens: World) -> None:
    audit = Audit.objects.get()
    stranger = signed_in(make_user("p9@example.org", "provider"))
    stranger.post("/audits/withdraw", {"audits": [str(audit.pk)]})
    assert Audit.objects.get().stage == "auditing"
    mine = signed_in(one_seat_hens.provider)
    assert 'name="audits"' in mine.get("/audits").content.decode()
    mine.post("/audits/withdraw", {"audits": [str(audit.pk), "nonsense"]})
    assert Audit.objects.get().stage == "withdrawn"
    assert 'name="audits"' not in mine.get("/audits").content.decode()


def terms(world: World, **more: Any) -> dict[str, Any]:
    return {"title": "Geese", "policy": world.campaign.policy.pk, "traces": "40", **more}


def test_a_new_campaign_says_what_it_takes_and_opens_nothing(admin: Client, one_seat_hens: World) -> None:
    page = admin.post("/campaigns/new", {**terms(one_seat_hens), "check": "1"})
    feasible = page.context["feasible"]
    assert (feasible.traces, feasible.people, feasible.is_measured) == (40, 3, False)
    assert feasible.passages == 320
    assert "40 traces are about 320 passages and 320 seats of people (assumed" in page.content.decode()
    assert not Campaign.objects.filter(title="Geese").exists()
    admin.post("/campaigns/new", terms(one_seat_hens))
    assert Campaign.objects.filter(title="Geese").exists()


def test_a_deadline_that_cannot_be_met_says_why(admin: Client, one_seat_hens: World) -> None:
    soon, late = database_now() + timedelta(days=1), database_now() + timedelta(days=99)
    check = {**terms(one_seat_hens), "check": "1"}
    tight = admin.post("/campaigns/new", {**check, "deadline": f"{soon:%Y-%m-%dT%H:%M}"}).context["feasible"]
    easy = admin.post("/campaigns/new", {**check, "deadline": f"{late:%Y-%m-%dT%H:%M}"}).context["feasible"]
    # 320 seats of 3 minutes are 16 hours; three people have 5.3 hours each to do, on one day or on 99
    assert (tight.is_feasible, round(tight.hours), round(tight.hours_a_day, 1)) == (False, 16, 5.3)
    assert "hours a day of each" in tight.sentence
    assert easy.is_feasible
    gone = admin.post("/campaigns/new", {**check, "deadline": "2020-01-01T00:00"}).context["feasible"]
    assert gone.sentence.endswith("the deadline has passed.")
