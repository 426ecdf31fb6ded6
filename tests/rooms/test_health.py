"""The health page."""

import time
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from trustweb.celery import ANSWERED, answer
from trustweb.health import SILENT_SECONDS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh() -> Any:
    cache.clear()
    yield
    cache.clear()


def test_the_health_page_answers() -> None:
    assert Client().get("/healthz").json() == {"status": "ok"}
    assert Client().get("/healthz/reading").json() == {"status": "ok"}


def test_a_worker_that_answered_lately_is_no_trouble() -> None:
    answer()
    assert Client().get("/healthz").status_code == 200


def test_a_worker_that_is_silent_for_long_is_named_and_readers_are_still_sent() -> None:
    cache.set(ANSWERED, time.time() - SILENT_SECONDS - 1, None)
    health, reading = Client().get("/healthz"), Client().get("/healthz/reading")
    assert (health.status_code, list(health.json()["troubles"])) == (503, ["worker"])
    assert (reading.status_code, list(reading.json()["troubles"])) == (200, ["worker"])


def test_a_database_that_takes_no_writes_is_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
    assert Client().get("/healthz").json()["troubles"] == {"database": "The database is read only."}
