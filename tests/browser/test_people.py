"""Coming in and being told, in a real browser: an invitation from mail to first page, and the bell that counts live."""

import re
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from auditing.services.campaigns.notices import tell_people
from tests.factories.worlds import make_user
from tests.tools.patience import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
DANGER = "A reviewer reports danger."


@pytest.fixture
def admin(site: Any) -> User:
    return make_user("root@example.org", "admin")


def test_an_invitation_is_made_opened_once_and_closed_to_the_next(
    page: Page, open_window: Callable[..., Page], sign_in: Callable[[Any], None], admin: User
) -> None:
    sign_in(admin)
    page.goto("/people/joining")
    page.get_by_label("E-mail address").fill("ada@example.org")
    page.get_by_role("group", name="Roles that wait for them").get_by_label("Reviewer").check()
    page.get_by_role("button", name="Make the invitation").click()
    link = page.get_by_label("Link of the invitation").input_value()
    guest = open_window()
    guest.goto(link)
    assert link.split("/")[-1] not in guest.url
    guest.get_by_label("Choose a password").fill("right horse battery")
    guest.get_by_label("The same again").fill("right horse cart")
    guest.get_by_role("button", name="Make my account").click()
    expect(guest.get_by_text("The two passwords differ.")).to_be_visible()
    guest.get_by_label("Choose a password").fill("right horse battery")
    guest.get_by_label("The same again").fill("right horse battery")
    guest.get_by_role("button", name="Make my account").click()
    expect(guest.get_by_role("link", name="Desk")).to_be_visible()
    late = open_window()
    late.goto(link)
    expect(late.get_by_role("heading", name="This invitation is not open")).to_be_visible()


def test_the_bell_counts_live_and_falls_silent_when_everything_is_read(
    page: Page, sign_in: Callable[[Any], None], admin: User
) -> None:
    sign_in(admin)
    page.goto("/me/tokens")
    bell = page.locator("#bell .bell-count")
    expect(bell).to_have_count(0)
    numbers = count()

    def told() -> bool:
        key = str(next(numbers))
        tell_people(people=[admin], kind="danger", key=key, text=DANGER, link="/audits")
        page.wait_for_timeout(250)
        return bool(bell.count())

    wait_for(told)  # the first may come before the server has read the subscription
    expect(bell).to_have_text(re.compile(r"^\s*\d+\s+unread\s*$"))
    page.locator("#bell").click()
    page.get_by_role("link", name=DANGER).click()
    page.wait_for_url("**/audits")
    expect(page.locator("#bell .bell-count")).to_have_count(0)


def test_a_page_that_can_have_no_socket_asks_by_itself(page: Page, sign_in: Callable[[Any], None], admin: User) -> None:
    """F7: while Redis is away nobody is told anything, and sockets close as soon as they are open."""
    page.route_web_socket("**/ws/live", lambda socket: socket.close())
    sign_in(admin)
    page.goto("/me/tokens")
    tell_people(people=[admin], kind="danger", key="alone", text=DANGER, link="/audits")
    expect(page.locator("#bell .bell-count")).to_have_text(re.compile(r"^\s*1\s+unread\s*$"))
