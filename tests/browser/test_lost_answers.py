"""The answer to a sealed vote is lost on its way: the vote is asked for again, and what comes late changes nothing."""

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from auditing.models import Commitment
from tests.browser.desk import gone_on, press, seat_on
from tests.factories.worlds import World
from tests.tools.patience import wait_for


def lose_the_first_answer(context: BrowserContext) -> tuple[list[str], list[Any]]:
    """The commitments that are sent (the first is stored and not answered), and the second request, held back."""
    sent: list[str] = []
    held: list[Any] = []

    def answer(route: Any) -> None:
        sent.append(route.request.post_data_json["commitment"])
        if len(sent) == 2:
            return held.append(route)
        if len(sent) > 2:  # a slow machine lets the page ask a third time
            return route.continue_()
        route.fetch()
        return route.abort("connectionreset")

    context.route("**/commitment", answer)
    return sent, held


def test_a_lost_answer_to_a_sealed_vote_is_asked_for_again_by_itself(
    desk: Page, context: BrowserContext, desk_world: World
) -> None:
    sent, held = lose_the_first_answer(context)
    seat = seat_on(desk)
    press(desk, "1", "9", "Enter", "Enter")
    expect(desk.locator("#vote-status")).to_contain_text("sent again by itself")
    press(desk, "2")  # too late: nothing of a vote under way changes
    expect(desk.locator("[name=choice][value=pass]")).to_be_checked()
    wait_for(lambda: desk.wait_for_timeout(20) or held)
    held[0].continue_()
    gone_on(desk, seat)
    assert (set(sent), Commitment.objects.filter(seat__auditor__user=desk_world.reviewers[0]).count()) == ({sent[0]}, 1)


def test_a_draft_that_comes_after_its_own_vote_does_not_take_the_seat_away(desk: Page, context: BrowserContext) -> None:
    _, held = lose_the_first_answer(context)
    drafts: list[Any] = []
    context.route("**/draft", lambda route: drafts.append(route))
    seat = seat_on(desk)
    press(desk, "1", "9", "Enter", "Enter")
    expect(desk.locator("#vote-status")).to_contain_text("sent again by itself")
    wait_for(lambda: desk.wait_for_timeout(20) or (drafts and held))
    with desk.expect_response("**/draft") as refused:
        drafts[0].continue_()
    assert refused.value.status == 404
    desk.evaluate("new Promise((done) => setTimeout(done, 50))")  # the page has heard it
    assert desk.locator("#vote-error").text_content() == ""
    assert desk.get_by_role("link", name="Go on to the next segment").is_hidden()
    held[0].continue_()
    gone_on(desk, seat)
