"""The look of the product in a real browser: nobody shut out, nothing cut off, everything by keyboard."""

import os
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.demo import ensure_demo_people
from accounts.models import User

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
LOOKS = [(360, "dark"), (1440, "light")]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_THE_LOOK = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
# Sizes and colours are four fifths of the work: they are asked of eight rows of a list or table, in `make fuzz` of all.
REPEATED = [] if os.environ.get("TRUST_FUZZ") == "whole" else ["tbody tr:nth-child(n+9)", "main li:nth-child(n+9)"]
FIRST_LOOK = """async ([tags, ofTheLook, exclude]) => {
  const visible = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
  window.seenBefore = new WeakSet(visible);
  const options = {resultTypes: ["violations"]};
  const rules = Object.fromEntries(ofTheLook.map((name) => [name, {enabled: false}]));
  const others = await axe.run(document, {...options, runOnly: tags, rules});
  const look = await axe.run({include: [document], exclude}, {...options, runOnly: {type: "rule", values: ofTheLook}});
  return [...others.violations, ...look.violations];
}"""
SECOND_LOOK = """async ([tags, ofTheLook, exclude]) => {
  const fresh = (one) => one.checkVisibility() && !window.seenBefore.has(one);
  const include = [...document.querySelectorAll("body *")].filter((one) => fresh(one) && !fresh(one.parentElement));
  const options = {resultTypes: ["violations"]};
  const look = await axe.run({include: [document], exclude}, {...options, runOnly: {type: "rule", values: ofTheLook}});
  const others = include.length ? await axe.run({include}, {...options, runOnly: tags}) : {violations: []};
  return [...look.violations, ...others.violations.filter((one) => !ofTheLook.includes(one.id))];
}"""
KEPT = os.environ.get("TRUST_SCREENSHOTS", "")


@pytest.fixture
def admin(site: Any) -> User:
    return ensure_demo_people()[0]


@pytest.fixture(autouse=True)
def _with_gallery(settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.tools.gallery"


def look_at(page: Page, address: str) -> None:
    """Open a page, then see it narrow and dark, wide and light: no barrier, nothing wider than the window."""
    assert troubles_of(page, address) == []


def troubles_of(page: Page, address: str) -> list[str]:
    """What keeps people out of a page, in either look."""
    found = []
    page.goto(address)
    for number, (width, colours) in enumerate(LOOKS):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        keep(page, f"{address}-{width}-{colours}")
        wide = page.evaluate("document.documentElement.scrollWidth")
        said = barriers(page, is_second_look=bool(number)) + ([f"{wide} pixels wide"] if wide > width else [])
        found += [f"{address} at {width} in {colours}: {one}" for one in said]
    return found


def barriers(page: Page, *, is_second_look: bool = False) -> list[str]:
    """What axe-core finds: rule and the elements that break it.

    In a second look at the same elements only those rules can say anything else that depend on sizes and colours; all
    others are asked of the elements that the first could not see. REPEATED rows are asked of the others alone.
    """
    if not page.evaluate("'axe' in window"):  # half a megabyte, which a page keeps for its other look
        page.evaluate(AXE)
    rules = page.evaluate(SECOND_LOOK if is_second_look else FIRST_LOOK, [TAGS, OF_THE_LOOK, REPEATED])
    return [f"{rule['id']}: {[node['html'][:160] for node in rule['nodes'][:4]]}" for rule in rules]


def keep(page: Page, name: str) -> None:
    if KEPT:
        page.screenshot(path=Path(KEPT) / f"{name.strip('/').replace('/', '_') or 'front'}.png", full_page=True)


@pytest.mark.parametrize(
    ("body", "rule", "looks"),
    [
        ("<button></button>", "button-name", [0]),
        ("<button class='wide'></button>", "button-name", [1]),
        ("<p class='pale'>Hardly to be read</p>", "color-contrast", [0, 1]),
        ("<p class='wide pale'>Hardly to be read</p>", "color-contrast", [1]),
        ("<p class='pale-if-light'>Hardly to be read by day</p>", "color-contrast", [1]),
        ("<ol><li>A</li><li class='pale-if-light'>Hardly to be read by day</li></ol>", "color-contrast", [1]),
    ],
)
def test_a_barrier_of_either_look_is_seen(page: Page, body: str, rule: str, looks: list[int]) -> None:
    page.set_content(
        """<style>.pale { color: #eee; background: #fff } @media (width < 1000px) { .wide { display: none } }
        @media (prefers-color-scheme: light) { .pale-if-light { color: #eee; background: #fff } }</style>"""
        f"<main><h1>A page</h1>{body}</main>"
    )
    found = []
    for number, (width, colours) in enumerate(LOOKS):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        found += [number for one in barriers(page, is_second_look=bool(number)) if one.startswith(f"{rule}:")]
    assert found == looks


def test_no_component_is_a_barrier(page: Page, sign_in: Callable[[Any], None], admin: User) -> None:
    sign_in(admin)
    look_at(page, "/gallery")


def test_the_colours_change_at_once_and_stay(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="colours").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_sheet_opens_by_its_key_and_lists_the_keys_of_the_page(page: Page) -> None:
    page.goto("/gallery")
    page.keyboard.press("?")
    sheet = page.locator("#key-sheet")
    expect(sheet).to_be_visible()
    expect(sheet.get_by_role("row", name="Next segment")).to_be_visible()
    assert barriers(page) == []


def test_no_key_fires_in_a_text_field(page: Page) -> None:
    page.goto("/gallery")
    page.locator("textarea").press_sequentially("n?n")
    expect(page.locator("#key-sheet")).to_be_hidden()
    expect(page.locator("textarea")).to_have_value("n?n")
    assert not page.url.endswith("#x")


def test_a_key_runs_what_it_stands_beside_and_can_be_changed_or_switched_off(page: Page) -> None:
    page.goto("/gallery")
    page.keyboard.press("?")
    page.get_by_role("button", name="change the key for Next segment").click()
    page.keyboard.press("j")
    page.locator("[data-keys-close]").click()
    page.keyboard.press("n")
    assert not page.url.endswith("#x")
    page.keyboard.press("j")
    page.wait_for_url("**/gallery#x")
    page.goto("/gallery")
    page.keyboard.press("?")
    page.locator("[data-keys-switch]").click()
    page.locator("[data-keys-close]").click()
    page.keyboard.press("j")
    assert not page.url.endswith("#x")


def test_two_meanings_for_one_key_are_an_error_at_start(page: Page) -> None:
    page.goto("/gallery")
    said = page.evaluate(
        """async () => {
            const src = document.querySelector('script[src*="keys"]').src;
            const keys = await import(src);
            const other = {id: "other", key: "n", label: "Other", run() {}};
            try { keys.register(other); } catch (error) { return error.message; }
        }"""
    )
    assert said == 'Key collision: "n" means both "Next segment" and "Other".'


def test_the_graph_is_walked_along_its_edges(page: Page) -> None:
    page.goto("/gallery")
    page.locator('[data-node="ST2"]').focus()
    for key, reached in (
        ("ArrowRight", "ST3"),
        ("ArrowDown", "O1"),
        ("ArrowLeft", "ST2"),
        ("ArrowLeft", "ST1"),
        ("Home", "G1"),
    ):
        page.keyboard.press(key)
        expect(page.locator(":focus")).to_have_attribute("data-node", reached)


def test_pages_work_without_script(open_window: Callable[..., Page], admin: User) -> None:
    page = open_window(java_script_enabled=False)
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill("admin@demo.example")
    page.get_by_label("Password").fill("trust-the-steps")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator("[data-signed-in]")).to_be_attached()  # another address would break off the signing in
    page.goto("/me/tokens")
    page.get_by_label("What is it for?").fill("nightly")
    page.get_by_role("button", name="Make token").click()
    expect(page.locator("#secret")).to_contain_text("trust_")
