"""An admin steers: waiting seats go to the next in the draw, many campaigns at once, and what a campaign will take."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, Campaign, Leaf, Notice, Seat
from auditing.research.campaigns.selectors.feasibility import Feasibility
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.ledger_checks import services as fsck
from auditing.research.policy_lab.selectors.people import Minutes
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


def test_a_new_campaign_has_its_deadline_ahead(admin: Client, one_seat_hens: World) -> None:
    page = admin.post("/campaigns/new", terms(one_seat_hens, deadline="2020-01-01T00:00"))
    assert page.status_code == 400
    assert "The deadline has passed already." in page.content.decode()
    assert not Campaign.objects.filter(title="Geese").exists()


def test_a_late_campaign_keeps_its_deadline_but_gets_no_other_of_before(admin: Client, one_seat_hens: World) -> None:
    campaign = one_seat_hens.campaign
    Campaign.objects.filter(pk=campaign.pk).update(deadline="2026-01-01T10:00:31Z")
    fields = {"terms-title": "Late hens", "terms-policy": campaign.policy.pk, "terms-deadline": "2026-01-01T10:00"}
    admin.post(f"/campaigns/{campaign.pk}/edit", fields)
    campaign.refresh_from_db()
    assert (campaign.title, campaign.deadline.second) == ("Late hens", 31)
    refused = admin.post(f"/campaigns/{campaign.pk}/edit", fields | {"terms-deadline": "2026-01-01T11:00"})
    assert refused.status_code == 422
    assert "The deadline has passed already." in refused.content.decode()


def test_a_deadline_is_read_in_the_zone_that_its_label_names(admin: Client, one_seat_hens: World) -> None:
    admin.cookies["zone"] = "Asia/Tokyo"
    assert "Deadline (time zone Asia/Tokyo)" in admin.get("/campaigns/new").content.decode()
    admin.post("/campaigns/new", terms(one_seat_hens, deadline="2099-01-01T09:00"))
    deadline = Campaign.objects.get(title="Geese").deadline
    assert deadline is not None
    assert deadline.isoformat() == "2099-01-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        (
            {"traces": 1, "passages": 1.2, "seats": 1.0, "needed": 1, "people": 1, "days": 10.0},
            "1 trace is about 1 passage and 1 seat of people (measured here), 1 minute of work at 1 minute a verdict "
            "(measured), for 1 reviewer at hand: less than a minute a day of each until the deadline, which can be "
            "done.",
        ),
        (
            {"traces": 2, "passages": 2.0, "seats": 0.0, "needed": 3, "people": 0, "days": None},
            "2 traces are about 2 passages (measured here), of which people are asked about none.",
        ),
        (
            {"traces": 2, "passages": 2.0, "seats": 6.0, "needed": 3, "people": 0, "days": None},
            "2 traces are about 2 passages and 6 seats of people (measured here), 6 minutes of work at 1 minute a "
            "verdict (measured), for 0 reviewers at hand: a passage asks 3 different people, and nobody is at hand.",
        ),
        (
            {"traces": 9, "passages": 90.0, "seats": 61.0, "needed": 1, "people": 1, "days": 1.0},
            "9 traces are about 90 passages and 61 seats of people (measured here), 61 minutes of work at 1 minute a "
            "verdict (measured), for 1 reviewer at hand: that is 61 minutes a day of each; with an hour a day it takes "
            "2 days.",
        ),
    ],
    ids=["one of each", "nobody is asked", "nobody is there", "just too much"],
)
def test_the_forecast_of_a_campaign_agrees_in_number(figures: dict[str, Any], words: str) -> None:
    assert Feasibility(minutes=Minutes(1.0, 50), is_measured=True, **figures).sentence == words
