"""What people once met in a browser: numbers cut in two in a table, and buttons that were called "[" and "]"."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.factories.worlds import TRACE, World

pytestmark = pytest.mark.django_db(transaction=True)
NUMBERS = ("1234567.8901234", "-98765432109876", "12,345,678,901.25")
TABLE = "| month | eggs | price | sum |\n|---|---|---|---|\n" + f"| {' | '.join(('May', *NUMBERS))} |"
# On how many lines each number stands: a broken one has a box on each line.
LINES = """numbers => numbers.map((number) => {
  const cell = [...document.querySelectorAll("[data-trace] td")].find((one) => one.textContent.trim() === number);
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
})"""
NAMELESS = """() => [...document.querySelectorAll("button, a[href], summary, input:not([type=hidden])")]
  .filter((one) => one.checkVisibility())
  .map((one) => one.getAttribute("aria-label") ?? (one.labels?.[0] ?? one).textContent)"""


@pytest.mark.parametrize("width", [390, 1440])
def test_no_number_breaks_inside_a_cell_of_a_table(
    page: Page, sign_in: Callable[[Any], None], live_hens: World, width: int
) -> None:
    audit = live_hens.submit(replace(TRACE, problem=f"{TRACE.problem}\n\n{TABLE}"))
    live_hens.settle_machines()
    sign_in(live_hens.provider)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"/audits/{audit.pk}/report")
    assert page.evaluate(LINES, list(NUMBERS)) == [1, 1, 1]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_everything_that_is_pressed_at_the_desk_has_a_name_in_words(desk: Page) -> None:
    names = desk.evaluate(NAMELESS)
    assert len(names) > 10
    assert [name for name in names if not re.search(r"[^\W\d_]", name.strip())] == []
