"""Every list of the one component: sorted by each column, narrowed by each filter, given alone to a script, kept."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from auditing.core.policy import FAST
from auditing.models import GoldSegment
from auditing.research.exports.selectors.scope import Filters
from auditing.research.exports.services import ask
from auditing.research.models import ExportJob
from auditing.research.policy_lab.services import publish_policy
from auditing.services.gold import add_all, read_gold
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Listed:
    """One list: where it stands, a filter and its value, how many rows stay."""

    path: str
    narrow: dict[str, str]
    left: int


LISTS = (
    Listed("/audits", {"q": "Eggs"}, 1),
    Listed("/campaigns", {"state": "closed"}, 0),
    Listed("/people", {"q": "reviewer1"}, 1),
    Listed("/gold", {"truth": "fail"}, 1),
    Listed("/gold", {"use": "no"}, 0),
    Listed("/policies", {"use": "yes"}, 1),
    Listed("/research/exports", {"dataset": "votes"}, 1),
    Listed("/adjudication", {"whose": "mine"}, 0),
    Listed("/log", {"q": "nothing like it"}, 0),
)
RECORDS: tuple[dict[str, Any], ...] = (
    {"name": "one", "domain": "school maths", "text": "2 + 2 = 4", "truth": "pass"},
    {"name": "two", "domain": "school maths", "text": "2 + 2 = 5", "truth": "fail", "error_type": "invalid_derivation"},
)


@pytest.fixture
def client(idle_hens: World) -> Client:
    """A person with every role, where each list has something but the queue of adjudicators."""
    person = make_user("lists@example.org", *Role.values)
    idle_hens.submit()
    add_all(records=[read_gold(record=record, where="test") for record in RECORDS], actor=person)
    publish_policy(policy=FAST, author=person)
    for dataset in ("votes", "outcomes"):
        ask(owner=person, dataset=dataset, format="jsonl", filters=Filters.read({}))
    return signed_in(person)


def rows_of(page: str) -> list[str]:
    body = re.search(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    return re.findall(r"<tr\b", body[1]) if body else []


@pytest.mark.parametrize("listed", LISTS, ids=lambda listed: f"{listed.path}?{'&'.join(listed.narrow)}")
def test_a_list_is_sorted_narrowed_and_kept(client: Client, listed: Listed) -> None:
    page = client.get(listed.path).content.decode()
    assert "Keep this view" in page
    assert 'id="list-filters"' in page
    for address in set(re.findall(r'id="sort-[^"]+"\s+href="([^"]+)"', page)):
        assert client.get(listed.path + address.replace("&amp;", "&")).status_code == 200
    part = client.get(listed.path, listed.narrow, headers={"HX-Request": "true", "HX-Target": "listing"})
    assert "<html" not in part.content.decode()
    assert len(rows_of(part.content.decode())) == listed.left


def test_each_row_stands_once_in_both_orders(client: Client) -> None:
    for path, sorts in (
        ("/gold", ("name", "field", "truth", "use")),
        ("/policies", ("number", "audits")),
        ("/research/exports", ("rows", "dataset")),
    ):
        for sort in sorts:
            upwards, downwards = (
                [row.pk for row in client.get(path, {"sort": sign + sort}).context["page"].rows] for sign in ("", "-")
            )
            assert len(set(upwards)) == len(upwards) >= 2
            assert upwards == downwards[::-1]


def test_nobody_sees_the_exports_of_others(client: Client) -> None:
    other = signed_in(make_user("other@example.org", "researcher"))
    assert ExportJob.objects.count() == 2
    assert other.get("/research/exports").context["page"].rows == []


def test_no_list_of_gold_shows_its_text(client: Client) -> None:
    assert GoldSegment.objects.count() == 2
    assert "2 + 2" not in client.get("/gold").content.decode()


def test_a_campaign_and_an_export_lead_to_one_page_that_needs_no_server(client: Client, idle_hens: World) -> None:
    job = ExportJob.objects.order_by("created")[0]
    for page in (f"/campaigns/{idle_hens.campaign.pk}", f"/research/exports/{job.pk}"):
        found = re.search(r'href="(/audits\.html\?[^"]*)"', client.get(page).content.decode())
        assert found is not None, page
        answer = client.get(found[1].replace("&amp;", "&"))
        assert answer["Content-Disposition"] == 'attachment; filename="audits.html"'
        assert "default-src &#x27;none&#x27;" in answer.content.decode()
