"""The health page."""

import pytest


@pytest.mark.django_db
def test_the_health_page_answers(client):
    assert client.get("/healthz").json() == {"status": "ok"}
