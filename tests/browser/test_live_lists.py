"""A list that hears of something new: fetched again at once, but never out of the hands of whoever works in it."""

from collections.abc import Callable
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.conf import settings
from playwright.sync_api import Page, expect
from redis import Redis

from tests.factories.worlds import World
from tests.pages.test_trace_page import WRONG, long_trace
from tests.tools.patience import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = """const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (words) { send.call(this, words); document.documentElement.dataset.asked = 1; };"""
"""Notes that the page has told its socket what it wants to hear of."""


@pytest.fixture
def audits(page: Page, live_hens: World, sign_in: Callable[[Any], None]) -> Page:
    """A provider's list with one trace, told through its socket what comes."""
    live_hens.submit(WRONG)
    sign_in(live_hens.provider)
    page.add_init_script(ASKED)
    others = hearers("audits")
    page.goto("/audits")
    expect(page.locator("html[data-asked]")).to_have_count(1)
    # What is told between the page's wish and its entry into the group goes to nobody.
    wait_for(lambda: hearers("audits") - others)
    expect(page.locator("#listing tbody tr")).to_have_count(1)
    return page


def hearers(topic: str) -> set[Any]:
    """The pages in the group of a topic; that of an earlier test may stand there still."""
    layer: Any = get_channel_layer()
    with Redis.from_url(settings.REDIS_URL) as store:
        return set(store.zrange(layer._group_key(topic), 0, -1))


def heard(page: Page, world: World, cells: int) -> None:
    """Another trace is handed in, and the page has heard of it."""
    page.evaluate("document.addEventListener('trust:live', () => { document.documentElement.dataset.rang = 1; })")
    world.submit(long_trace(cells))
    expect(page.locator("html[data-rang]")).to_have_count(1)


def test_a_list_at_rest_takes_what_is_new_at_once(audits: Page, live_hens: World) -> None:
    heard(audits, live_hens, 2)
    expect(audits.locator("#listing tbody tr")).to_have_count(2)


def test_ticked_rows_stay_ticked_until_the_hand_is_off_them(audits: Page, live_hens: World) -> None:
    box = audits.locator("input[name=audits]").first
    box.check()
    audits.evaluate("document.querySelector('#listing').dataset.mark = 'old'")
    heard(audits, live_hens, 2)
    audits.wait_for_load_state("networkidle")
    expect(box).to_be_checked()
    expect(audits.locator("#listing[data-mark=old]")).to_have_count(1)
    box.uncheck()
    expect(audits.locator("#listing tbody tr")).to_have_count(2)


def test_a_view_that_is_being_named_is_not_closed(audits: Page, live_hens: World) -> None:
    audits.locator(".list-views summary").click()
    name = audits.get_by_label("Name", exact=True)
    name.fill("Mine")
    heard(audits, live_hens, 2)
    audits.wait_for_load_state("networkidle")
    expect(name).to_have_value("Mine")
    audits.locator(".list-views summary").click()
    expect(audits.locator("#listing tbody tr")).to_have_count(2)
