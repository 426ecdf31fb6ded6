"""The same story told again gives the files of before issue 15: log, bundles, receipts, reports, exports, schema.

The vectors, and what to do when only chance was drawn in another order: tests/vectors/before/README.md.
"""

from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client, override_settings

from tests.tools.before import VECTORS, schema
from tests.tools.before_story import Story, masked
from tests.tools.still import still_world
from tests.tools.sweeping import sweep_of

STORY = VECTORS / "story"
WAS = {
    path.relative_to(STORY).as_posix(): path.read_bytes()
    for path in sorted(STORY.rglob("*"))
    if path.is_file() and path.parent.name != "verified"
}
SHOWN = ["ledger/checkpoint", "ledger/cosigned", "ledger/first.tlog-proof"]
SHOWN += [name for name in WAS if name.startswith(("bundles/", "receipts/"))]


Files = dict[str, bytes]


@pytest.fixture(scope="module")
def told(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of the story, with the chance of the vectors, and how the page for verifying took those of before."""
    folder = tmp_path_factory.mktemp("story")
    here = override_settings(LEDGER_DIR=folder / "ledger")
    with django_db_blocker.unblock(), here, transaction.atomic(), still_world():
        files = Story(folder).tell()
        files |= {f"shown {name}": Client().post("/verify", {"text": WAS[name].decode()}).content for name in SHOWN}
        transaction.set_rollback(True)
    return files


def test_the_story_leaves_the_same_files(told: Files) -> None:
    assert sorted(name for name in told if not name.startswith("shown ")) == sorted(WAS)


@pytest.mark.parametrize("name", sorted(WAS))
def test_a_file_is_the_same_byte_for_byte(told: Files, name: str) -> None:
    assert told[name] == WAS[name]


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_for_verifying_accepts_a_file_of_before(told: Files, name: str) -> None:
    assert "Everything that can be checked holds." in told[f"shown {name}"].decode()


@sweep_of("test_the_story_leaves_the_same_files")
@pytest.mark.django_db
def test_with_other_chance_the_story_says_the_same_of_everything(tmp_path: Path) -> None:
    """Ids, digests and orders of draws differ; every column, number, word and leaf does not."""
    with still_world("other chance"):
        now = masked(Story(tmp_path).tell())
    was = masked(WAS)
    assert {name: lines for name, lines in now.items() if lines != was.get(name)} == {}
    assert now.keys() == was.keys()


@pytest.mark.django_db
def test_the_description_of_the_api_is_as_before() -> None:
    assert schema().decode() == (VECTORS / "schema.yaml").read_text(encoding="utf-8")
