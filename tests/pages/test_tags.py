"""Tags of a trace: the provider's words, set when it is handed in, searched, exported, and erased with it."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from auditing.models import Audit
from auditing.research.erasure.services import ask, confirm
from auditing.research.exports.formats import DATASETS
from auditing.research.exports.formats.datasets import OF_NO_TRACE
from auditing.research.exports.selectors.scope import Filters
from auditing.research.exports.services import rows_of
from hdag.models import Trace
from tests.factories.worlds import PROBLEM, THINKING, World, make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
BODY: dict[str, Any] = {"problem": PROBLEM, "thinking": THINKING, "domain": "school maths"}


def hand_in(world: World, tags: Any) -> Any:
    return signed_in(world.provider).post("/api/v1/traces", {**BODY, "tags": tags}, content_type="application/json")


def test_the_api_takes_tags_and_they_change_no_digest(idle_hens: World) -> None:
    assert hand_in(idle_hens, ["pilot", "easy", "pilot"]).status_code == 201
    assert Trace.objects.get().tags == ["pilot", "easy"]
    assert hand_in(idle_hens, ["other"]).status_code == 200
    assert Trace.objects.get().tags == ["pilot", "easy"]


@pytest.mark.parametrize("tags", [["x" * 41], ["a,b"], [7], [str(number) for number in range(11)], "a\nb,c"])
def test_what_is_no_tag_is_refused_and_nothing_is_stored(idle_hens: World, tags: Any) -> None:
    assert hand_in(idle_hens, tags).status_code == 400
    assert not Trace.objects.exists()


def test_the_forms_take_tags_with_commas_between(idle_hens: World) -> None:
    client = signed_in(idle_hens.provider)
    where = {"campaign": str(idle_hens.campaign.pk), "domain": "school maths"}
    client.post("/submit", {**where, **BODY, "tags": "pilot, second  week"})
    line = json.dumps({"problem": "What is 2 + 2?", "answer": "4"}).encode()
    client.post("/submit/file", {**where, "tags": "batch 7", "file": SimpleUploadedFile("a.jsonl", line)})
    assert sorted(Trace.objects.values_list("tags", flat=True)) == [["batch 7"], ["pilot", "second week"]]
    assert client.post("/submit", {**where, **BODY, "tags": "x" * 41}).status_code == 400


def test_lists_and_reports_show_and_find_them(idle_hens: World) -> None:
    hand_in(idle_hens, ["pilot"])
    idle_hens.submit()
    client, audit = signed_in(idle_hens.provider), Audit.objects.get(trace__tags=["pilot"])
    assert [row.pk for row in client.get("/audits", {"q": "pilot"}).context["page"].rows] == [audit.pk]
    assert "pilot" in client.get(f"/audits/{audit.pk}/report").content.decode()
    assert client.get(f"/audits/{audit.pk}/report.json").json()["tags"] == ["pilot"]


def test_no_reviewer_sees_them(idle_hens: World) -> None:
    hand_in(idle_hens, ["secretpilot"])
    idle_hens.settle_machines()
    for person in idle_hens.reviewers:
        assert "secretpilot" not in signed_in(person).get("/desk").content.decode()


def test_every_data_set_has_them_until_the_text_is_erased(idle_hens: World) -> None:
    hand_in(idle_hens, ["pilot", "easy"])
    idle_hens.everybody_votes(audit := Audit.objects.get())
    owner = make_user("takes@example.org", "researcher")

    def tags_in(dataset: str) -> set[Any]:
        rows = rows_of(owner=owner, dataset=dataset, filters=Filters.read({}), salt="s", with_text=False)
        return {row["tags"] for row in rows}

    named = {name: tags_in(name) for name in DATASETS if name not in OF_NO_TRACE}
    assert {name: tags for name, tags in named.items() if tags - {"pilot, easy"}} == {}
    assert {"votes", "outcomes", "segments"} <= {name for name, tags in named.items() if tags}
    request = ask(trace=audit.trace, by=idle_hens.provider, because="")
    if request.decided_at is None:
        confirm(erasure=request, by=idle_hens.campaign.owner)
    assert Trace.objects.get().tags == []
