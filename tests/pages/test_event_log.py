"""The log of everything: for admins, narrowed by who, what and when, cut by keys, as a file."""

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client

from auditing.models import Audit, AuditEvent
from auditing.selectors.clock import database_now
from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(recorded_hens: World) -> Client:
    return signed_in(recorded_hens.campaign.owner)


def kinds(client: Client, **query: str) -> set[str]:
    return {event.kind for event in client.get("/log", query).context["page"].rows}


def test_the_newest_events_come_first_and_every_one_is_reached(admin: Client) -> None:
    seen, after = [], ""
    while True:
        page = admin.get("/log", {"after": after}).context["page"]
        seen += [event.pk for event in page.rows]
        after = page.next
        if not after:
            break
    assert seen == list(AuditEvent.objects.order_by("-pk").values_list("pk", flat=True))
    assert page.total == len(seen)


def test_it_is_narrowed_by_kind_person_id_and_day(admin: Client, recorded_hens: World, recorded_audit: Audit) -> None:
    assert kinds(admin, kind="audit.recorded") == {"audit.recorded"}
    assert kinds(admin, q=recorded_hens.provider.email) == {"audit.submitted"}
    assert "audit.recorded" in kinds(admin, q=str(recorded_audit.pk))
    assert kinds(admin, q=str(recorded_hens.campaign.pk)) == {"campaign.opened"}
    tomorrow = (database_now() + timedelta(days=1)).date().isoformat()
    assert kinds(admin, since=tomorrow) == set()
    assert kinds(admin, until="2001-01-01") == set()
    assert kinds(admin, since="no day") == kinds(admin)


def test_the_file_holds_what_the_address_says(admin: Client) -> None:
    answer = admin.get("/log", {"kind": "audit.recorded", "format": "csv"})
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0] == ["when", "kind", "sentence", "who", "audit", "facts"]
    assert [row[1] for row in rows[1:]] == ["audit.recorded"]


def test_nobody_but_an_admin_reads_it(recorded_hens: World) -> None:
    for person in (recorded_hens.provider, recorded_hens.reviewers[0]):
        assert signed_in(person).get("/log").status_code == 403


def test_a_page_of_the_log_takes_a_constant_number_of_statements(
    admin: Client, django_assert_max_num_queries: object
) -> None:
    admin.get("/log")
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        admin.get("/log")
