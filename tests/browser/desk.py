"""What a reviewer does at the desk, as functions on a page."""

from playwright.sync_api import Page, expect

SOON = 60  # seconds: more than a busy machine needs between two words to the browser


def open_desk(page: Page) -> Page:
    """The desk with a segment on it, ready to be written on."""
    page.goto("/desk")
    return ready(page)


def ready(page: Page) -> Page:
    """Wait until the form takes what is typed."""
    expect(page.locator("#vote")).to_have_attribute("data-ready", "yes")
    return page


def press(page: Page, *keys: str) -> None:
    """Keys of the desk, one after the other."""
    for key in keys:
        page.keyboard.press(key)


def seal(page: Page) -> None:
    """Seal the vote, and do not wait for the three seconds in which it could be taken back."""
    if page.locator("#confidence-field[data-unset]").count():
        page.locator("[data-confidence='80']").click()
    page.get_by_role("button", name="Seal and next").click()
    page.evaluate("document.getElementById('undo')?.checkVisibility() && document.getElementById('seal').click()")


def stop_the_clock(page: Page) -> None:
    """From now on time passes in the page only when a test says so; `page.clock` must be installed."""
    # The page's clock runs on until it is paused, and it cannot be paused in the past.
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + SOON)


def saved(page: Page) -> None:
    """Wait until the server has every letter; the words alone may tell of an earlier save."""
    expect(page.locator("#vote")).to_have_attribute("data-saved", "yes")
    expect(page.locator("#vote-status")).to_contain_text("saved ")
    expect(page.locator("#vote-status")).not_to_contain_text("not saved")


def seat_on(page: Page) -> str:
    """Which seat the desk shows; the headings of two traces may be the same."""
    return page.locator("#vote").get_attribute("data-draft-url") or ""


def gone_on(page: Page, seat: str) -> None:
    """Wait until another seat, ready to be written on, or an empty desk has taken the place of this one."""
    expect(page.locator(f"#vote[data-draft-url='{seat}']")).to_have_count(0)
    expect(page.locator("#vote[data-ready], [data-wait]").first).to_be_attached()


def log_in_again(page: Page, email: str) -> None:
    """Fill the sheet that an ended session opens."""
    sheet = page.locator("#login-sheet")
    expect(sheet).to_be_visible()
    sheet.get_by_label("Email").fill(email)
    sheet.get_by_label("Password").fill("correct horse battery")
    sheet.get_by_role("button", name="Log in").click()
    expect(sheet).to_be_hidden()


def lose_the_browsers_data(page: Page) -> None:
    """From a page that holds none of it open: a deletion waits for every page that does."""
    page.goto("/healthz")
    page.evaluate("new Promise(done => { indexedDB.deleteDatabase('trust-desk').onsuccess = done; })")
