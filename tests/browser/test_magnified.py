"""Wider text spacing (WCAG 2.2, 1.4.12) and 200 % (1.4.4): what is cut off or runs sideways is seen.

Every page is looked at so in `test_every_page.py`.
"""

from playwright.sync_api import Page

# What a reader's own style sheet may set; our policy forbids inline styles, an adopted sheet is none.
SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""
AS_WRITTEN = "() => { document.adoptedStyleSheets = []; }"
# Controls and headings whose own text is wider or higher than the box that shows it. What scrolls is not cut off.
CUT = """() => [...document.querySelectorAll("a.button, button, label, h1, h2, h3, th, legend, .badge, .tag")]
  .filter((one) => one.checkVisibility() && !one.closest(".visually-hidden, .unseen, svg"))
  .filter((one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX))
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.outerHTML.slice(0, 120))"""


def squeezed(page: Page, address: str) -> list[str]:
    """What is cut off, or scrolls sideways, in wide text and at twice the size, which a reader sets on an open page."""
    troubles = []
    # 200 % of a window of 1280 by 900 is one of 640 by 450.
    for name, sheet, width, height in (("text spacing", SPACED, 1280, 900), ("200 %", AS_WRITTEN, 640, 450)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(sheet)
        wide = page.evaluate("document.documentElement.scrollWidth")
        troubles += [f"{address} at {name}: {wide} pixels wide"] if wide > width else []
        troubles += [f"{address} at {name}: cut off {one}" for one in page.evaluate(CUT)]
    return troubles


def test_a_heading_that_is_cut_off_is_seen(page: Page) -> None:
    heading = "<h1 style='width: 90px; overflow: hidden; white-space: nowrap'>A heading that is cut off</h1>"
    page.set_content(f"<main>{heading}</main>")
    assert squeezed(page, "/")


def test_what_is_wider_than_a_window_in_wide_text_alone_is_seen(page: Page) -> None:
    page.set_content("<main><p style='white-space: nowrap; font: 16px monospace'>" + "a word " * 14 + "</p></main>")
    troubles = squeezed(page, "/")
    assert any("200 %" in one for one in troubles)
