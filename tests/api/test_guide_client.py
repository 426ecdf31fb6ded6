"""The client example of docs/guides/research.md against the live API: types as in the schema, the file as exported."""

import threading
import time
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from drf_spectacular.generators import SchemaGenerator

from accounts.services.tokens import make_token
from auditing.core.values import Choice
from auditing.research.exports import services
from auditing.research.exports.formats import DATASETS, Format, hash_rows, read_rows
from auditing.research.models import ExportJob
from auditing.selectors.clock import database_now
from tests.factories.worlds import make_user, make_world
from tests.rooms.research.test_exporting import SHORT
from tests.tools.patience import PATIENCE
from tests.tools.site import Site

pytestmark = pytest.mark.django_db(transaction=True)
GUIDE = (Path(__file__).parents[2] / "docs/guides/research.md").read_text(encoding="utf-8")


@pytest.fixture
def example() -> dict[str, Any]:
    names: dict[str, Any] = {}
    blocks = [block.partition("```")[0] for block in GUIDE.split("```python\n")[1:]]
    exec(next(block for block in blocks if "def take_out" in block), names)
    return names


def test_the_types_of_the_example_are_those_of_the_schema(example: dict[str, Any]) -> None:
    shown = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]["ExportShown"]
    plain = {"string": str, "integer": int}
    for name, kind in get_type_hints(example["Export"]).items():
        said = shown["properties"][name]
        assert said.get("type", "string") in plain, name
        optional = said.get("nullable", False) or None in said.get("enum", [])
        assert kind == (plain[said.get("type", "string")] | None if optional else plain[said.get("type", "string")]), (
            name
        )


def test_the_example_takes_an_export_out_and_goes_on_where_a_download_broke(
    example: dict[str, Any], site: Site, settings: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    settings.EXPORT_DIR = tmp_path / "exports"
    world = make_world()
    world.everybody_votes(world.submit(SHORT), Choice.FAIL)
    _, secret = make_token(user=make_user("researcher@example.org", "researcher"), name="guide")
    monkeypatch.setattr(example["time"], "sleep", lambda seconds: threading.Event().wait(0.05))

    def worker() -> None:
        from django.db import connection

        while not (job := ExportJob.objects.first()):
            time.sleep(0.05)
        services.run(job=job, now=database_now())
        connection.close()

    thread = threading.Thread(target=worker)
    thread.start()
    path = tmp_path / "votes.parquet"
    job = example["take_out"](base=site.url, token=secret, dataset="votes", path=str(path))
    thread.join(PATIENCE)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    example["take_out"](base=site.url, token=secret, path=str(path), job_id=job["id"])
    assert path.read_bytes() == whole
    rows = list(read_rows(path=path, dataset=DATASETS["votes"], format=Format.PARQUET))
    assert (job["state"], job["rows"]) == ("done", len(rows))
    assert job["content_hash"] == hash_rows(rows=rows, dataset=DATASETS["votes"])
