"""The adjudicator's workbench in a real browser: one form with keys, one case after the other."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from auditing.core.values import Choice
from auditing.models import Adjudication
from tests.browser.test_look import barriers, keep
from tests.factories.worlds import make_user, make_world
from tests.tools.sweeping import sampled

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def judge(site: Any) -> Any:
    """An adjudicator before whom everything is contested: every reviewer abstained."""
    world = make_world()
    person = make_user("judge@example.org", "adjudicator")
    audit = world.submit()
    world.everybody_votes(audit, Choice.ABSTAIN)
    world.settle_machines()
    return person


def test_two_cases_are_sealed_by_keys_alone(page: Page, sign_in: Callable[[Any], None], judge: Any) -> None:
    sign_in(judge)
    page.goto("/adjudication")
    keep(page, "adjudication")
    page.get_by_role("rowheader").get_by_role("link").first.click()
    for number in (1, 2):
        expect(page.get_by_role("heading", name="Opened votes")).to_be_visible()
        expect(page.locator("#vote[data-ready]")).to_be_attached()
        page.keyboard.press("1")
        expect(page.locator("#next-step")).to_have_text("say why it was contested")
        page.keyboard.press("l")
        expect(page.get_by_label("Why was it contested?")).to_have_value("split_vote")
        page.keyboard.press("l")
        page.keyboard.press("9")
        title = page.title()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page).not_to_have_title(title)
        assert Adjudication.objects.filter(reason="ambiguous").count() == number


@pytest.mark.parametrize(("width", "colours"), sampled([(390, "dark"), (1440, "light")], one_in=2))
def test_the_workbench_is_no_barrier(
    page: Page, sign_in: Callable[[Any], None], judge: Any, width: int, colours: Any
) -> None:
    sign_in(judge)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=colours)
    for address in ("/adjudication", "/desk"):
        page.goto(address)
        keep(page, f"workbench{address.replace('/', '-')}-{width}-{colours}")
        assert barriers(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
