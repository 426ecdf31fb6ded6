"""A second factor from its first code to its last resort, by hand in a browser: enrolled, written down, used once."""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_look import barriers
from tests.factories.codes import code_of
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "correct horse battery"


@pytest.fixture
def phone(page: Page, site: Any) -> Page:
    """A phone at night."""
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.set_viewport_size({"width": 390, "height": 844})
    return page


def sign_in_by_hand(page: Page, email: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def is_clean(page: Page, name: str) -> bool:
    """Nothing stands in anybody's way, and nothing is wider than the window; a picture where one is asked for."""
    if directory := os.environ.get("TRUST_PICTURES"):
        page.screenshot(path=Path(directory) / f"{name}.png", full_page=True)
    return barriers(page) == [] and page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_recovery_code_opens_once_what_the_lost_app_opened(phone: Page) -> None:
    person = make_user("maria@example.org", "reviewer")
    sign_in_by_hand(phone, person.email)
    phone.goto("/accounts/2fa/totp/activate/")
    if phone.get_by_label("Password").count():  # asked again before anything that opens the account
        assert is_clean(phone, "again")
        phone.get_by_label("Password").fill(PASSWORD)
        phone.get_by_role("button", name="Confirm").click()
    assert is_clean(phone, "enrol")
    secret = phone.get_by_label("secret").input_value()
    phone.get_by_label("code").fill(code_of(secret))
    phone.get_by_role("button", name="Activate").click()
    expect(phone.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert is_clean(phone, "codes")
    expect(phone.get_by_text("nobody can show them again")).to_have_count(1)
    expect(phone.get_by_text("won't be shown again")).to_have_count(0)  # the library's words for the same
    codes = phone.locator("ol.mono li").all_inner_texts()
    assert len(set(codes)) == 10
    phone.get_by_role("link", name="I have kept them").click()
    assert is_clean(phone, "two-step")
    phone.goto("/me/sessions")
    assert is_clean(phone, "sessions")

    for code, opens in ((codes[0], True), (codes[0], False), (codes[1], True)):
        phone.context.clear_cookies()
        sign_in_by_hand(phone, person.email)
        expect(phone.get_by_text("one of your recovery codes")).to_be_visible()
        assert is_clean(phone, "asked")
        phone.get_by_label("code").fill(code)
        phone.get_by_role("button", name="Sign in").click()
        phone.wait_for_load_state()
        phone.goto("/me")
        assert ("/accounts/" not in phone.url) == opens
