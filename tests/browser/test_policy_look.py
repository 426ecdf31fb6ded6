"""The policy lab in a real browser: no barrier, and a preview that keeps up."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_look import barriers, keep, look_at
from tests.factories.worlds import ANSWER, PROBLEM, THINKING, World
from tests.tools.sweeping import sweep_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_policy_lab_has_no_barrier_and_previews_while_one_types(
    page: Page, sign_in: Callable[[Any], None], live_hens: World
) -> None:
    sign_in(live_hens.campaign.owner)
    look_at(page, "/policies/new?preset=paper%20example")
    expect(page.locator("#preview")).to_contain_text("violated")
    page.locator("details.expert > summary").click()
    page.get_by_label("least chance of a slash").fill("0.9")
    expect(page.locator("#preview")).to_contain_text("Must not exceed slash_max")
    page.get_by_label("least chance of a slash").fill("0.4")
    expect(page.locator("#preview")).to_contain_text("slash_min")


@sweep_of("test_the_policy_lab_has_no_barrier_and_previews_while_one_types")
def test_what_an_audit_takes_is_said_without_a_barrier(
    page: Page, sign_in: Callable[[Any], None], live_hens: World
) -> None:
    sign_in(live_hens.provider)
    page.goto("/submit")
    form = page.locator("form").filter(has=page.locator("[name=thinking]"))
    for name, text in (("problem", PROBLEM), ("thinking", THINKING), ("answer", ANSWER)):
        form.locator(f"[name={name}]").fill(text)
    form.get_by_role("button", name="What will it take?").click()
    expect(page.get_by_role("heading", name="What this audit will take")).to_be_visible()
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        keep(page, f"forecast-{width}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert barriers(page) == []
    sign_in(live_hens.campaign.owner)
    look_at(page, "/policies/1")
