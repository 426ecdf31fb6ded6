"""The browser machinery itself."""

from playwright.sync_api import Page, expect


def test_a_visitor_sees_the_login_page(page: Page):
    page.goto("/accounts/login/")
    expect(page.locator("main form").first).to_be_visible()


def test_a_missing_page_is_said_plainly(page: Page):
    page.goto("/no/such/page")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
