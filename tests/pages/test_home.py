"""Home: what a person finds after signing in, by role."""

from datetime import timedelta

import pytest
from django.test import Client

from auditing.models import Campaign
from auditing.research.campaigns.selectors.home import concerns, reviewer_home, spent_lately
from auditing.research.population.demo import GOLD
from auditing.selectors.clock import database_now
from auditing.selectors.policy.versions import latest_policy
from auditing.services.gold.sets import import_jsonl
from auditing.services.points.transfers import stake_newcomers
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db


def signed_in(user):
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def text_of(answer):
    return " ".join(answer.content.decode().split())


def test_the_front_page_leads_home_whoever_has_a_role_and_nobody_else(recorded_hens):
    assert signed_in(recorded_hens.reviewers[0]).get("/").headers["Location"] == "/home"
    assert signed_in(recorded_hens.reviewers[0]).get("/?about=1").status_code == 200
    assert Client().get("/").status_code == 200
    assert Client().get("/home").status_code == 302


def test_a_reviewer_reads_how_the_last_votes_ended(recorded_hens):
    reviewer = recorded_hens.reviewers[0]
    home = reviewer_home(auditor=auditor_of(user=reviewer))
    assert home.seats == 0
    assert home.as_decided == len(home.decided) > 0
    assert "No seat waits for you now" in text_of(signed_in(reviewer).get("/home"))


def test_a_provider_reads_the_own_traces_by_outcome(recorded_hens, recorded_audit):
    page = text_of(signed_in(recorded_audit.trace.provider).get("/home"))
    assert f'href="/audits/{recorded_audit.pk}/report"' in page
    stranger = make_user("other@example.org", "provider")
    assert "You have handed in nothing yet." in text_of(signed_in(stranger).get("/home"))


def test_the_stakes_of_newcomers_are_no_cost_of_the_week(recorded_hens):
    before, version = spent_lately(now=database_now()), latest_policy()
    auditor_of(user=make_user("new@example.org", "reviewer"))
    assert stake_newcomers(policy=version, stake=1_000)
    assert spent_lately(now=database_now()) == before


def test_a_campaign_without_work_is_never_late(recorded_hens):
    Campaign.objects.update(deadline=database_now() - timedelta(days=1))
    assert concerns(now=database_now()) == []


@pytest.mark.parametrize("role", ["reviewer", "adjudicator", "provider", "admin", "researcher", "consumer"])
def test_home_costs_a_constant_number_of_queries(role, recorded_hens, django_assert_max_num_queries):
    client = signed_in(make_user(f"new-{role}@example.org", role))
    client.get("/home")
    with django_assert_max_num_queries(16):
        assert client.get("/home").status_code == 200


def test_who_has_voted_is_led_through_no_tour(recorded_hens):
    with GOLD.open("rb") as lines:
        import_jsonl(lines=lines, actor=None)
    assert "First time here?" not in signed_in(recorded_hens.reviewers[0]).get("/home").content.decode()
