"""The policy lab in a real browser: no barrier, and a preview that keeps up."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_look import look_at
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_policy_lab_has_no_barrier_and_previews_while_one_types(
    page: Page, sign_in: Callable[[Any], None], live_hens: World
) -> None:
    sign_in(live_hens.campaign.owner)
    look_at(page, "/policies/new?preset=paper%20example")
    expect(page.locator("#preview")).to_contain_text("violated")
    page.get_by_label("least slash chance p_min").fill("0.9")
    expect(page.locator("#preview")).to_contain_text("Must not exceed slash_max")
    page.get_by_label("least slash chance p_min").fill("0.4")
    expect(page.locator("#preview")).to_contain_text("slash_min")
