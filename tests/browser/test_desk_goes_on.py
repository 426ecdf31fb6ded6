"""From one passage to the next the page stays, with its scripts and sockets; all that belongs to a passage changes."""

import re
from typing import Any
from uuid import UUID

from playwright.sync_api import BrowserContext, Page, expect

from auditing.models import Commitment, Draft, Vote
from tests.browser.desk import gone_on, log_in_again, open_desk, press, ready, saved, seat_on
from tests.browser.test_desk import strict_mode_on
from tests.factories.worlds import World

PASS = ("1", "a", "9", "Enter", "Enter")


def mark(page: Page) -> None:
    """Something that a navigation would forget."""
    page.evaluate("window.stays = 'yes'")


def stays(page: Page) -> bool:
    return bool(page.evaluate("window.stays === 'yes'"))


def go_on(page: Page, *keys: str) -> None:
    seat = seat_on(page)
    press(page, *keys)
    gone_on(page, seat)


def test_passages_follow_each_other_on_one_page_down_to_the_empty_desk(desk: Page, desk_world: World) -> None:
    mark(desk)
    seen = []
    while desk.locator("#vote").count():
        seen.append((seat_on(desk), desk.title()))
        expect(desk.locator("#desk-title")).to_be_focused()
        go_on(desk, *PASS)
    assert stays(desk)
    assert len(seen) == len({seat for seat, _ in seen}) > 3
    expect(desk.locator("#main")).to_be_focused()
    expect(desk).to_have_title(re.compile("^(\\(1\\) )?Desk ·"))
    expect(desk.locator("#desk-news")).to_contain_text("Sealed ")
    desk_world.settle_machines()
    votes = Vote.objects.filter(seat__auditor__user=desk_world.reviewers[0])
    assert {(vote.choice, vote.confidence) for vote in votes} == {("pass", 9000)}
    assert votes.count() == len(seen)


def test_the_next_passage_keeps_a_draft_of_its_own(desk: Page) -> None:
    """And the one before no longer listens: a key typed now is saved once, for the seat that is shown."""
    mark(desk)
    go_on(desk, *PASS)
    ready(desk)
    expect(desk.locator("[name=choice]:checked")).to_have_count(0)
    expect(desk.locator("#confidence-field")).to_have_attribute("data-unset", "")
    asked: list[str] = []
    desk.on("request", lambda request: asked.append(request.url) if request.method == "PUT" else None)
    press(desk, "2", "c")
    desk.locator("#reason").fill("11 is not 12.")
    saved(desk)
    assert stays(desk)
    assert {address.removeprefix(desk.url.removesuffix("/desk")) for address in asked} == {seat_on(desk)}
    assert Draft.objects.count() == 1
    desk.reload()
    ready(desk)
    expect(desk.locator("#reason")).to_have_value("11 is not 12.")


def test_nothing_of_a_passage_is_counted_once_another_stands_there(desk: Page) -> None:
    before = seat_on(desk).split("/")[2]
    go_on(desk, *PASS)
    ready(desk)
    desk.evaluate("dispatchEvent(new Event('blur'))")
    kept = desk.evaluate("Object.keys(sessionStorage)")
    assert [key for key in kept if before in key] == []
    assert [key for key in kept if seat_on(desk).split("/")[2] in key]


def test_a_session_that_ends_on_the_second_passage_is_taken_up_again_there(
    desk: Page, context: BrowserContext, desk_world: World
) -> None:
    go_on(desk, *PASS)
    ready(desk)
    seat = seat_on(desk)
    context.clear_cookies()
    press(desk, *PASS)
    log_in_again(desk, desk_world.reviewers[0].email)
    gone_on(desk, seat)


def test_a_desk_made_of_other_files_is_gone_to(desk: Page) -> None:
    """As after a new release: the scripts that run here are not for its pages."""
    desk.evaluate(
        """document.head.querySelector("script[src*='/desk']").setAttribute("src", "/static/js/desk.older.js")"""
    )
    mark(desk)
    go_on(desk, *PASS)
    ready(desk)
    assert not stays(desk)


def test_where_no_answer_comes_the_browser_goes_there_by_itself(desk: Page, desk_world: World) -> None:
    desk.route("**/desk", lambda route: route.abort(), times=1)
    mark(desk)
    go_on(desk, *PASS)
    ready(desk)
    assert not stays(desk)
    assert Commitment.objects.filter(seat__auditor__user=desk_world.reviewers[0]).count() == 1


def test_votes_to_open_are_offered_on_the_passage_that_comes_next(page: Page, desk_world: World, sign_in: Any) -> None:
    sign_in(desk_world.reviewers[0])
    strict_mode_on(page)
    open_desk(page)
    mark(page)
    first = UUID(seat_on(page).split("/")[2])
    go_on(page, *PASS)
    ready(page)
    desk_world.settle_machines()
    go_on(page, *PASS)
    assert stays(page)
    expect(page.locator("[data-openable]")).to_have_attribute("data-ready", "yes")
    press(page, "o")
    expect(page.locator("[data-openable]")).to_have_count(0)
    assert Vote.objects.filter(seat=first).exists()
