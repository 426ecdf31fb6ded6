"""Who makes the graph: chosen when a trace is handed in, and asked for again before an auditor takes a seat."""

from typing import Any

import pytest
from django.test import Client

from auditing.core.policy import Grain
from auditing.models import Audit
from auditing.services.intake import decomposition
from auditing.services.intake.decomposers import HandedOverError, progress_of
from hdag.models import Decomposition
from tests.factories.worlds import ONE_SEAT, PROBLEM, THINKING, World, make_user, make_world
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
LLM = {"decomposer": "llm", "whole_to_models": True}


@pytest.fixture
def client(idle_hens: World) -> Client:
    return signed_in(idle_hens.provider)


def handed_in(world: World, client: Client, **said: Any) -> Any:
    typed = {"campaign": world.campaign.pk, "domain": "school maths", "problem": PROBLEM, "thinking": THINKING}
    return client.post("/submit", typed | said)


def posted(client: Client, url: str, body: dict[str, Any]) -> Any:
    return client.post(url, body, content_type="application/json")


def test_a_provider_chooses_the_model_on_the_page_and_reads_why_rules_stood_in(
    idle_hens: World, client: Client
) -> None:
    assert handed_in(idle_hens, client, **LLM).status_code == 302
    audit = Audit.objects.get()
    assert audit.job.decomposer == "llm"
    idle_hens.walk()
    body = client.get(f"/audits/{audit.pk}/graph").content.decode()
    assert "by rules, because no enabled endpoint may see whole traces" in body


@pytest.mark.parametrize("door", ["page", "api"])
def test_a_model_is_not_chosen_without_the_agreement_that_it_needs(idle_hens: World, client: Client, door: str) -> None:
    if door == "page":
        page = handed_in(idle_hens, client, decomposer="llm")
    else:
        page = posted(client, "/api/v1/traces", {"problem": "p", "thinking": THINKING, "decomposer": "llm"})
    assert page.status_code == 400
    assert "may see whole" in page.content.decode()
    assert not Audit.objects.exists()


def test_the_api_takes_the_choice_and_tells_the_job(idle_hens: World, client: Client) -> None:
    body = {"problem": "p", "thinking": THINKING, **LLM}
    audit = posted(client, "/api/v1/traces", body).json()["audit"]
    job = client.get(f"/api/v1/audits/{audit}/graph").json()
    assert (job["decomposer"], job["state"]) == ("llm", "waiting")
    assert posted(client, "/api/v1/traces", {**body, "decomposer": "magic"}).status_code == 400


@pytest.mark.parametrize("door", ["page", "api"])
def test_another_graph_is_another_audit_linked_both_ways(idle_hens: World, client: Client, door: str) -> None:
    old = idle_hens.submit()
    idle_hens.settle_machines()
    url = f"/audits/{old.pk}/graph/again" if door == "page" else f"/api/v1/audits/{old.pk}/graph"

    def ask() -> int:
        return int((client.post(url, LLM) if door == "page" else posted(client, url, LLM)).status_code)

    assert ask() in (201, 302)
    made = Audit.objects.select_related("trace", "decomposition").get(follows=old)
    old.refresh_from_db()
    assert (old.stage, made.stage, made.job.decomposer) == ("withdrawn", "submitted", "llm")
    assert made.trace.whole_to_models
    assert str(made.pk) in client.get(f"/audits/{old.pk}").content.decode()
    assert str(old.pk) in client.get(f"/audits/{made.pk}").content.decode()
    assert ask() in (400, 409)


def test_no_graph_is_made_again_once_an_auditor_has_taken_a_seat(idle_hens: World, client: Client) -> None:
    old = idle_hens.submit()
    idle_hens.settle_machines()
    assert signed_in(idle_hens.reviewers[0]).get("/desk").status_code == 200
    assert "An auditor has taken a seat" in client.get(f"/audits/{old.pk}/graph").content.decode()
    assert posted(client, f"/api/v1/audits/{old.pk}/graph", LLM).status_code == 409
    idle_hens.everybody_votes(old)
    assert posted(client, f"/api/v1/audits/{old.pk}/graph", LLM).status_code == 409
    old.refresh_from_db()
    assert old.stage == "recorded"


def test_an_admin_may_ask_again_but_not_agree_in_the_providers_name(idle_hens: World) -> None:
    old, admin = idle_hens.submit(), signed_in(make_user("boss@example.org", "admin"))
    assert posted(admin, f"/api/v1/audits/{old.pk}/graph", LLM).status_code == 409
    assert admin.post(f"/audits/{old.pk}/graph/again", LLM).status_code == 400
    assert posted(admin, f"/api/v1/audits/{old.pk}/graph", {"decomposer": "rules"}).status_code == 201


@pytest.mark.parametrize("role", ["reviewer", "researcher", "provider"])
def test_nobody_else_asks_for_a_graph(idle_hens: World, role: str) -> None:
    old, other = idle_hens.submit(), signed_in(make_user("x@example.org", role))
    assert other.post(f"/audits/{old.pk}/graph/again", LLM).status_code in (403, 404)
    assert posted(other, f"/api/v1/audits/{old.pk}/graph", LLM).status_code in (403, 404)


def test_a_refused_trace_can_be_given_to_the_other_decomposer(idle_hens: World, client: Client) -> None:
    old = idle_hens.submit()
    decomposition._refuse(old, "too many sentences")
    assert posted(client, f"/api/v1/audits/{old.pk}/graph", LLM).status_code == 201
    old.refresh_from_db()
    assert (old.stage, old.failure) == ("failed", "too many sentences")


def test_progress_stands_on_the_page_with_what_is_being_asked(idle_hens: World, client: Client) -> None:
    audit = idle_hens.submit()
    progress_of(audit=audit)("relations", 1, 1)
    body = client.get(f"/audits/{audit.pk}/graph").content.decode()
    assert "65 %: relating the segments" in body.replace("\xa0", " ") or "65%: relating" in body


def test_a_job_is_handed_over_in_time_and_stops_when_its_audit_is_withdrawn(idle_hens: World) -> None:
    audit = idle_hens.submit()
    with pytest.raises(HandedOverError):
        progress_of(audit=audit, seconds=-1)("levels", 1, 1)
    decomposition.decompose_again(audit=audit, decomposer="rules", actor=idle_hens.provider)
    with pytest.raises(HandedOverError):
        progress_of(audit=audit)("levels", 1, 1)
    assert Decomposition.objects.get(pk=audit.job.pk).state == "waiting"


@pytest.mark.usefixtures("empty_database")
def test_a_graph_that_comes_after_its_audit_was_withdrawn_moves_nothing() -> None:
    audit = make_world(reviewers=1, policy=ONE_SEAT, grain=Grain.PASSAGE).submit()
    Audit.objects.filter(pk=audit.pk).update(stage="withdrawn")
    assert not decomposition.decompose(audit=audit)
    audit.refresh_from_db()
    assert (audit.stage, audit.job.derived_from_id) == ("withdrawn", None)
