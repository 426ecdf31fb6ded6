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


def test_who_previews_by_keyboard_stays_at_what_was_found(
    page: Page, live_hens: World, sign_in: Callable[[Any], None], tmp_path: Path
) -> None:
    file = tmp_path / "set.jsonl"
    sign_in(live_hens.provider)
    page.goto("/submit/file")
    for body, words in ((json.dumps(GSM).encode(), "1 cannot"), (b"", "empty")):
        file.write_bytes(body)
        page.set_input_files("input[type=file]", str(file))
        page.locator("#do-preview").press("Enter")
        expect(page.locator("#steps [autofocus]")).to_be_focused()
        expect(page.locator("#steps [autofocus]")).to_contain_text(words)


def test_a_file_that_is_too_large_is_told_at_once_and_never_sent(
    page: Page, live_hens: World, sign_in: Callable[[Any], None], tmp_path: Path, settings: Any
) -> None:
    settings.TRUST_MAX_TRACE_BYTES = 100_000
    file = tmp_path / "set.jsonl"
    file.write_bytes(b"x" * 2_100_000)
    sign_in(live_hens.provider)
    page.goto("/submit/file")
    expect(page.locator("#id_file_helptext")).to_contain_text("at most 1.9")
    page.get_by_label("Tags").fill("mine")
    page.set_input_files("input[type=file]", str(file))
    expect(page.locator("#too-large")).to_contain_text("This file has 2.0 MB; at most 1.9 MB")
    sent: list[Any] = []
    page.on("request", lambda request: sent.append(request.url))
    for name in ("Preview", "Import the file"):
        page.get_by_role("button", name=name).press("Enter")
        expect(page.locator("#too-large")).to_be_focused()
    assert not sent
    expect(page.get_by_label("Tags")).to_have_value("mine")


def test_a_text_that_is_too_large_stays_in_its_form(
    page: Page, live_hens: World, sign_in: Callable[[Any], None], settings: Any
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 20_000
    sign_in(live_hens.provider)
    page.goto("/submit")
    page.get_by_label("Problem").fill("What?")
    page.get_by_label("Thinking").fill("word " * 5_000)
    page.get_by_role("button", name="Hand in and start").press("Enter")
    expect(page.locator("#too-large")).to_be_focused()
    expect(page.locator("#too-large")).to_contain_text("your text is still here")
    expect(page.get_by_label("Thinking")).to_have_value("word " * 5_000)
    page.get_by_label("Thinking").fill("2 + 2 = 4")
    page.get_by_role("button", name="Hand in and start").press("Enter")
    page.wait_for_url("**/audits/*")
