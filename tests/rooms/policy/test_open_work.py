"""What the open audits of a campaign take."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from auditing.models import Audit, AuditEvent, Round
from auditing.research.policy_lab.selectors.hindsight import campaign_forecasts, hindsight_of, open_work
from auditing.research.reports.selectors.event_words import sentence
from tests.factories.consents import agree_to_all
from tests.factories.models import make_endpoint
from tests.factories.worlds import TRACE, World, make_world

pytestmark = pytest.mark.django_db


def test_the_campaign_s_forecast_says_what_open_audits_take(waiting_hens: World) -> None:
    work = open_work(campaign=waiting_hens.campaign)
    audit = Audit.objects.get(stage="auditing")
    assert work.seats == pytest.approx(sum(Round.objects.filter(audit=audit, tier="human").values_list("k", flat=True)))
    client = Client()
    client.force_login(waiting_hens.campaign.owner, backend="django.contrib.auth.backends.ModelBackend")
    page = " ".join(client.get(f"/campaigns/{waiting_hens.campaign.pk}/forecast").content.decode().split())
    assert "What it takes" in page
    assert f"{len(waiting_hens.reviewers)} reviewers" in page


def test_a_batch_of_one_is_not_said_to_be_mixed(waiting_hens: World) -> None:
    event = AuditEvent.objects.get(kind="batch.closed")
    assert event.body["traces"] == 1
    assert "unmixed" in sentence(event=event)
    event.body["traces"] = 2
    assert "mixed with others" in sentence(event=event)


@pytest.mark.usefixtures("empty_database")
def test_each_page_of_a_campaign_with_open_and_recorded_audits_and_a_model_takes_twelve_statements_at_most() -> None:
    world = make_world()
    world.everybody_votes(world.submit())
    make_endpoint("https://models.example.com/v1")
    agree_to_all()
    world.submit(replace(TRACE, thinking=f"{TRACE.thinking}\n\nThat is all."))
    world.settle_machines()
    both = campaign_forecasts(campaign=world.campaign)
    assert None not in both
    assert both == (open_work(campaign=world.campaign), hindsight_of(campaign=world.campaign))
    client = Client()
    client.force_login(world.campaign.owner, backend="django.contrib.auth.backends.ModelBackend")
    counts = {}
    for section in ("", "/people", "/figures", "/forecast", "/models", "/terms"):
        client.get(f"/campaigns/{world.campaign.pk}{section}")
        with CaptureQueriesContext(connection) as statements:
            assert client.get(f"/campaigns/{world.campaign.pk}{section}").status_code == 200
        counts[section] = len(statements)
    assert max(counts.values()) <= 12, counts
