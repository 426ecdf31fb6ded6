"""A claim, a desk and a vote read some of the columns, and none of the others later, one by one."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client

from accounts.services.tokens import make_token
from auditing.core.policy import FAST, Policy
from tests.api.test_statements import LIMITED, PASSAGES, SHORT
from tests.factories.worlds import waiting_world
from tests.tools.reviewer import NEXT, Reviewer

pytestmark = pytest.mark.django_db


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every column that Django fetches because somebody asks a row for what was not read."""
    columns: list[str] = []
    refresh = Model.refresh_from_db

    def watched(self: Model, using: str | None = None, fields: Sequence[str] | None = None, **options: Any) -> None:
        columns.extend(f"{type(self).__name__}.{name}" for name in fields or () if name in self.get_deferred_fields())
        refresh(self, using, fields, **options)

    monkeypatch.setattr(Model, "refresh_from_db", watched)
    return columns


@pytest.mark.parametrize("policy", [FAST, SHORT, LIMITED, PASSAGES], ids=["fast", "short", "limited", "passages"])
def test_programs_vote_until_windows_end_and_nothing_is_read_late(policy: Policy, late: list[str]) -> None:
    world, judge, sealed = waiting_world(reviewers=4, policy=policy), Reviewer(client=None), 0  # type: ignore[arg-type]
    for person in world.reviewers:
        client = Client(headers={"authorization": f"Bearer {make_token(user=person, name='late')[1]}"})
        while (desk := client.post(NEXT, content_type="application/json").json())["seat"]:
            answer = client.post(desk["sealing"]["url"], judge.sealed(desk), content_type="application/json")
            assert answer.status_code == 200
            sealed += 1
    assert sealed
    assert late == []


def test_the_page_of_the_desk_reads_nothing_late(late: list[str]) -> None:
    client = Client()
    client.force_login(waiting_world(policy=PASSAGES).reviewers[0], backend="django.contrib.auth.backends.ModelBackend")
    for _ in range(2):  # claimed, and opened again
        assert "Current" in client.get("/desk").content.decode()
    assert late == []
