"""The corridor's pages: who sees what, before and after an audit is recorded."""

from typing import Any

import pytest
from django.test import Client

from auditing.core.values import Choice
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_provider_follows_the_own_audit_from_hand_in_to_report(idle_hens: World) -> None:
    audit = idle_hens.submit()
    client = signed_in(idle_hens.provider)
    for stage in ("submitted", "auditing", "recorded"):
        for url in (f"/audits/{audit.pk}", f"/audits/{audit.pk}/report", f"/audits/{audit.pk}/report.json", "/audits"):
            assert client.get(url).status_code == 200, (stage, url)
        if stage == "submitted":
            idle_hens.settle_machines()
        else:
            idle_hens.everybody_votes(audit, Choice.FAIL)
    report = client.get(f"/audits/{audit.pk}/report").content.decode()
    assert "What stands there" in report
    assert "It does not follow." in report


def test_a_reviewer_sees_the_seat_and_nothing_of_the_audit(idle_hens: World) -> None:
    audit = idle_hens.submit()
    idle_hens.settle_machines()
    client = signed_in(idle_hens.reviewers[0])
    desk = client.get("/desk").content.decode()
    assert "Current reasoning" in desk
    assert idle_hens.provider.email not in desk
    for url in (f"/audits/{audit.pk}", f"/audits/{audit.pk}/report", f"/api/v1/audits/{audit.pk}"):
        assert client.get(url).status_code == 404


def test_a_consumer_reads_recorded_audits_only(idle_hens: World) -> None:
    audit = idle_hens.submit()
    client = signed_in(make_user("consumer@example.org", "consumer"))
    assert client.get(f"/audits/{audit.pk}/report").status_code == 404
    idle_hens.everybody_votes(audit)
    assert client.get(f"/audits/{audit.pk}/report").status_code == 200


def test_reload_returns_the_same_seat(idle_hens: World) -> None:
    idle_hens.submit()
    idle_hens.settle_machines()
    client = signed_in(idle_hens.reviewers[0])
    seats = {client.get("/desk").context["seat"].pk for _ in range(3)}
    assert len(seats) == 1
