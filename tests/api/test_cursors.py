"""A list is read page by page; a cursor that names no row of it is refused, or a program would begin again for ever."""

from uuid import UUID

import pytest
from django.test import Client

from accounts.services.tokens import make_token
from auditing.models import Audit
from hdag.readers.records import read_record
from tests.factories.worlds import make_user, waiting_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def program() -> Client:
    secret = make_token(user=make_user("reads@example.org", "admin"), name="reads")[1]
    return Client(headers={"Authorization": f"Bearer {secret}"})


@pytest.mark.parametrize("address", ["/api/v1/audits", "/api/v1/campaigns"])
@pytest.mark.parametrize("cursor", ["rubbish", str(UUID(int=7)), "%00x"])
def test_a_cursor_that_names_no_row_is_refused(program: Client, address: str, cursor: str) -> None:
    waiting_world()
    answer = program.get(f"{address}?after={cursor}")
    assert (answer.status_code, answer.json()["detail"][:6]) == (400, "after:")


def test_a_cursor_of_the_list_goes_on_behind_its_row(program: Client) -> None:
    world = waiting_world()
    world.submit(read_record({"id": "t", "problem": "1 + 2?", "steps": ["1 + 2 = 3"]}, where="test"))
    first, second = Audit.objects.order_by("-created", "-id")[:2]
    assert program.get("/api/v1/audits?after=").json()["audits"][0]["id"] == str(first.pk)
    behind = program.get(f"/api/v1/audits?after={first.pk}").json()["audits"]
    assert [audit["id"] for audit in behind][:1] == [str(second.pk)]
