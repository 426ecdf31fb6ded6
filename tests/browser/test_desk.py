"""The desk in a real browser: by keyboard alone, and nothing written there is ever lost."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import BrowserContext, Page, expect

from auditing.models import AuditEvent, Commitment, Draft, Notice, Seat, Vote
from hdag.store.content import read_json
from tests.browser.desk import (
    gone_on,
    log_in_again,
    lose_the_browsers_data,
    open_desk,
    press,
    ready,
    saved,
    seal,
    seat_on,
    stop_the_clock,
)
from tests.factories.worlds import TRACE, World


def test_ten_reviews_by_keyboard_alone_in_at_most_eight_keys_each(desk: Page, desk_world: World) -> None:
    desk_world.submit(trace=replace(TRACE, thinking=TRACE.thinking.replace("hens", "geese"), title="Geese"))
    desk_world.settle_machines()
    sealed = 0
    while desk.locator("#vote[data-ready]").count():
        seat = seat_on(desk)
        keys = ("1", "a", "9", "Enter", "Enter") if sealed else ("2", "c", "w", "w", "8", "s")
        press(desk, *keys)
        if not sealed:
            desk.keyboard.type("12 * 5 is not 61.")
            press(desk, "Control+Enter", "Enter")
        gone_on(desk, seat)
        sealed += 1
    assert sealed == Commitment.objects.filter(seat__auditor__user=desk_world.reviewers[0]).count() >= 10
    desk_world.settle_machines()
    votes = list(Vote.objects.filter(seat__auditor__user=desk_world.reviewers[0]).order_by("revealed_at"))
    fail = next(vote for vote in votes if vote.choice == "fail")
    assert (fail.error_type, fail.confidence, fail.criteria) == ("calculation", 8000, {"mathematical_accuracy": "no"})
    assert read_json(fail.rationale)["reason"] == "12 * 5 is not 61."
    assert {vote.confidence for vote in votes if vote.choice == "pass"} == {9000}
    assert not Draft.objects.exists()


def test_for_three_seconds_a_vote_can_be_taken_back_and_then_it_goes_by_itself(
    page: Page, desk_world: World, sign_in: Any
) -> None:
    page.clock.install()
    sign_in(desk_world.reviewers[0])
    desk = open_desk(page)
    stop_the_clock(desk)
    seat = seat_on(desk)
    press(desk, "1", "9", "Enter")
    expect(desk.locator("#vote-status")).to_contain_text("Escape takes it back")
    press(desk, "2", "Escape")
    expect(desk.locator("#vote-status")).to_have_text("Taken back: nothing was sent.")
    expect(desk.locator("[name=choice][value=pass]")).to_be_checked()
    press(desk, "3", "Enter")
    desk.get_by_role("button", name="Take back").click()
    expect(desk.get_by_role("button", name="Take back")).to_be_hidden()
    assert not Commitment.objects.filter(seat__auditor__user=desk_world.reviewers[0]).exists()
    press(desk, "Enter")
    expect(desk.locator("#vote-status")).to_contain_text("Escape takes it back")
    desk.clock.run_for(2900)
    assert not Commitment.objects.filter(seat__auditor__user=desk_world.reviewers[0]).exists()
    desk.clock.run_for(200)
    gone_on(desk, seat)
    desk_world.settle_machines()
    assert Vote.objects.get(seat__auditor__user=desk_world.reviewers[0]).choice == "abstain"


def test_wrong_only_because_of_an_earlier_step_and_the_marked_place_reach_the_vote(
    desk: Page, desk_world: World
) -> None:
    seat = seat_on(desk)
    press(desk, "p", "]", "7", "s")
    desk.keyboard.type("The step before is wrong.")
    press(desk, "Control+Enter", "Enter")
    gone_on(desk, seat)
    desk_world.settle_machines()
    vote = Vote.objects.get(choice="fail")
    said = read_json(vote.rationale)
    assert vote.is_propagated
    assert (vote.error_type, said["start"]) == ("propagated", 0)
    assert said["end"] > 0


def test_only_time_in_use_counts_as_time_at_work(page: Page, desk_world: World, sign_in: Any) -> None:
    page.clock.install()
    sign_in(desk_world.reviewers[0])
    open_desk(page)
    stop_the_clock(page)
    seat = seat_on(page)
    press(page, "1")
    page.clock.fast_forward("10:00")
    press(page, "a", "9", "Enter", "Enter")
    gone_on(page, seat)
    sealed = Commitment.objects.get(seat__auditor__user=desk_world.reviewers[0])
    assert sealed.raw_ms >= 600_000
    assert sealed.active_ms < 60_000


def test_a_segment_is_passed_on_with_its_reason(desk: Page) -> None:
    seat = seat_on(desk)
    press(desk, "j")
    desk.locator("#because").select_option(label="Conflict of interest")
    desk.get_by_role("button", name="Pass on").click()
    expect(desk.get_by_text("You are not asked about traces of this provider again")).to_be_visible()
    gone_on(desk, seat)
    left = Seat.objects.filter(stage="declined")  # the others on traces of the same provider too
    assert set(left.values_list("declined_because", flat=True)) == {"conflict of interest"}


def test_what_is_written_is_saved_encrypted_within_two_seconds_and_there_after_a_reload(desk: Page) -> None:
    desk.locator("#reason").fill("Half a thought")
    saved(desk)
    draft = Draft.objects.get()
    assert b"Half" not in bytes(draft.body)
    seat = seat_on(desk)
    desk.reload()
    expect(desk.locator("#reason")).to_have_value("Half a thought")
    assert seat_on(ready(desk)) == seat


def test_a_lost_network_loses_no_character(desk: Page, context: BrowserContext) -> None:
    context.set_offline(True)
    press(desk, "2", "s")
    desk.keyboard.type("Written without a network")
    expect(desk.locator("#vote-status")).to_contain_text("no connection")
    context.set_offline(False)
    saved(desk)
    context.route("**/draft", lambda route: route.fulfill(status=503))  # a killed server behind its proxy
    desk.keyboard.type(", then without a server")
    expect(desk.locator("#vote-status")).to_contain_text("no connection")
    context.unroute("**/draft")
    saved(desk)
    desk.reload()
    expect(desk.locator("#reason")).to_have_value("Written without a network, then without a server")
    expect(desk.locator("[name=choice][value=fail]")).to_be_checked()


def test_a_session_that_ends_is_taken_up_again_in_place(desk: Page, context: BrowserContext, desk_world: World) -> None:
    desk.locator("[name=choice][value=pass]").check()
    saved(desk)
    context.clear_cookies()
    desk.locator("#reason").fill("Still here")  # at once: a sheet that opens in the middle takes the next keys
    log_in_again(desk, desk_world.reviewers[0].email)
    saved(desk)
    expect(desk.locator("#reason")).to_have_value("Still here")
    seat = seat_on(desk)
    seal(desk)
    gone_on(desk, seat)
    assert Commitment.objects.filter(seat__auditor__user=desk_world.reviewers[0]).count() == 1


def test_two_tabs_lose_nothing_and_vote_once(desk: Page, context: BrowserContext, desk_world: World) -> None:
    other = open_desk(context.new_page())
    assert other.locator("h1").inner_text() == desk.locator("h1").inner_text()
    desk.locator("#reason").fill("From the first tab.")
    expect(other.locator("#reason")).to_have_value("From the first tab.")
    other.locator("#reason").press_sequentially(" And the second.")
    expect(desk.locator("#reason")).to_have_value("From the first tab. And the second.")
    for page in (desk, other):
        page.locator("[name=choice][value=pass]").check()
    seat = seat_on(desk)
    seal(desk)
    gone_on(desk, seat)  # or both tabs would seal at the same moment, and either of them might be the second
    seal(other)
    expect(other.locator("#vote-error")).not_to_be_empty()
    assert max(Commitment.objects.filter(seat=seat).count() for seat in Seat.objects.all()) == 1


def test_a_draft_from_elsewhere_is_joined_never_overwritten(desk: Page) -> None:
    desk.locator("#reason").fill("Mine")
    saved(desk)
    Draft.objects.update(version=9)
    with desk.expect_response(lambda answer: answer.request.method == "PUT" and answer.status == 200):
        desk.locator("#reason").fill("Mine, longer")
    assert Draft.objects.get().version == 10
    desk.reload()
    expect(desk.locator("#reason")).to_have_value("Mine, longer")


def test_signing_out_forgets_every_draft(desk: Page) -> None:
    desk.locator("#reason").fill("Not for the next person")
    saved(desk)
    desk.locator("[data-menu] summary").click()
    desk.get_by_role("button", name="Sign out").click()
    expect(desk.get_by_role("link", name="Sign in").first).to_be_visible()
    assert not Draft.objects.exists()
    assert "trust-desk" not in desk.evaluate("async () => (await indexedDB.databases()).map(one => one.name)")


def test_dangerous_content_reaches_the_admins_at_once(desk: Page) -> None:
    press(desk, "!")
    expect(desk.get_by_text("The admins know")).to_be_visible()
    assert AuditEvent.objects.filter(kind="segment.dangerous").exists()
    assert Notice.objects.filter(kind="danger", user__grants__role="admin").count() == 1


def strict_mode_on(page: Page) -> str:
    """Make the own key; returns its recovery code."""
    page.goto("/desk/openings")
    expect(page.locator("[data-own]")).to_have_attribute("data-ready", "yes")
    page.get_by_role("button", name="Turn strict mode on").click()
    expect(page.locator("#own-made")).to_be_visible()  # the key is made, and its code is written there
    code = page.locator("#own-code").inner_text()
    with page.expect_download() as kept:
        page.get_by_role("link", name="Download the code").click()
    assert len(code) == 69  # fourteen groups of four letters
    assert code in kept.value.path().read_text()
    page.locator("#own-kept").check()
    page.locator("#own-keep").click()
    expect(page.get_by_role("heading", name="Strict mode is on")).to_be_visible()
    return code


def seal_one(page: Page, *keys: str) -> None:
    open_desk(page)
    seat = seat_on(page)
    press(page, *keys)
    gone_on(page, seat)


def test_in_strict_mode_only_the_reviewers_browser_opens_the_vote(page: Page, desk_world: World, sign_in: Any) -> None:
    sign_in(desk_world.reviewers[0])
    strict_mode_on(page)
    seal_one(page, "1", "a", "9", "Enter", "Enter")
    sealed = Commitment.objects.get(sealed=None, kept__isnull=False)
    desk_world.settle_machines()
    assert not Vote.objects.filter(seat=sealed.seat).exists()
    assert Notice.objects.filter(kind="revealing", user=desk_world.reviewers[0]).count() == 1
    open_desk(page)
    expect(page.locator("[data-openable]")).to_have_attribute("data-ready", "yes")
    press(page, "o")
    expect(page.locator("[data-openable]")).to_have_count(0)
    vote = Vote.objects.get(seat=sealed.seat)
    assert (vote.choice, vote.confidence, vote.criteria["logical_consistency"]) == ("pass", 9000, "yes")


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_lost_browser_opens_its_votes_with_the_recovery_code(
    page: Page, desk_world: World, sign_in: Any, is_kept: bool
) -> None:
    """With what the server kept the reason comes back too; without it vote and confidence are found by trying."""
    sign_in(desk_world.reviewers[0])
    code = strict_mode_on(page)
    open_desk(page)
    press(page, "2", "c", "6", "s")
    page.keyboard.type("12 * 5 is not 61.")
    seat = seat_on(page)
    press(page, "Control+Enter")
    gone_on(page, seat)
    lose_the_browsers_data(page)
    if not is_kept:
        lose_what_was_kept()
    desk_world.settle_machines()
    page.goto("/desk")
    page.get_by_role("link", name="Enter your recovery code").click()
    expect(page.locator("[data-own]")).to_have_attribute("data-ready", "yes")
    page.locator("#own-typed").fill(code.replace("-", " ").lower())
    page.get_by_role("button", name="Use this code").click()
    page.get_by_role("button", name="Open my votes").click()
    expect(page.locator("[data-openable]")).to_have_count(0)
    vote = Vote.objects.get(choice="fail")
    assert (vote.confidence, vote.error_type) == (6000, "calculation" if is_kept else "")
    assert read_json(vote.rationale)["reason"] == ("12 * 5 is not 61." if is_kept else "")


def lose_what_was_kept() -> None:
    """A sealed vote is final for the application; only an operator's loss of data can do this."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE auditing_commitment SET kept = NULL")
        cursor.execute("SET session_replication_role = DEFAULT")
