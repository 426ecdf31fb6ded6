"""One trace from the submit page through two reviewers and the computer tier to a recorded outcome, in a browser."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from auditing.models import Audit, Round, Vote
from tests.browser.desk import gone_on, seal, seat_on
from tests.factories.worlds import TWO_SEATS, World, make_world


@pytest.fixture
def two_seat_hens(site: Any) -> World:
    return make_world(reviewers=2, policy=TWO_SEATS)


def hand_in(page: Page) -> None:
    page.goto("/submit")
    page.get_by_label("Title").fill("Eggs")
    page.get_by_label("Problem").fill("A hen lays 5 eggs a week. How many eggs do 12 hens lay?")
    page.get_by_label("Thinking").fill("Each hen lays 5 eggs.\n\nSo 12 hens lay 12 * 5 = 60 eggs.")
    page.get_by_label("Answer", exact=False).first.fill("60 eggs")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Eggs")


def seal_everything(page: Page, world: World) -> int:
    sealed = 0
    world.settle_machines()
    page.goto("/desk")
    expect(page.locator("#vote[data-ready], [data-wait]").first).to_be_attached()
    while page.locator("#vote").count():
        seat = seat_on(page)
        page.locator("#vote input[name=choice][value=pass]").check()
        seal(page)
        gone_on(page, seat)
        sealed += 1
    return sealed


def test_one_trace_walks_the_corridor_in_a_browser(
    page: Page, two_seat_hens: World, sign_in: Callable[[Any], None]
) -> None:
    sign_in(two_seat_hens.provider)
    hand_in(page)
    audit = Audit.objects.get()
    page.goto("about:blank")  # a page of the provider would go on asking as the next person
    votes = 0
    for reviewer in two_seat_hens.reviewers:
        sign_in(reviewer)
        votes += seal_everything(page, two_seat_hens)
    two_seat_hens.settle_machines()
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "pass")
    people = Round.objects.filter(audit=audit, tier="human")
    assert votes == 2 * people.count() == Vote.objects.filter(seat__round__in=people).count()
    sign_in(two_seat_hens.provider)
    page.goto(f"/audits/{audit.pk}/report")
    expect(page.get_by_text("The reasoning holds")).to_be_visible()
    expect(page.locator("[data-verified=yes]")).to_be_visible()
    expect(page.locator("[data-verified=yes]")).to_have_text("Verified in your browser as well.")
