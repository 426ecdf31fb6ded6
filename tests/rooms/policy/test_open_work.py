"""What the open audits of a campaign take."""

import pytest
from django.test import Client

from auditing.models import Audit, AuditEvent, Round
from auditing.research.policy_lab.selectors.hindsight import open_work
from auditing.research.reports.selectors.event_words import sentence
from tests.factories.worlds import World

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
