"""Asking for exports: several data sets by ticks, and how a copy is checked against its hash."""

import html
import io
import re
import tarfile
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from auditing.research.exports import services
from auditing.research.models import ExportJob
from auditing.selectors.clock import database_now
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
CHOICES = {"gold": "any", "simulated": "any", "imported": "without"}


@pytest.fixture
def client(recorded_hens: World, settings: Any, tmp_path: Path) -> Client:
    settings.EXPORT_DIR = tmp_path
    return signed_in(make_user("researcher@example.org", "researcher"))


def test_data_sets_are_ticked_and_form_one_bundle(client: Client) -> None:
    page = client.get("/research/exports").content.decode()
    assert re.findall(r'<input type="checkbox" name="dataset" value="(\w+)"[^>]*checked', page) == ["votes"]
    assert '<label class="check" for="id_dataset_2">' in page
    asked = {**CHOICES, "dataset": ["votes", "outcomes"], "format": "parquet"}
    assert client.post("/research/exports", asked).status_code == 302
    assert sorted(ExportJob.objects.values_list("dataset", flat=True)) == ["outcomes", "votes"]
    assert ExportJob.objects.values("bundle").distinct().count() == 1
    refused = client.post("/research/exports", {**CHOICES, "format": "parquet"})
    assert refused.status_code == 400
    assert "This field is required." in refused.content.decode()


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet", "hugging_face"])
def test_what_the_page_says_computes_the_hash_of_the_file(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    client.post("/research/exports", {**CHOICES, "dataset": ["votes"], "format": format})
    job = ExportJob.objects.get()
    services.run(job=job, now=database_now())
    job.refresh_from_db()
    path = tmp_path / "copy"
    body = b"".join(client.get(f"/research/exports/{job.pk}/file"))
    if format == "hugging_face":
        with tarfile.open(fileobj=io.BytesIO(body)) as packed:
            packed.extractall(path, filter="data")
        path = next(folder.parent for folder in path.rglob("README.md"))
    else:
        path.write_bytes(body)
    page = client.get(f"/research/exports/{job.pk}").content.decode()
    program = html.unescape(re.findall(r'<pre class="source" tabindex="0">(from .*?)</pre>', page, re.S)[0])
    exec(program.replace("FILE", str(path)), {})
    assert capsys.readouterr().out.strip() == job.content_hash
    assert job.content_hash in page


def test_records_of_another_shape_say_which_rows_their_hash_is_of(client: Client) -> None:
    client.post("/research/exports", {**CHOICES, "dataset": ["steps"], "format": "processbench", "with_text": "on"})
    services.run(job=ExportJob.objects.get(), now=database_now())
    page = client.get(f"/research/exports/{ExportJob.objects.get().pk}").content.decode()
    assert "The hash is of the steps behind these records" in " ".join(page.split())
    assert "read_rows" not in page


def test_the_page_asks_until_all_of_the_bundle_are_done(client: Client) -> None:
    client.post("/research/exports", {**CHOICES, "dataset": ["votes", "outcomes"], "format": "csv"})
    first, second = ExportJob.objects.order_by("created", "pk")
    services.run(job=first, now=database_now())
    part = client.get(f"/research/exports/{first.pk}", headers={"HX-Request": "true"}).content.decode()
    assert 'hx-trigger="every 1s"' in part
    assert '<td data-label="State">waiting</td>' in part
    services.run(job=second, now=database_now())
    part = client.get(f"/research/exports/{first.pk}", headers={"HX-Request": "true"}).content.decode()
    assert "hx-trigger" not in part
    assert "waiting" not in part
