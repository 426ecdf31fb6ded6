"""What the desk counts in a real browser: edits, pastes and the window left, never what was pasted."""

from playwright.sync_api import Page

from auditing.models import DeskSigns
from tests.browser.desk import gone_on, press, seat_on
from tests.factories.worlds import World


def test_the_desk_counts_pastes_edits_and_the_window_left_and_never_what_was_pasted(
    desk: Page, desk_world: World
) -> None:
    seat = seat_on(desk)
    press(desk, "1", "a", "9")
    desk.evaluate("() => { window.dispatchEvent(new Event('blur')); window.dispatchEvent(new Event('focus')); }")
    desk.locator("#reason").focus()
    desk.keyboard.type("So ")
    desk.evaluate(
        """() => {
          const reason = document.getElementById('reason');
          reason.dispatchEvent(new InputEvent('beforeinput', { inputType: 'insertFromPaste' }));
          reason.value += 'a long word of somebody else';
          reason.dispatchEvent(new InputEvent('input', { inputType: 'insertFromPaste', bubbles: true }));
        }"""
    )
    press(desk, "Control+Enter", "Enter")
    gone_on(desk, seat)
    row = DeskSigns.objects.get()
    assert (row.left, row.pastes, row.pasted, row.edits) == (1, 1, 28, 3)
