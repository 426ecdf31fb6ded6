"""Titles and tags in any script: one spelling, the same words for a blank one, found however they are typed."""

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from auditing.models import Audit
from auditing.research.campaigns.services.campaigns import open_campaign
from hdag.models import Trace
from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
COMPOSED, APART = "\u00e9tude", "e\u0301tude"
BLANKS = ["", "   ", "\n\t", "\u3000", "\u200b"]  # the last two: an ideographic and a zero-width space


@pytest.fixture
def client(idle_hens: World) -> Client:
    return signed_in(idle_hens.provider)


def hand_in(client: Client, **fields: Any) -> Trace:
    body = {"problem": "What is 2 + 2?", "answer": "4", "copy": True, **fields}
    audit = client.post("/api/v1/traces", data=json.dumps(body), content_type="application/json").json()["audit"]
    return Audit.objects.get(pk=audit).trace


def listed(client: Client, words: str, path: str = "/audits") -> list[Any]:
    return list(client.get(path, {"q": words}).context["page"].rows)


@pytest.mark.parametrize("title", BLANKS, ids=ascii)
def test_a_blank_title_falls_back_to_the_same_words_whichever_way_it_came(
    client: Client, idle_hens: World, title: str
) -> None:
    trace = hand_in(client, title=title)
    assert trace.title == f"Trace {str(trace.pk)[:8]}"
    line = json.dumps({"problem": "What is 3 + 3?", "answer": "6", "title": title}).encode()
    client.post("/submit/file", {"campaign": idle_hens.campaign.pk, "file": SimpleUploadedFile("t.jsonl", line)})
    record = {"problem": "What is 4 + 4?", "answer": "8", "title": title, "domain": "finance"}
    client.post("/submit", {**record, "campaign": idle_hens.campaign.pk})
    assert all(row.title == f"Trace {str(row.pk)[:8]}" for row in Trace.objects.all())
    assert Trace.objects.count() == 3


def test_two_spellings_of_a_letter_are_one_tag(client: Client) -> None:
    assert hand_in(client, tags=[f" {APART} ", COMPOSED]).tags == [COMPOSED]


@pytest.mark.parametrize("stored", [COMPOSED, APART], ids=["composed", "apart"])
@pytest.mark.parametrize("typed", [COMPOSED, APART], ids=["typed composed", "typed apart"])
def test_a_list_is_searched_in_either_spelling(client: Client, idle_hens: World, stored: str, typed: str) -> None:
    by_title, by_tag = hand_in(client, title=f"An {stored}"), hand_in(client, tags=[stored])
    Trace.objects.filter(pk=by_title.pk).update(title=f"An {stored}")  # as it was stored before
    Trace.objects.filter(pk=by_tag.pk).update(tags=[stored])
    hand_in(client, title="Another")
    assert {audit.trace_id for audit in listed(client, typed)} == {by_title.pk, by_tag.pk}
    admin = idle_hens.campaign.owner
    open_campaign(title=f"{stored}s", owner=admin, policy=idle_hens.campaign.policy)
    assert [row.title for row in listed(signed_in(admin), typed, "/campaigns")] == [f"{stored}s"]


def test_a_title_of_another_direction_is_isolated_from_its_row(client: Client, idle_hens: World) -> None:
    title = "\u05de\u05d1\u05d7\u05df 1 \u202e!"
    trace = hand_in(client, title=title, tags=["\u05ea\u05d2"])
    audit = Audit.objects.get()
    for page in ("/audits", f"/audits/{audit.pk}", f"/audits/{audit.pk}/report"):
        assert re.search(rf"<bdi\s*>{re.escape(trace.title)}</bdi>", client.get(page).content.decode()), page
