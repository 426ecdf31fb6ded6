"""Managers of one campaign: what they may do there, what stays with admins, and what nobody else is shown."""

from typing import Any

import pytest
from django.test import Client

from auditing.models import AuditEvent, Campaign, Notice, Seat
from auditing.research.campaigns.services.campaigns import NamingRefusedError, open_campaign
from auditing.research.campaigns.services.steering import name_in
from auditing.selectors.seating.eligible import Eligible
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
VERBS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("state", {"state": "paused"}),
    ("steer", {"days": "7"}),
    ("steer", {}),
    ("edit", {"guidelines": "Be strict."}),
    ("edit", {"reviewers": ["", "reviewer0@example.org"]}),
    ("edit", {"adjudicators": ""}),
)
"""What those who run a campaign post to its page."""


def name(world: World, role: str, *people: Any) -> list[str]:
    emails = [person.email for person in people]
    return name_in(campaign=world.campaign, role=role, emails=emails, actor=world.campaign.owner)


def address(world: World, verb: str = "") -> str:
    return f"/campaigns/{world.campaign.pk}{verb and '/'}{verb}"


@pytest.fixture
def manager(one_seat_hens: World) -> Any:
    """A researcher who runs the campaign."""
    person = make_user("manager@example.org", "researcher")
    assert name(one_seat_hens, "manager", person) == []
    return person


@pytest.mark.parametrize(("verb", "fields"), VERBS, ids=lambda value: str(value))
def test_a_manager_does_what_an_admin_does_in_this_campaign_alone(
    manager: Any, one_seat_hens: World, verb: str, fields: dict[str, Any]
) -> None:
    client, before = signed_in(manager), AuditEvent.objects.count()
    assert client.post(address(one_seat_hens, verb), fields).status_code == 302
    event = AuditEvent.objects.order_by("-pk")[0]
    assert AuditEvent.objects.count() == before + 1
    assert (event.actor, event.body["campaign"]) == (manager, str(one_seat_hens.campaign.pk))
    owner = one_seat_hens.campaign.owner
    other = open_campaign(title="Ducks", owner=owner, policy=one_seat_hens.campaign.policy)
    assert client.post(f"/campaigns/{other.pk}/{verb}", fields).status_code == 403


@pytest.mark.parametrize(("verb", "fields"), VERBS, ids=lambda value: str(value))
def test_nobody_else_runs_it(manager: Any, one_seat_hens: World, verb: str, fields: dict[str, Any]) -> None:
    others = [make_user(f"{role}@example.net", role) for role in ("researcher", "adjudicator", "consumer")]
    for person in (one_seat_hens.provider, one_seat_hens.reviewers[0], *others):
        assert signed_in(person).post(address(one_seat_hens, verb), fields).status_code == 403
    name(one_seat_hens, "manager")  # the manager is none any more
    assert signed_in(manager).post(address(one_seat_hens, verb), fields).status_code == 403
    assert Campaign.objects.get().state == "open"


def test_a_manager_names_no_managers_and_chooses_no_policy(manager: Any, one_seat_hens: World) -> None:
    client = signed_in(manager)
    assert (
        client.post(address(one_seat_hens, "edit"), {"managers": [manager.email, "reviewer0@example.org"]}).status_code
        == 403
    )
    page = client.get(address(one_seat_hens, "people")).content.decode()
    assert 'id="pick-managers"' not in page
    assert 'id="pick-adjudicators"' in page
    form = client.get(address(one_seat_hens, "terms")).context["form"]
    assert [version.pk for version in form.fields["policy"].queryset] == [one_seat_hens.campaign.policy_id]
    admin = signed_in(one_seat_hens.campaign.owner)
    assert 'id="pick-managers"' in admin.get(address(one_seat_hens, "people")).content.decode()


def test_seats_are_passed_on_and_many_steered_where_one_runs_them(manager: Any, one_seat_hens: World) -> None:
    client, owner = signed_in(manager), one_seat_hens.campaign.owner
    other = open_campaign(title="Ducks", owner=owner, policy=one_seat_hens.campaign.policy)
    seat = Seat.objects.filter(stage="offered", round__tier="human")[0]
    client.post(address(one_seat_hens, "steer"), {"person": str(seat.auditor.user.public_id)})
    assert AuditEvent.objects.filter(kind="seat.reassigned", actor=manager).exists()
    both = [str(one_seat_hens.campaign.pk), str(other.pk)]
    client.post("/campaigns/steer", {"campaigns": both, "verb": "paused"})
    assert Campaign.objects.get(pk=other.pk).state == "open"
    assert Campaign.objects.get(pk=one_seat_hens.campaign.pk).state == "paused"
    page = client.get("/campaigns").content.decode()
    assert "Tick Hens" in page
    assert "Tick Ducks" not in page


def test_a_copy_brings_its_people_and_is_run_by_who_made_it(manager: Any, one_seat_hens: World) -> None:
    judge = make_user("judge@example.org", "adjudicator")
    name(one_seat_hens, "adjudicator", judge)
    name(one_seat_hens, "reviewer", *one_seat_hens.reviewers[:2])
    client, copied = signed_in(manager), f"/campaigns/new?copy={one_seat_hens.campaign.pk}"
    terms = {"title": "Geese", "policy": one_seat_hens.campaign.policy_id}
    assert client.get("/campaigns/new").status_code == 403
    assert client.post("/campaigns/new", terms).status_code == 403
    assert client.post(copied, terms).status_code == 302
    copy = Campaign.objects.get(title="Geese")
    assert (copy.owner, *copy.managers.all(), *copy.adjudicators.all()) == (manager, manager, judge)
    assert (copy.open_to_all, copy.any_provider, copy.any_adjudicator) == (False, True, False)
    assert set(copy.reviewers.all()) == set(one_seat_hens.reviewers[:2])


def test_whoever_runs_a_campaign_neither_judges_nor_hands_in(manager: Any, one_seat_hens: World) -> None:
    # with a seat, with a trace, and a manager who would be more
    seated = Seat.objects.filter(stage="offered", round__tier="human")[0].auditor.person
    for role, person in (("manager", seated), ("manager", one_seat_hens.provider)):
        with pytest.raises(NamingRefusedError, match=person.pseudonym):
            name(one_seat_hens, role, person)
    both = make_user("both@example.org", "reviewer", "adjudicator", "provider")
    assert name(one_seat_hens, "manager", manager, both) == []
    for role in ("reviewer", "adjudicator", "provider"):
        with pytest.raises(NamingRefusedError, match=both.pseudonym):
            name(one_seat_hens, role, both)
    assert set(one_seat_hens.campaign.managers.all()) == {manager, both}
    audit = one_seat_hens.campaign.audits.get()
    seated = {auditor.user for round in audit.rounds.all() for auditor in Eligible(audit=audit).auditors(round=round)}
    assert both not in seated
    body = {"problem": "1 + 1?", "answer": "2", "campaign": str(one_seat_hens.campaign.pk)}
    assert signed_in(both).post("/api/v1/traces", body, content_type="application/json").status_code >= 400
    name(one_seat_hens, "manager", manager)
    assert signed_in(both).post("/api/v1/traces", body, content_type="application/json").status_code < 300


def test_consumers_strangers_and_closed_accounts_are_not_named(one_seat_hens: World) -> None:
    consumer = make_user("c@example.org", "consumer")
    gone = make_user("gone@example.org", "researcher")
    type(gone).objects.filter(pk=gone.pk).update(is_active=False)
    for person in (consumer, gone):
        assert name(one_seat_hens, "manager", person) == [person.email]
    assert name(one_seat_hens, "adjudicator", one_seat_hens.reviewers[0]) == ["reviewer0@example.org"]
    assert not one_seat_hens.campaign.managers.exists()


def test_the_log_says_who_was_named_and_the_manager_is_told_once(manager: Any, one_seat_hens: World) -> None:
    event = AuditEvent.objects.get(kind="campaign.managers")
    assert (event.actor, event.body["why"]) == (one_seat_hens.campaign.owner, f"now: {manager.pseudonym}")
    name(one_seat_hens, "manager")
    last = AuditEvent.objects.filter(kind="campaign.managers").order_by("-pk")[0]
    assert last.body["why"] == f"no longer: {manager.pseudonym}"
    name(one_seat_hens, "manager", manager)
    assert Notice.objects.filter(user=manager, text="You run the campaign Hens now.").count() == 1
    assert "Campaigns you run" in signed_in(manager).get("/home").content.decode()
    assert "Campaigns you run" not in signed_in(one_seat_hens.provider).get("/home").content.decode()
    assert manager.pseudonym in signed_in(manager).get(address(one_seat_hens, "terms")).content.decode()


def test_who_runs_it_stays_hidden_from_those_who_do_not(manager: Any, one_seat_hens: World) -> None:
    for person in (one_seat_hens.provider, one_seat_hens.reviewers[0], make_user("r@example.net", "researcher")):
        page = signed_in(person).get(address(one_seat_hens)).content.decode()
        assert "and 1 named manager" in " ".join(page.split())
        assert manager.pseudonym not in page
        assert manager.email not in page
        assert "pick-" not in page
        for section in ("people", "terms", "models"):
            assert address(one_seat_hens, section) not in page
            assert signed_in(person).get(address(one_seat_hens, section)).status_code == 403


def api(client: Client, world: World, page: str, method: str = "get", **body: Any) -> Any:
    path = f"/api/v1/campaigns/{world.campaign.pk}/{page}"
    return client.get(path) if method == "get" else getattr(client, method)(path, body, content_type="application/json")


def test_the_api_names_people_and_steers(manager: Any, one_seat_hens: World) -> None:
    client = signed_in(manager)
    people = api(client, one_seat_hens, "people").json()["people"]
    assert people["manager"]["people"] == [
        {"public_id": str(manager.public_id), "pseudonym": manager.pseudonym, "email": manager.email}
    ]
    assert [role for role, named in people.items() if named["everybody"]] == ["reviewer", "provider", "adjudicator"]
    two = [person.email for person in one_seat_hens.reviewers[:2]]
    named = api(client, one_seat_hens, "people", "put", role="reviewer", emails=two)
    assert [person["email"] for person in named.json()["people"]["reviewer"]["people"]] == sorted(two)
    assert api(client, one_seat_hens, "steer", "post", verb="paused").json()["state"] == "paused"
    assert api(client, one_seat_hens, "steer", "post", verb="open").json() | {"deadline": None} == {
        "changed": 1,
        "state": "open",
        "deadline": None,
    }
    assert api(client, one_seat_hens, "steer", "post", verb="extend", days=3).json()["deadline"] is not None
    assert api(client, one_seat_hens, "steer", "post", verb="remind").status_code == 200
    person = str(one_seat_hens.reviewers[0].public_id)
    assert api(client, one_seat_hens, "steer", "post", verb="pass_on", person=person).status_code == 200
    mine = client.get("/api/v1/campaigns", {"state": "open"}).json()["campaigns"]
    assert [(line["title"], line["runs"]) for line in mine] == [("Hens", True)]


def test_the_api_refuses_the_same(manager: Any, one_seat_hens: World) -> None:
    client = signed_in(manager)
    managers = api(client, one_seat_hens, "people", "put", role="manager", emails=[manager.email])
    assert managers.status_code == 403
    for role, email in (("reviewer", "nobody@example.org"), ("king", manager.email), ("reviewer", manager.email)):
        refused = api(client, one_seat_hens, "people", "put", role=role, emails=[email])
        assert refused.status_code == 400, refused.content
    for body in ({"verb": "extend"}, {"verb": "pass_on"}, {"verb": "melt"}, {"verb": "extend", "days": 0}):
        assert api(client, one_seat_hens, "steer", "post", **body).status_code == 400
    for person, code in ((one_seat_hens.provider, 403), (make_user("c@example.org", "consumer"), 403)):
        stranger = signed_in(person)
        assert api(stranger, one_seat_hens, "people").status_code == code
        assert api(stranger, one_seat_hens, "steer", "post", verb="closed").status_code == code
    assert [
        line["runs"] for line in signed_in(one_seat_hens.provider).get("/api/v1/campaigns").json()["campaigns"]
    ] == [False]
    assert Campaign.objects.get().state == "open"
