"""The page of a set of traces, opened from disk: it shows, sorts, filters, leads and asks nobody for anything."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.unit.research.test_set_page import WRONG, page_of


@pytest.fixture(scope="module")
def address(tmp_path_factory: Any) -> str:
    folder: Path = tmp_path_factory.mktemp("set")
    page_of(folder, {**WRONG, "thinking": "It is so.", "id": "open"}, WRONG)
    return (folder / "out.html").as_uri()


def test_a_reader_goes_from_the_list_to_the_line_that_fails(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    page.goto(address)
    page.get_by_role("link", name="gravel").click()
    reader = page.get_by_role("region", name="Reader")
    expect(reader.get_by_role("heading", name="Fails at step 2.")).to_be_visible()
    reader.get_by_role("link", name="O1", exact=True).first.click()
    expect(reader.locator("#t2-O1")).to_be_focused()
    reader.get_by_role("button", name="Next failing").click()
    expect(page).to_have_url(f"{address}#t2-ST2")
    assert asked == [address]


def test_the_list_is_sorted_and_filtered(page: Page, address: str) -> None:
    page.goto(address)
    rows = page.locator("#list tbody tr:visible")
    page.get_by_role("button", name="Outcome").click()
    expect(rows.first).to_contain_text("gravel")  # fail before undecided
    page.get_by_label("Outcome", exact=True).select_option("undecided")
    expect(rows).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("1 of 2 traces")


@pytest.mark.parametrize("width", [360, 1440])
def test_nothing_runs_over_the_edge(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{address}#t2")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
