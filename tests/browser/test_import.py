"""Importing in a browser: preview, a known data set, good lines in, bad lines saved; the file is chosen once."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from auditing.models import Audit
from tests.browser.test_look import barriers
from tests.factories.worlds import World
from tests.pages.test_imports import BAD, GSM

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_file_is_previewed_mapped_and_taken_while_it_stays_chosen(
    page: Page, live_hens: World, sign_in: Callable[[Any], None], tmp_path: Path
) -> None:
    file = tmp_path / "set.jsonl"
    file.write_bytes(json.dumps(GSM).encode() + b"\n" + BAD + b"\n")
    sign_in(live_hens.provider)
    page.goto("/submit/file")
    page.set_input_files("input[type=file]", str(file))
    page.locator("#do-preview").press("Enter")
    expect(page.get_by_role("heading", name="0 lines can be read, 2 cannot")).to_be_visible()
    page.get_by_label("Known data set").select_option("GSM8K")
    page.locator("#do-preview").press("Enter")
    expect(page.get_by_role("heading", name="1 line can be read, 1 cannot")).to_be_visible()
    assert not Audit.objects.exists()
    assert barriers(page) == []
    page.locator("#do-good").press("Enter")
    expect(page.get_by_role("heading", name="1 audit opened")).to_be_visible()
    with page.expect_download() as download:
        page.locator("#do-bad").click()
    assert download.value.path().read_bytes() == BAD + b"\n"
    assert Audit.objects.count() == 1
