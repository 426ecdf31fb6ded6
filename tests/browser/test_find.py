"""Finding in a long trace: in the browser, across every fold and stretch, by keyboard."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from auditing.models import Audit
from tests.browser.test_look import barriers
from tests.factories.worlds import World
from tests.pages.test_trace_page import WRONG, long_trace

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def long_page(page: Page, live_hens: World, sign_in: Callable[[Any], None]) -> Page:
    """The page of a trace of some 400 segments, of which it lists forty."""
    audit = live_hens.submit(long_trace(120))
    live_hens.walk()
    sign_in(live_hens.provider)
    page.goto(f"/audits/{audit.pk}")
    return page


def test_what_no_list_shows_is_found_by_slash_and_gone_to_by_enter(long_page: Page) -> None:
    expect(long_page.get_by_text("118 boxes of 119 pens")).to_have_count(0)
    long_page.keyboard.press("/")
    long_page.keyboard.type("118 BOXES")
    expect(long_page.locator("#finds [role=status]")).to_contain_text("with “118 BOXES”")
    expect(long_page.locator("#finds mark").first).to_have_text("118 boxes")
    wanted = long_page.locator("#finds a").first.get_attribute("data-show") or ""
    long_page.keyboard.press("Enter")
    expect(long_page.locator("#shown-title")).to_contain_text(wanted)
    expect(long_page).to_have_url(re.compile(f"segment={wanted}"))
    expect(long_page.locator("#map [aria-current]")).to_have_count(1)
    assert barriers(long_page) == []
    long_page.keyboard.press("Escape")
    expect(long_page.locator("#finds")).to_be_hidden()


def test_the_step_that_has_the_words_comes_before_the_plan_that_holds_every_step(long_page: Page) -> None:
    long_page.keyboard.press("/")
    long_page.keyboard.type("118 boxes")
    expect(long_page.locator("#finds a").first).to_be_visible()
    found = [link.get_attribute("data-show") or "" for link in long_page.locator("#finds a").all()]
    plans = [label for label in found if re.fullmatch(r"[ST]\d+", label)]
    assert plans
    assert len(plans) < len(found)
    assert found[-len(plans) :] == plans


def test_enter_goes_round_and_shift_enter_goes_back(long_page: Page) -> None:
    long_page.keyboard.press("/")
    long_page.keyboard.type("boxes of 1")
    expect(long_page.locator("#finds a").first).to_be_visible()
    first, second = (long_page.locator("#finds a").nth(n).get_attribute("data-show") or "" for n in (0, 1))
    status = long_page.locator("#finds [role=status]")
    for key, label in (("Enter", first), ("Enter", second), ("Shift+Enter", first)):
        long_page.keyboard.press(key)
        expect(status).to_contain_text(f": {label}")
        expect(long_page.locator("#reading input[name=segment]")).to_have_value(label)


def test_keys_lead_to_the_next_failing_segment_and_to_its_neighbours(
    page: Page, live_hens: World, sign_in: Callable[[Any], None]
) -> None:
    audit = live_hens.submit(WRONG)
    live_hens.settle_machines()
    sign_in(live_hens.provider)
    page.goto(f"/audits/{Audit.objects.get(pk=audit.pk).pk}?segment=G1")
    shown = page.locator("#reading input[name=segment]")
    page.keyboard.press("n")
    expect(shown).not_to_have_value("G1")
    page.keyboard.press("p")
    expect(shown).to_have_value("G1")
    page.keyboard.press("f")
    expect(page.locator("#shown-title")).to_contain_text("fail")


def test_a_tool_call_is_a_card_that_opens_where_its_segment_lies(
    page: Page, live_hens: World, sign_in: Callable[[Any], None]
) -> None:
    audit = live_hens.submit(WRONG)
    live_hens.settle_machines()
    sign_in(live_hens.provider)
    page.goto(f"/audits/{audit.pk}")
    card = page.locator(".sources details").last
    expect(card.get_by_role("heading", name="Tool call 1: calculator")).to_be_visible()
    card.locator("summary").click()
    expect(card.get_by_role("group", name="Given")).to_have_text("3 * 14")
    expect(card.get_by_role("group", name="Gave back")).to_have_text("42")
    assert barriers(page) == []
