"""The form of a vote: confidence unset until chosen, criteria that fit what is judged, contradictions asked back."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from auditing.models import Vote
from tests.browser.desk import gone_on, press, ready, saved, seat_on
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db(transaction=True)


def test_no_vote_is_sealed_before_its_confidence_was_chosen(desk: Page, desk_world: World) -> None:
    expect(desk.locator("#confidence-out")).to_have_text("not said yet")
    press(desk, "1", "Enter")
    expect(desk.locator("#vote-error")).to_have_text("Not yet: say how sure you are.")
    expect(desk.locator("#confidence")).to_be_focused()
    saved(desk)
    desk.reload()
    expect(ready(desk).locator("#confidence-out")).to_have_text("not said yet")
    seat = seat_on(desk)
    press(desk, "7")
    expect(desk.locator("#confidence-out")).to_have_text("70 %")
    press(desk, "Enter", "Enter")
    gone_on(desk, seat)
    desk_world.settle_machines()
    assert Vote.objects.get(seat__auditor__user=desk_world.reviewers[0]).confidence == 7000


def test_an_abstention_is_sealed_without_one(desk: Page) -> None:
    seat = seat_on(desk)
    press(desk, "3", "Enter", "Enter")
    gone_on(desk, seat)


def shown(page: Page) -> int:
    return page.locator(".criterion:visible").count()


def test_criteria_fit_what_is_judged_and_the_others_are_asked_of_a_fail(desk: Page, desk_world: World) -> None:
    assert shown(desk) == 2
    press(desk, "2")
    assert shown(desk) == 6
    press(desk, "a", "1", "9")
    assert shown(desk) == 2
    seat = seat_on(desk)
    press(desk, "Enter", "Enter")
    gone_on(desk, seat)
    desk_world.settle_machines()
    vote: Any = Vote.objects.get(seat__auditor__user=desk_world.reviewers[0])
    assert len(vote.criteria) == 2


def test_a_contradiction_is_asked_back_once(desk: Page) -> None:
    desk.locator(".criterion:visible input[value=no]").first.check()
    seat = seat_on(desk)
    press(desk, "1", "9", "Enter")
    expect(desk.locator("#vote-error")).to_contain_text("a criterion says no, and the vote says that it holds")
    expect(desk.locator("#undo")).to_be_hidden()
    press(desk, "Enter", "Enter")
    gone_on(desk, seat)
