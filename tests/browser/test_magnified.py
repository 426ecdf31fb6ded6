"""Every page with wider text spacing (WCAG 2.2, 1.4.12) and at 200 % (1.4.4): nothing is cut off or runs sideways."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from accounts.models import User
from auditing.models import Audit
from tests.browser.test_every_page import FEWEST, crawl, everybody

__all__ = ["everybody"]  # the fixture: a person with every role
pytestmark = pytest.mark.django_db(transaction=True)
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
    page.goto(address)
    # 200 % of a window of 1280 by 900 is one of 640 by 450.
    for name, sheet, width, height in (("text spacing", SPACED, 1280, 900), ("200 %", AS_WRITTEN, 640, 450)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(sheet)
        wide = page.evaluate("document.documentElement.scrollWidth")
        troubles += [f"{address} at {name}: {wide} pixels wide"] if wide > width else []
        troubles += [f"{address} at {name}: cut off {one}" for one in page.evaluate(CUT)]
    return troubles


def test_no_page_is_cut_off_by_wide_text_or_at_twice_the_size(
    page: Page, sign_in: Callable[[Any], None], everybody: User
) -> None:
    sign_in(everybody)
    recorded = Audit.objects.get(stage="recorded")
    first = ["/", "/desk", "/me", f"/audits/{recorded.pk}", f"/audits/{recorded.pk}/appeal", "/gold"]
    assert len(crawl(page, first, squeezed)) >= FEWEST


@pytest.mark.parametrize(
    "body",
    ["<main><h1 style='width: 90px; overflow: hidden; white-space: nowrap'>A heading that is cut off</h1></main>"],
)
def test_a_heading_that_is_cut_off_is_seen(page: Page, body: str) -> None:
    page.set_content(body)
    assert page.evaluate(CUT)
