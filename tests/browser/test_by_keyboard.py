"""Whole jobs by keyboard alone: where the focus is after a refusal, after a swap, and when a secret is shown once."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from auditing.models import Campaign
from auditing.research.exports.models import ExportJob
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Press Tab until the focus stands on what the selector names."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"Tab never came to {selector}")


def test_an_admin_opens_a_campaign_and_is_led_to_what_is_missing(
    page: Page, live_hens: World, sign_in: Callable[[Any], None]
) -> None:
    sign_in(live_hens.campaign.owner)
    page.goto("/campaigns/new")
    tab_to(page, "[name=title]")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This field is required.").first).to_be_visible()
    expect(page.locator("[name=title]")).to_be_focused()
    page.keyboard.type("By keyboard")
    tab_to(page, "[name=guidelines]")
    page.keyboard.type("Judge well.")
    tab_to(page, "main form button:not([type=button])")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="By keyboard")).to_be_visible()
    assert Campaign.objects.filter(title="By keyboard").exists()


def test_the_focus_stays_at_the_link_that_brought_another_segment(
    page: Page, live_hens: World, sign_in: Callable[[Any], None]
) -> None:
    audit = live_hens.submit()
    live_hens.settle_machines()
    sign_in(live_hens.provider)
    page.goto(f"/audits/{audit.pk}?segment=G1")
    title = page.locator("#shown-title")
    tab_to(page, "#map a:nth-child(3)")
    page.keyboard.press("Enter")
    expect(title).not_to_contain_text("G1")
    expect(page.locator("#map [aria-current]")).to_be_focused()
    second = title.inner_text()
    tab_to(page, "#reading a[rel=next]")
    page.keyboard.press("Enter")
    expect(title).not_to_have_text(second)
    expect(page.locator("#reading a[rel=next]")).to_be_focused()
    shown = page.url.partition("segment=")[2]
    expect(page.locator("#reading a[rel=next]")).to_have_accessible_description(re.compile(rf"\b{shown}\b"))


def test_a_new_token_is_what_the_page_opens_on(page: Page, live_hens: World, sign_in: Callable[[Any], None]) -> None:
    sign_in(live_hens.provider)
    page.goto("/me/tokens")
    tab_to(page, "[name=name]")
    page.keyboard.type("nightly")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Your new token")).to_be_focused()


def test_a_token_without_a_scope_leads_to_the_reason(
    page: Page, live_hens: World, sign_in: Callable[[Any], None]
) -> None:
    sign_in(live_hens.provider)
    page.goto("/me/tokens")
    tab_to(page, "[name=name]")
    page.keyboard.type("nightly")
    tab_to(page, "[name=scopes]:checked")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tick at least one.")).to_be_focused()


def test_an_appeal_without_a_reason_is_led_to_the_reasons(
    page: Page, live_hens: World, sign_in: Callable[[Any], None]
) -> None:
    audit = live_hens.submit()
    live_hens.everybody_votes(audit)
    sign_in(live_hens.provider)
    page.goto(f"/audits/{audit.pk}/appeal")
    tab_to(page, "main form button")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Choose why: one of these reasons goes with the appeal.")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    tab_to(page, "main form button")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: not address.endswith("/appeal"))


def test_a_trace_that_holds_too_much_text_is_told_so_first(
    page: Page, live_hens: World, sign_in: Callable[[Any], None], settings: Any
) -> None:
    settings.TRUST_MAX_TRACE_BYTES = 100
    sign_in(live_hens.provider)
    page.goto("/submit")
    page.get_by_label("Problem").fill("What?")
    page.get_by_label("Thinking").fill("2 + 2 = 4. " * 20)
    page.get_by_role("button", name="Hand in and start").press("Enter")
    expect(page.locator("main form [autofocus]")).to_be_focused()
    expect(page.locator("main form [autofocus]")).to_contain_text("at most 100 are taken")
    expect(page.get_by_label("Thinking")).to_have_value("2 + 2 = 4. " * 20)


def test_who_stands_on_a_button_of_a_running_job_keeps_it_until_it_can_be_downloaded(
    page: Page, live_hens: World, sign_in: Callable[[Any], None]
) -> None:
    researcher = make_user("reader@example.org", "researcher")
    job = ExportJob.objects.create(owner=researcher, dataset="votes", format="jsonl", state="running", says="votes")
    sign_in(researcher)
    page.goto(f"/research/exports/{job.pk}")
    tab_to(page, "#job-act")
    with page.expect_response(f"**/research/exports/{job.pk}"):
        pass
    with page.expect_response(f"**/research/exports/{job.pk}"):
        pass
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    expect(page.get_by_text("At work: votes")).to_be_visible()
    ExportJob.objects.update(state="done", rows=0, size=10, file="x", content_hash="0" * 64)
    expect(page.get_by_role("link", name="Download")).to_be_focused()
