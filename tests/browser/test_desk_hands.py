"""The desk under the hand: any keyboard, any way of marking, and a refusal that leads to its field."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Profile
from auditing.models import Audit, Seat, Vote
from auditing.selectors.clock import database_now
from auditing.selectors.voting.bindings import current_reasoning
from tests.browser.desk import gone_on, open_desk, press, ready, saved, seal, seat_on, stop_the_clock
from tests.browser.test_look import barriers, keep
from tests.factories.worlds import World
from tests.tools.sweeping import sampled

FIRE = """({target, ...init}) => {
    const from = target ? document.querySelector(target) : document.body;
    from.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true, cancelable: true, ...init}));
    const picked = document.querySelector("#vote [name=choice]:checked")?.value ?? "";
    for (const one of document.querySelectorAll("#vote [name=choice]")) one.checked = false;
    return picked;
}"""
ALTGR = {"ctrlKey": True, "altKey": True, "modifierAltGraph": True}
LOOKS = [(360, "dark"), (360, "light"), (1440, "light"), (1440, "dark")]
SIZES = [(1440, 800), (1440, 850), (1440, 900), (1024, 768), (360, 740)]
LIT = "[...(CSS.highlights.get('place') ?? [])].map(range => range.toString()).join('')"


def test_a_key_means_the_same_on_every_keyboard(desk: Page) -> None:
    for init, picked in (
        ({"key": "1", "code": "Digit1"}, "pass"),
        ({"key": "é", "code": "Digit2"}, "fail"),  # a French keyboard, without Shift
        ({"key": "3", "code": "Numpad3"}, "abstain"),
        ({"key": "1", "code": "Digit1", "repeat": True}, ""),  # held down
        ({"key": "1", "code": "Digit1", "isComposing": True}, ""),  # an input method is at work
        ({"key": "1", "code": "Digit1", "ctrlKey": True}, ""),  # a command of the browser
        ({"key": "1", "code": "Digit1", "target": "#reason"}, ""),
        ({"key": "1", "code": "Digit1", "target": "#because"}, ""),
    ):
        assert desk.evaluate(FIRE, init) == picked, init
    desk.evaluate(
        "document.querySelector('[data-current]').insertAdjacentHTML('beforeend', '<p id=note contenteditable>')"
    )
    assert desk.evaluate(FIRE, {"key": "1", "code": "Digit1", "target": "#note"}) == ""
    error = desk.locator("[name=error_type]:checked")
    press(desk, "2")
    for init, picked in (
        ({"key": "C", "code": "KeyC", "modifierCapsLock": True}, "calculation"),
        ({"key": "м", "code": "KeyV"}, "factual"),  # a Russian keyboard
        ({"key": "z", "code": "KeyY"}, "ungrounded"),  # a German keyboard: the sign counts, not the place
        ({"key": "Dead", "code": "KeyX"}, "ungrounded"),
    ):
        desk.evaluate(FIRE, init)
        expect(error).to_have_value(picked)
    desk.evaluate(FIRE, {"key": "]", "code": "Digit9", **ALTGR})  # where brackets need AltGr
    expect(desk.locator("#place")).to_be_visible()


def test_a_changed_key_is_drawn_where_it_works(desk: Page) -> None:
    press(desk, "?")
    desk.get_by_role("button", name="change the key for Fail").click()
    press(desk, "k")
    press(desk, "?")
    press(desk, "2")
    expect(desk.locator("[name=choice]:checked")).to_have_count(0)
    press(desk, "k")
    fail = desk.locator("[name=choice][value=fail]")
    expect(fail).to_be_checked()
    expect(fail).to_have_attribute("aria-keyshortcuts", "k")
    expect(desk.locator(".choice.is-fail .key")).to_have_text("k")


def test_a_vote_that_lacks_something_leads_there_and_loses_nothing(desk: Page) -> None:
    said = desk.locator("#vote-error")
    for keys, words, focus in (
        (["Enter"], "choose pass, fail or abstain", "[name=choice][value=pass]"),
        (["2", "w", "Enter"], "choose the kind of error", "[name=error_type]"),
        (["c", "Enter"], "say why it fails", "#reason"),
    ):
        press(desk, *keys)
        expect(said).to_contain_text(words)
        expect(desk.locator(focus).first).to_be_focused()
    assert barriers(desk) == []
    reason = desk.locator("#reason")
    expect(reason).to_have_attribute("aria-invalid", "true")
    desk.keyboard.type("12 * 5 is not 61.")
    expect(said).to_be_empty()
    press(desk, "Escape")
    expect(reason).not_to_be_focused()
    expect(desk.locator("[name='criterion.mathematical_accuracy'][value=yes]")).to_be_checked()
    expect(desk.locator("[name=error_type][value=calculation]")).to_be_checked()


def test_a_place_is_marked_by_mouse_by_keyboard_and_in_the_source_and_is_lit(desk: Page, desk_world: World) -> None:
    quote = desk.locator("#place q")
    run = desk.locator("[data-current] [data-trace] [data-at]").first
    press(desk, "m")
    expect(desk.locator("#vote-status")).to_contain_text("Select a part")
    run.click(click_count=3)  # a whole paragraph: the selection ends outside of it
    press(desk, "m")
    whole = quote.inner_text()
    assert whole == desk.locator("[data-current] [data-trace]").inner_text().strip()
    press(desk, "]", "Shift+ArrowLeft", "Shift+ArrowLeft")
    expect(quote).to_have_text(whole[:-2])
    shorter = quote.inner_text()
    assert desk.evaluate(LIT).startswith(shorter)
    desk.locator("[data-current] summary").click()
    source = desk.locator("[data-current] [data-trace-source]")
    box = source.bounding_box()
    assert box is not None
    desk.mouse.dblclick(box["x"] + 20, box["y"] + 24)
    press(desk, "m")
    word = quote.inner_text()
    assert word in shorter
    assert word != shorter
    saved(desk)
    desk.reload()
    expect(quote).to_have_text(word)
    ready(desk)
    assert desk.evaluate(LIT) == 2 * word  # in the text and in its source
    seat = seat_on(desk)
    press(desk, "2", "c", "8", "s")
    desk.keyboard.type("No.")
    press(desk, "Control+Enter")
    gone_on(desk, seat)
    desk_world.settle_machines()
    seat = Vote.objects.get(choice="fail").seat_id
    desk.goto(f"/record/votes/{seat}")
    expect(desk.locator("[data-trace] mark").first).to_have_text(word)


def test_keys_walk_the_panes_and_light_what_is_taken_from_a_premise(
    page: Page, desk_world: World, sign_in: Any
) -> None:
    seats = Seat.objects.filter(auditor__user=desk_world.reviewers[0]).select_related("round__segment__block")
    last = next(seat for seat in seats if current_reasoning(seat=seat).startswith("In 3 weeks"))
    Seat.objects.filter(pk=last.pk).update(wanted_by=database_now() - timedelta(days=9))
    sign_in(desk_world.reviewers[0])
    open_desk(page)
    expect(page.locator("#desk-title")).to_be_focused()
    beside = page.locator(".neighbour[data-side=before]")
    taken: set[str] = set()
    for number in range(beside.count()):
        press(page, "d")
        expect(beside.nth(number)).to_be_focused()
        taken |= set(page.evaluate("[...CSS.highlights.get('taken')].map(range => range.toString())"))
    assert {"60"} <= taken <= {"60", "3", "180"}
    for stroke, place in (("h", "#pane-context"), ("f", "#pane-current"), ("j", "#because"), ("Escape", "body")):
        press(page, stroke)
        expect(page.locator(place)).to_be_focused()
    press(page, "4")
    expect(page.locator("#scratch-expression")).to_be_focused()
    press(page, "Escape", "g")
    expect(page.locator("[data-guidelines] [data-first]")).to_be_focused()
    page.get_by_role("button", name="90 % sure").click()  # the mouse takes no focus, so that Enter still seals
    expect(page.locator("[data-guidelines] [data-first]")).to_be_focused()


def test_a_window_that_closes_is_told_and_leads_on(page: Page, desk_world: World, sign_in: Any) -> None:
    page.clock.install()
    sign_in(desk_world.reviewers[0])
    open_desk(page)
    stop_the_clock(page)
    due = page.evaluate("Date.parse(document.getElementById('desk-phase').dataset.due) - Date.now()")
    page.clock.fast_forward(int(due) - 200_000)
    expect(page.locator("#desk-news")).to_contain_text("closes in 3 min")
    page.clock.fast_forward(260_000)
    expect(page.locator("#desk-phase")).to_contain_text("The window has closed.")
    expect(page.locator("#go-on")).to_be_focused()


@pytest.mark.parametrize("change", ["conflict", "withdrawn"])
def test_a_vote_that_can_no_longer_be_taken_is_not_to_be_sent_again(desk: Page, desk_world: World, change: str) -> None:
    if change == "conflict":
        for person in (desk_world.reviewers[0], desk_world.provider):
            Profile.objects.update_or_create(user=person, defaults={"organisation": "Acme Labs"})
    else:
        Audit.objects.update(stage="withdrawn")
    press(desk, "1", "a", "9")
    seal(desk)
    expect(desk.locator("#vote-error")).to_contain_text("Your text stays on this page until you go on.")
    expect(desk.locator("#vote-error")).not_to_contain_text("press the button again")
    expect(desk.locator("#go-on")).to_be_focused()


def test_a_seat_that_goes_to_another_leaves_who_writes_at_their_text(desk: Page) -> None:
    press(desk, "2", "s")
    desk.keyboard.type("The third step")
    saved(desk)
    Seat.objects.filter(pk=UUID(seat_on(desk).split("/")[2])).update(stage="lapsed", lease_until=None)
    desk.keyboard.type(" divides by zero.")
    expect(desk.locator("#vote-error")).to_contain_text("no longer yours")
    expect(desk.locator("#next-step")).to_have_text("leave this segment")
    expect(desk.locator("#vote-status")).to_be_empty()
    desk.keyboard.press("Enter")
    desk.keyboard.type("So it fails.")
    expect(desk.locator("#reason")).to_have_value("The third step divides by zero.\nSo it fails.")
    expect(desk.locator("#vote-error")).to_contain_text("no longer yours")
    desk.keyboard.press("Control+Enter")
    expect(desk.locator("#go-on")).to_be_focused()


SHIFTS = (
    "window.shift = 0; new PerformanceObserver(list => { for (const one of list.getEntries()) "
    "if (!one.hadRecentInput) window.shift += one.value; }).observe({type: 'layout-shift', buffered: true});"
)


@pytest.mark.parametrize(("width", "colours"), sampled(LOOKS, one_in=4))
def test_a_review_from_first_look_to_the_next_without_barrier_or_jump(
    desk: Page,
    width: int,
    colours: Any,
) -> None:
    desk.set_viewport_size({"width": width, "height": 900})
    desk.emulate_media(color_scheme=colours)
    desk.add_init_script(SHIFTS)
    open_desk(desk)
    keep(desk, f"desk-{width}-{colours}")
    assert barriers(desk) == []
    seat = seat_on(desk)
    press(desk, "2", "c", "]", "a", "w", "8", "s")
    desk.keyboard.type("It is not so.")
    keep(desk, f"desk-{width}-{colours}-fail")
    assert barriers(desk) == []
    assert desk.evaluate("document.documentElement.scrollWidth") <= width
    at_first = desk.evaluate("window.shift")
    press(desk, "Control+Enter")
    gone_on(desk, seat)
    # A browser takes what moves within half a second of a key for asked for; the next passage has another length.
    assert (at_first < 0.05, desk.evaluate("window.shift") < 0.1) == (True, True)


SEEN = """field => {
    const {left, top, width, height} = field.getBoundingClientRect();
    return [0.1, 0.5, 0.9].map(down => document.elementFromPoint(left + width / 2, top + height * down) === field);
}"""


@pytest.mark.parametrize(("width", "height"), sampled(SIZES, one_in=4))
def test_the_reason_is_seen_while_it_is_written(desk: Page, width: int, height: int) -> None:
    desk.set_viewport_size({"width": width, "height": height})
    open_desk(desk)
    press(desk, "2", "c", "a", "8", "s")
    desk.keyboard.type("It is not so.")
    field = desk.locator("#vote textarea:focus")
    assert field.evaluate(SEEN) == [True, True, True]
