"""Times on pages stand in the reader's own zone; those for programs in UTC."""

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from auditing.models import Audit

pytestmark = pytest.mark.django_db


def test_times_stand_in_the_readers_zone_on_pages_alone(recorded_hens: Any) -> None:
    client = Client()
    client.force_login(recorded_hens.provider, backend="django.contrib.auth.backends.ModelBackend")
    client.cookies["zone"] = "Asia/Kolkata"
    audit = Audit.objects.get(stage="recorded")
    local = audit.created.astimezone(ZoneInfo("Asia/Kolkata"))
    assert f"{local:%Y-%m-%d %H:%M} IST" in client.get(f"/audits/{audit.pk}/report").content.decode()
    assert timezone.get_current_timezone_name() == "UTC"
    client.cookies["zone"] = "UTC"
    told = client.get("/api/v1/audits").json()
    client.cookies["zone"] = "Asia/Kolkata"
    assert client.get("/api/v1/audits").json() == told


@pytest.mark.parametrize("zone", ["", "../../etc/passwd", "No/Where", "Europe", "\x00", "x" * 5_000])
def test_a_zone_that_nobody_knows_is_utc(recorded_hens: Any, zone: str) -> None:
    client = Client()
    client.force_login(recorded_hens.provider, backend="django.contrib.auth.backends.ModelBackend")
    client.cookies["zone"] = zone
    audit = Audit.objects.get(stage="recorded")
    assert f"{audit.created:%Y-%m-%d %H:%M} UTC" in client.get(f"/audits/{audit.pk}/report").content.decode()
