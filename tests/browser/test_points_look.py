"""Points in a real browser: an admin grants, a provider pays, a reviewer puts at stake and takes back; no barrier."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from auditing.core.policy import FAST
from auditing.services.points.transfers import Movement, accounts_of, post, system_account
from auditing.services.seating.auditors import auditor_of
from tests.browser.test_look import look_at
from tests.factories.worlds import ANSWER, PROBLEM, THINKING, World, make_world
from tests.tools.site import Site

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def dear_hens(site: Site) -> World:
    """A campaign in which a trace costs 50 points, and a reviewer who has earned 80."""
    world = make_world(policy=replace(FAST, trace_price=50, ticket_stake=50))
    auditor = auditor_of(user=world.reviewers[0])
    own = accounts_of(auditors=[auditor], name="points")[auditor.pk]
    pool = system_account(name="pool")
    post(movements=[Movement(key="earned", kind="reward", points=80, source=pool, target=own)])
    return world


def test_points_are_granted_and_a_trace_is_paid_with_them(
    page: Page, sign_in: Callable[[Any], None], dear_hens: World
) -> None:
    sign_in(dear_hens.campaign.owner)
    page.goto("/treasury")
    form = page.locator("form").filter(has=page.get_by_role("button", name="Grant"))
    form.get_by_label("To").select_option(str(dear_hens.provider.pk))
    form.get_by_label("Points").fill("120")
    form.get_by_label("Reason").fill("For the pilot.")
    form.get_by_role("button", name="Grant").click()
    expect(page.get_by_text("Granted.")).to_be_visible()
    sign_in(dear_hens.provider)
    page.goto("/submit")
    expect(page.get_by_text("Your credit is 120")).to_be_visible()
    for name, text in (("problem", PROBLEM), ("thinking", THINKING), ("answer", ANSWER)):
        page.locator(f"[name={name}]").fill(text)
    page.get_by_role("button", name="Hand in and start the audit").click()
    expect(page).not_to_have_url("**/submit")
    look_at(page, "/credit")
    expect(page.get_by_text("70", exact=True).first).to_be_visible()
    sign_in(dear_hens.campaign.owner)
    look_at(page, "/treasury")


def test_points_are_put_at_stake_and_a_notice_is_taken_back(
    page: Page, sign_in: Callable[[Any], None], dear_hens: World
) -> None:
    sign_in(dear_hens.reviewers[0])
    page.goto("/record")
    page.get_by_role("link", name="Put points at stake").click()
    page.locator("#put").fill("50")
    page.get_by_role("button", name="Put at stake").click()
    for _ in range(2):
        page.locator("#notice").fill("20")
        page.get_by_role("button", name="Give notice").click()
        expect(page.get_by_text("Notice of 20 points, which")).to_be_visible()
    page.get_by_role("button", name="Take back").first.click()
    expect(page.get_by_text("taken back", exact=True)).to_be_visible()
    look_at(page, "/record/stake")
