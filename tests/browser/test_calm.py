"""The step comes first, the doors stand in one row, and keys show themselves only when they are asked for."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.demo import ensure_demo_people
from tests.browser.desk import open_desk
from tests.browser.test_look import barriers

pytestmark = pytest.mark.django_db(transaction=True)


def top(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize("width", [390, 1024])
def test_the_step_stands_above_the_problem_on_a_small_window(desk: Page, width: int) -> None:
    desk.set_viewport_size({"width": width, "height": 800})
    assert top(desk, "#pane-current") < 400
    assert top(desk, "#pane-current") < top(desk, "#pane-context")


def test_a_phone_has_every_pane_one_touch_away(desk: Page) -> None:
    desk.set_viewport_size({"width": 390, "height": 800})
    bar = desk.get_by_role("navigation", name="Panes")
    expect(bar).to_be_in_viewport()
    bar.get_by_role("link", name="Vote").click()
    expect(desk.locator("#pane-vote")).to_be_in_viewport()
    bar.get_by_role("link", name="Step").click()
    expect(desk.locator("#pane-current")).to_be_in_viewport()
    assert barriers(desk) == []


def test_keys_show_themselves_while_shift_is_held_and_never_while_writing(desk: Page) -> None:
    hint = desk.locator(".choice.is-pass .key")
    expect(hint).to_have_css("opacity", "0")
    desk.keyboard.down("Shift")
    expect(hint).to_have_css("opacity", "1")
    desk.keyboard.up("Shift")
    expect(hint).to_have_css("opacity", "0")
    desk.locator("#reason").focus()
    desk.keyboard.down("Shift")
    expect(desk.locator("html.shows-keys")).to_have_count(0)


def test_a_key_shows_itself_on_what_has_the_focus(page: Page, desk_world: Any, sign_in: Callable[[Any], None]) -> None:
    sign_in(desk_world.reviewers[0])
    open_desk(page)
    page.locator("#seal").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#seal .key")).to_have_css("opacity", "1")


def test_ten_doors_stand_in_one_row_at_1440(page: Page, site: Any, sign_in: Callable[[Any], None]) -> None:
    sign_in(ensure_demo_people()[0])
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/home")
    assert page.locator(".nav li").count() >= 10
    assert abs(top(page, ".nav") - top(page, ".masthead-tools")) < 12


def test_a_word_is_explained_on_focus_and_hover_until_escape(
    page: Page, desk_world: Any, sign_in: Callable[[Any], None]
) -> None:
    sign_in(desk_world.reviewers[0])
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/home")
    word, tip = page.locator(".term-word").first, page.get_by_role("tooltip").first
    expect(tip).to_be_hidden()
    word.focus()
    expect(tip).to_have_text("One auditor's place in a round.")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    word.blur()
    word.hover()
    expect(tip).to_be_visible()
    expect(word).to_have_accessible_description("One auditor's place in a round.")


def test_the_browser_tells_its_zone_to_the_next_page(open_window: Callable[..., Page], site: Any) -> None:
    page = open_window(timezone_id="Europe/Berlin")
    page.goto("/ledger")
    assert "zone=Europe/Berlin" in page.evaluate("document.cookie")
