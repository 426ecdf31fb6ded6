"""Titles of any script and width in lists; and what somebody typed when the session had ended."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_look import barriers
from tests.factories.worlds import TRACE, make_world
from tests.tools.site import Site

pytestmark = pytest.mark.django_db(transaction=True)
TITLES = ("x" * 200, "\uff37\u6f22\u5b57" * 60, "\u05de\u05d1\u05d7\u05df (1): abc!")


@pytest.mark.parametrize("width", [390, 1280])
def test_no_title_pushes_a_column_out_of_the_window(
    page: Page, site: Site, sign_in: Callable[[Any], None], width: int
) -> None:
    world = make_world()
    for title in TITLES:
        world.submit(replace(TRACE, title=title), copy=True)
    sign_in(world.provider)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/audits")
    expect(page.locator("#listing tbody tr")).to_have_count(3)
    widths = page.locator("#listing .table-wrap").evaluate("wrap => [wrap.scrollWidth, wrap.clientWidth]")
    assert widths[0] <= widths[1] + 1


def test_a_text_that_was_typed_while_the_session_ended_can_be_copied(
    page: Page, site: Site, sign_in: Callable[[Any], None]
) -> None:
    sign_in(make_world().provider)
    page.goto("/submit")
    page.get_by_label("Thinking").fill("First one.\nThen <b>another</b>.")
    page.context.clear_cookies(name="sessionid")
    page.locator("form button.button-primary").first.click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    expect(page.get_by_label("Thinking")).to_have_value("First one.\nThen <b>another</b>.")
    expect(page.get_by_label("Thinking")).not_to_be_editable()
    assert barriers(page) == []
