"""Consent: no text of an audit goes to a model's server before somebody agreed, and none after it was withdrawn."""

import html
from dataclasses import replace

import pytest
from django.test import Client

from auditing.models import ModelConsent, SeatAttempt
from auditing.research.policy_lab.selectors.model_calls import forecast_campaign
from auditing.research.policy_lab.services import publish_policy
from auditing.selectors.model_tier.consents import flows_of_audit
from auditing.selectors.routing.tiers import available_tiers
from auditing.selectors.soundness import askable_endpoints
from auditing.services.intake.decomposition import decompose
from auditing.services.model_tier.consents import ConsentRefusedError, agree, withdraw
from hdag.models import ChatCall, Endpoint
from tests.doubles.chat_server import run_server
from tests.factories.models import everything_moves, make_endpoint, model_seats, models_vote
from tests.factories.worlds import make_user, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _listed(server, monkeypatch):
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)


@pytest.fixture
def world(server):
    make_endpoint(server.url("oracle"), may_see="whole traces")
    return make_world()


@pytest.fixture
def admin():
    client = Client()
    client.force_login(make_user("chief@example.org", "admin"))
    return client


def withdraw_all():
    for number in ModelConsent.objects.filter(withdrawn_at=None).values_list("pk", flat=True):
        withdraw(number=number, actor=None)


def test_without_consent_no_model_is_asked_and_people_are(world):
    withdraw_all()
    audit = world.submit(whole_to_models=True)
    everything_moves(world)
    audit.refresh_from_db()
    assert (audit.stage, model_seats(audit), ChatCall.objects.count()) == ("recorded", [], 0)
    assert "llm" not in available_tiers(audit=audit)


def test_a_model_that_is_refused_seats_is_told_of_and_not_listed_as_asked(world, admin):
    audit, row = world.submit(), Endpoint.objects.get()
    row.qualification = {"refused": "it is not shown to be better than a coin"}
    row.save()
    told = admin.get(f"/api/v1/audits/{audit.pk}").json()["models"]
    assert told["asked"] == []
    assert told["unasked"].endswith(f"were refused seats ({row.name}: it is not shown to be better than a coin).")
    assert told["unasked"] in html.unescape(admin.get(f"/audits/{audit.pk}").content.decode())
    assert forecast_campaign(campaign=audit.campaign) is None


def test_a_finished_audit_names_the_models_that_were_asked_and_not_those_of_today(world, admin, server):
    audit = world.submit(whole_to_models=True)
    everything_moves(world)
    asked = Endpoint.objects.get()
    Endpoint.objects.update(enabled=False)
    make_endpoint(server.url("oracle"), name="of today", may_see="whole traces")
    told = admin.get(f"/api/v1/audits/{audit.pk}").json()
    assert model_seats(audit)
    assert (told["stage"], [line["endpoint"] for line in told["models"]["asked"]]) == ("recorded", [asked.name])


def test_a_consent_that_is_withdrawn_stops_seats_that_are_held_already(world):
    audit = world.submit()
    world.settle_machines()
    assert model_seats(audit)
    withdraw_all()
    models_vote()
    assert ChatCall.objects.count() == 0
    assert {attempt.failure for attempt in SeatAttempt.objects.all()} == {"no_consent"}


def test_a_consent_is_for_one_campaign_one_policy_and_one_server(world, server):
    audit, row = world.submit(), Endpoint.objects.get()
    other = publish_policy(policy=replace(world_policy(audit), reward=11), author=None)
    assert "llm" in available_tiers(audit=audit)
    audit.policy = other
    assert "llm" not in available_tiers(audit=audit)
    audit.refresh_from_db()
    audit.campaign = None
    assert "llm" not in available_tiers(audit=audit)
    audit.refresh_from_db()
    row.base_url = "https://elsewhere.example.com/v1"
    row.save()
    assert "llm" not in available_tiers(audit=audit)
    assert [flow.server for flow in flows_of_audit(audit=audit)] == ["https://elsewhere.example.com"]


def world_policy(audit):
    from auditing.selectors.policy.versions import load_policy

    return load_policy(version=audit.policy)


def test_segments_alone_open_neither_decomposition_nor_soundness(world):
    row = Endpoint.objects.get()
    audit = world.submit(whole_to_models=True, decomposer="llm")
    agree(endpoint=row, policy=audit.policy, campaign=audit.campaign, extent="segments only", actor=None)
    assert askable_endpoints(audit=audit) == []
    decompose(audit=audit)
    assert ChatCall.objects.count() == 0
    agree(endpoint=row, policy=audit.policy, campaign=audit.campaign, extent="whole traces", actor=None)
    assert askable_endpoints(audit=audit) == [row]
    assert ModelConsent.objects.filter(withdrawn_at=None).count() == 1


def test_nobody_can_agree_to_more_than_the_endpoint_may_see(server):
    row = make_endpoint(server.url("oracle"))
    campaign = make_world().campaign
    with pytest.raises(ConsentRefusedError, match="segments only at most"):
        agree(endpoint=row, policy=campaign.policy, campaign=campaign, extent="whole traces", actor=None)


def test_pages_and_api_say_that_nobody_agreed_and_take_the_consent(world, admin):
    withdraw_all()
    audit, row = world.submit(), Endpoint.objects.get()
    world.settle_machines()
    sentence = "No language model is asked: nobody has agreed that texts of this campaign"
    campaign_page = f"/campaigns/{world.campaign.pk}"
    assert all(sentence in admin.get(page).content.decode() for page in (campaign_page, f"/audits/{audit.pk}"))
    assert admin.get(f"/api/v1/audits/{audit.pk}").json()["models"]["unasked"].startswith(sentence)
    fields = {"endpoint": row.pk, "campaign": world.campaign.pk, "policy": audit.policy_id, "extent": "segments only"}
    assert admin.post("/endpoints/consents", fields).status_code == 302
    assert all(sentence not in admin.get(page).content.decode() for page in (campaign_page, f"{campaign_page}/models"))
    consent = ModelConsent.objects.get(withdrawn_at=None)
    assert consent.server in admin.get("/endpoints/consents").content.decode()
    told = admin.get(f"/api/v1/audits/{audit.pk}").json()["models"]
    assert [flow["server"] for flow in told["asked"]] == [consent.server]
    assert admin.post(f"/endpoints/consents/{consent.pk}/withdraw").status_code == 302
    assert not ModelConsent.objects.filter(withdrawn_at=None)


def test_consents_are_given_and_withdrawn_through_the_api(world, admin):
    withdraw_all()
    row, campaign = Endpoint.objects.get(), world.campaign
    body = {"campaign": str(campaign.pk), "policy": campaign.policy.number, "extent": "whole traces"}
    address = f"/api/v1/endpoints/{row.pk}/consents"
    given = admin.post(address, body, content_type="application/json")
    assert (given.status_code, given.json()["extent"]) == (201, "whole traces"), given.content
    assert admin.post(f"/api/v1/consents/{given.json()['id']}/withdraw").status_code == 200
    assert admin.get(address).json()["consents"][0]["withdrawn_at"]
