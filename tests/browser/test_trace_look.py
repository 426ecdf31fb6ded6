"""The trace page in a real browser: chosen by click, walked by arrows, narrowed, without script too."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from auditing.models import Audit
from tests.browser.test_look import look_at
from tests.factories.worlds import World
from tests.pages.test_trace_page import WRONG
from tests.tools.patience import wait_for
from tests.tools.sweeping import shares

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def audit(live_hens: World, sign_in: Callable[[Any], None]) -> Audit:
    audit = live_hens.submit(WRONG)
    live_hens.settle_machines()
    sign_in(live_hens.provider)
    return audit


@pytest.mark.parametrize("one_in", shares(3))
def test_the_pages_of_a_trace_have_no_barrier(page: Page, audit: Audit, one_in: int) -> None:
    page.goto(f"/audits/{audit.pk}")
    failing = page.locator("#reading input[name=segment]").input_value()
    places = [f"/audits/{audit.pk}{place}" for place in ("", "/graph", "/report", f"/segments/{failing}/computer")]
    for address in [*places, "/scratchpad"][::one_in]:
        look_at(page, address)


def test_a_segment_that_is_clicked_or_walked_to_is_shown_in_the_text(page: Page, audit: Audit) -> None:
    page.goto(f"/audits/{audit.pk}")
    page.locator("[data-row=ST1] a").click()
    expect(page.locator("#shown-title")).to_contain_text("ST1")
    expect(page.locator(".sources mark").first).to_contain_text("14 nuts")
    expect(page.locator('[data-node="ST1"]')).to_have_attribute("aria-current", "true")
    page.locator('[data-node="ST1"]').focus()
    page.keyboard.press("Home")
    expect(page.locator("#shown-title")).to_contain_text("G1")
    expect(page).to_have_url(re.compile("segment=G1"))


def test_a_formula_that_is_wider_than_a_phone_scrolls_in_its_line(
    page: Page, live_hens: World, sign_in: Callable[[Any], None]
) -> None:
    wide = "$(2x - 3)(x^2 - 5x + 6)(x + 4)(x + 7)(x - 11) = 2x^5 - 13x^4 + 27x^3 - 18x^2 + 9x - 1$"
    audit = live_hens.submit(replace(WRONG, thinking=f"{WRONG.thinking}\n\nBeside it {wide} holds."))
    live_hens.settle_machines()
    sign_in(live_hens.provider)
    page.set_viewport_size({"width": 360, "height": 780})
    for address in (f"/audits/{audit.pk}", f"/audits/{audit.pk}/report"):
        page.goto(address)
        assert page.locator("math").count()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def test_the_list_is_narrowed_and_the_shown_segment_stays(page: Page, audit: Audit) -> None:
    page.goto(f"/audits/{audit.pk}?segment=ST1")
    page.get_by_label("Level").select_option("operation")
    expect(page.locator("[data-row=ST1]")).to_have_count(0)
    expect(page.locator("#shown-title")).to_contain_text("ST1")
    expect(page.locator('[data-node="ST1"]')).to_have_class("node is-pending is-here is-faded")


def test_whoever_walks_on_before_the_answer_reads_the_last_segment(page: Page, audit: Audit) -> None:
    page.goto(f"/audits/{audit.pk}")
    slow: list[Route] = []
    page.route(re.compile("segment=ST1"), lambda route: slow.append(route))
    page.locator("[data-row=ST1] a").click()
    wait_for(lambda: page.wait_for_timeout(20) or slow)
    page.locator("[data-row=G1] a").click()
    slow[0].continue_()
    expect(page.locator("#shown-title")).to_contain_text("G1")


def test_it_all_works_without_script(open_window: Callable[..., Page], audit: Audit, context: Any) -> None:
    page = open_window(java_script_enabled=False)
    page.context.add_cookies(context.cookies())
    page.goto(f"/audits/{audit.pk}")
    page.locator("[data-row=ST1] a").click()
    expect(page.locator("#shown-title")).to_contain_text("ST1")
    page.get_by_label("Tier").select_option("computer")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page).to_have_url(re.compile("tier=computer"))
    expect(page).to_have_url(re.compile("segment=ST1"))
