"""A list in a real browser: narrowed while one types, sorted by keyboard, the same again after a reload."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_look import barriers
from tests.factories.worlds import World
from tests.pages.test_trace_page import WRONG, long_trace

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def audits(page: Page, live_hens: World, sign_in: Callable[[Any], None]) -> Page:
    for trace in (WRONG, long_trace(2), long_trace(3)):
        live_hens.submit(trace)
    live_hens.walk()
    sign_in(live_hens.provider)
    page.goto("/audits")
    return page


def titles(page: Page) -> list[str]:
    return page.locator("#listing tbody th a").all_inner_texts()


def test_what_is_typed_narrows_the_list_at_once_and_stays_in_the_address(audits: Page) -> None:
    audits.get_by_label("Title, id or tag").press_sequentially("pens")
    expect(audits.locator("#listing tbody tr")).to_have_count(2)
    expect(audits.get_by_label("Title, id or tag")).to_be_focused()
    audits.locator("#sort-title").focus()
    audits.keyboard.press("Enter")
    expect(audits.locator("th[aria-sort=ascending]")).to_have_text(re.compile("Trace"))
    assert titles(audits) == ["Pens 2", "Pens 3"]
    expect(audits.locator("#sort-title")).to_be_focused()
    audits.keyboard.press("Enter")
    expect(audits.locator("th[aria-sort=descending]")).to_have_text(re.compile("Trace"))
    audits.reload()
    assert titles(audits) == ["Pens 3", "Pens 2"]
    expect(audits.get_by_label("Title, id or tag")).to_have_value("pens")
    audits.locator("#filter-stage").select_option("withdrawn")
    expect(audits.locator("#listing [role=status]")).to_contain_text("0 audits")


@pytest.mark.parametrize("width", [390, 1440])
def test_a_list_is_no_barrier_and_on_a_phone_says_the_outcome_first(audits: Page, width: int) -> None:
    audits.set_viewport_size({"width": width, "height": 900})
    assert barriers(audits) == []
    assert audits.evaluate("document.documentElement.scrollWidth") <= width
    row = audits.locator("#listing tbody tr").first
    outcome, title = row.locator(".is-outcome").bounding_box(), row.locator("th").bounding_box()
    assert outcome is not None
    assert title is not None
    assert (outcome["y"], outcome["x"]) < (title["y"], title["x"])
