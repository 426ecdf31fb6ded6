"""How a refused form looks: what is wrong has the colour of errors, and a round button stays round."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.factories.worlds import World

pytestmark = pytest.mark.django_db(transaction=True)
COLOUR = "element => getComputedStyle(element).color"
LEFT = "element => getComputedStyle(element).boxShadow + getComputedStyle(element).borderInlineStartWidth"


def test_what_is_wrong_with_a_file_or_a_choice_has_the_colour_of_errors(
    page: Page, live_hens: World, sign_in: Callable[[Any], None]
) -> None:
    audit = live_hens.submit()
    live_hens.everybody_votes(audit)
    sign_in(live_hens.provider)
    page.goto(f"/audits/{audit.pk}/appeal")
    before = page.locator("[name=reason]").first.evaluate(LEFT)
    page.locator("main form button").press("Enter")
    told = page.locator(".error[autofocus]").evaluate(COLOUR)
    assert page.locator("[name=reason]").first.evaluate(LEFT) == before
    page.goto("/submit/file")
    assert page.locator("#too-large").evaluate(COLOUR) == told
    assert page.locator("main h1").evaluate(COLOUR) != told
