"""The corridor's pages in a real browser: nobody shut out, nothing cut off, the graph in place."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_look import look_at
from tests.factories.worlds import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world(site: Any) -> World:
    return make_world()


def test_the_pages_of_a_recorded_audit_have_no_barrier(
    page: Page, sign_in: Callable[[Any], None], world: World
) -> None:
    audit = world.submit()
    world.everybody_votes(audit)
    sign_in(world.provider)
    for address in (f"/audits/{audit.pk}", f"/audits/{audit.pk}/report", "/audits", "/campaigns", "/submit"):
        look_at(page, address)
    page.goto(f"/audits/{audit.pk}")
    expect(page.locator("[data-graph] [data-node]").first).to_be_visible()


def test_the_desk_has_no_barrier(page: Page, sign_in: Callable[[Any], None], world: World) -> None:
    world.submit()
    world.settle_machines()
    sign_in(world.reviewers[0])
    look_at(page, "/desk")
