"""The desk with a passage and with plan seats, in a real browser: by keyboard alone, without a barrier."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from auditing.models import Remark, Vote
from hdag.store.content import read_json
from tests.browser.desk import gone_on, open_desk, press, ready, seat_on
from tests.browser.test_look import look_at
from tests.factories.passages import PLANNED, one_seat_passages
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def passages(site: Any) -> World:
    world = one_seat_passages()
    world.submit(PLANNED)
    world.settle_machines()
    return world


@pytest.fixture
def passage_desk(page: Page, passages: World, sign_in: Any) -> Page:
    sign_in(passages.reviewers[0])
    return open_desk(page)


def to_the_next_passage(page: Page) -> None:
    """Seal passes until a form with numbered steps and an outline before it stands on the desk."""
    while not page.locator("[data-step='2']").count() or not page.locator(".neighbour[data-side=before]").count():
        seat = seat_on(page)
        press(page, "1", "9", "Enter", "Enter")
        gone_on(page, seat)
        ready(page)


def test_a_failing_step_is_named_by_keyboard_and_bound_by_the_vote(passage_desk: Page, passages: World) -> None:
    to_the_next_passage(passage_desk)
    seat, label = seat_on(passage_desk), passage_desk.locator("#pane-current").inner_text().split()[2]
    press(passage_desk, "2", "c", "8", "s")
    passage_desk.keyboard.type("It does not follow.")
    press(passage_desk, "Control+Enter")
    expect(passage_desk.locator("#vote-error")).to_have_text("Not yet: name the first step that fails.")
    # The refusal leads to the first radio; the arrow picks the second step.
    press(passage_desk, "ArrowDown")
    expect(passage_desk.locator("[data-step='2']")).to_have_class("piece is-named")
    press(passage_desk, "Enter", "Enter")
    gone_on(passage_desk, seat)
    passages.settle_machines()
    vote = Vote.objects.get(choice="fail")
    row = vote.seat.round.segment
    assert row.label == label
    assert read_json(vote.rationale)["start"] == row.numbered[1].start


def test_a_place_in_a_later_step_is_a_place_of_the_whole_passage(passage_desk: Page, passages: World) -> None:
    to_the_next_passage(passage_desk)
    seat = seat_on(passage_desk)
    passage_desk.locator("[data-step='2'] [data-at]").first.evaluate("run => getSelection().selectAllChildren(run)")
    press(passage_desk, "m")
    expect(passage_desk.locator("[data-step='2']")).to_have_class("piece is-named")
    press(passage_desk, "2", "c", "8", "s")
    passage_desk.keyboard.type("It does not follow.")
    press(passage_desk, "Control+Enter", "Enter")
    gone_on(passage_desk, seat)
    passages.settle_machines()
    vote = Vote.objects.get(choice="fail")
    assert read_json(vote.rationale)["start"] == vote.seat.round.segment.numbered[1].start


def test_a_missing_premise_is_picked_by_keyboard_and_shown_at_once(passage_desk: Page) -> None:
    page = passage_desk
    press(page, "u")
    expect(page.locator("#outline > *").first).to_be_visible()
    while not page.locator(".outline").count():
        seat = seat_on(page)
        press(page, "1", "9", "Enter", "Enter")
        gone_on(page, seat)
        press(ready(page), "u")
        expect(page.locator("#outline > *").first).to_be_visible()
    page.locator(".outline input").first.focus()
    press(page, "Space", "Enter")
    expect(page.locator("#picked .neighbour")).to_have_count(1)
    assert Remark.objects.get().kind == "missing_premise"


def test_the_desk_of_passages_has_no_barrier(passage_desk: Page) -> None:
    look_at(passage_desk, "/desk")
    to_the_next_passage(ready(passage_desk))
    look_at(passage_desk, "/desk")


def test_a_plan_seat_asks_its_question(passage_desk: Page) -> None:
    expect(passage_desk.locator(".verdicts legend")).to_contain_text("Is the problem read as it was asked")
