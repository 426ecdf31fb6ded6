"""Lists: sorted by any column, cut by keys, narrowed at once, told whole by their address."""

from itertools import pairwise

import pytest
from django.test import Client

from accounts.listing import Query, page_of, read_query, read_sort
from accounts.models import User
from accounts.selectors import people
from auditing.models import Audit
from auditing.research.reports.selectors.audits import COLUMNS, AuditFilter, list_audits, readable
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in
from tests.pages.test_trace_page import WRONG, long_trace

pytestmark = pytest.mark.django_db
SORTS = [f"{sign}{column.name}" for column in COLUMNS if column.field for sign in ("", "-")]


@pytest.fixture(scope="module")
def audits(_idle_hens: World) -> list[Audit]:
    audits = [_idle_hens.submit(trace) for trace in (WRONG, long_trace(2), long_trace(3), long_trace(4), long_trace(5))]
    _idle_hens.settle_machines()
    return audits


@pytest.fixture
def client(idle_hens: World) -> Client:
    return signed_in(idle_hens.provider)


def value_of(audit: Audit, sort: str) -> object:
    value: object = audit
    for name in next(column.field for column in COLUMNS if column.name == sort.strip("-")).split("__"):
        value = getattr(value, name)
    return value


@pytest.mark.parametrize("sort", SORTS)
def test_pages_of_every_order_hold_every_row_once(idle_hens: World, audits: list[Audit], sort: str) -> None:
    rows, after, seen = readable(user=idle_hens.provider).select_related("trace", "campaign"), "", []
    while True:
        page = page_of(rows=rows, columns=COLUMNS, sort=sort, after=after, size=2)
        seen += page.rows
        after = page.next
        if not after:
            break
    assert sorted(str(audit.pk) for audit in seen) == sorted(str(audit.pk) for audit in audits)
    values = [value_of(audit, sort) for audit in seen]
    assert all(not a > b if sort[0] != "-" else not a < b for a, b in pairwise(values))
    assert page.total == 5


def test_the_address_says_the_order_and_what_the_list_is_narrowed_to(client: Client, audits: list[Audit]) -> None:
    answer = client.get("/audits", {"sort": "-title", "q": "Pens"})
    assert [audit.trace.title for audit in answer.context["page"].rows] == ["Pens 5", "Pens 4", "Pens 3", "Pens 2"]
    body = " ".join(answer.content.decode().split())
    assert 'aria-sort="descending"' in body
    assert "4 audits" in body
    assert 'href="?sort=title&amp;q=Pens"' in body


def test_a_script_is_given_the_list_alone(client: Client, audits: list[Audit]) -> None:
    body = client.get("/audits", headers={"HX-Request": "true", "HX-Target": "listing"}).content.decode()
    assert body.lstrip().startswith("<div")
    assert "<html" not in body


def test_a_cursor_of_what_the_reader_may_not_see_is_none(idle_hens: World, audits: list[Audit]) -> None:
    stranger = make_user("other-provider@example.org", "provider")
    rows = readable(user=stranger)
    assert page_of(rows=rows, columns=COLUMNS, sort="title", after=str(audits[0].pk)).rows == []
    everything = list_audits(user=idle_hens.provider, filter=AuditFilter(), after="9" * 5_000)
    assert len(everything.rows) == 5


def test_no_unknown_word_sorts_a_list() -> None:
    assert read_sort({"sort": "trace__provider__email"}, COLUMNS, "-created") == "-created"
    assert read_sort({"sort": "change"}, people.COLUMNS, "email") == "email"


def asked(**values: str) -> Query:
    return read_query(values, filters=people.FILTERS, columns=people.COLUMNS, default="email")


def test_people_are_narrowed_by_role_and_by_letters(idle_hens: World) -> None:
    make_user("zoe@example.org", "researcher")
    assert "zoe@example.org" in {person.email for person in people.people_page(query=asked(role="researcher")).rows}
    assert User.objects.count() == people.people_page(query=asked(role="nobody")).total
    assert [person.email for person in people.people_page(query=asked(q="ZOE@")).rows] == ["zoe@example.org"]
