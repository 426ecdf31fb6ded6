"""The desk in a real browser while network, session, server and database go: no character lost, no vote twice."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from benchmarks.faults.world import World, small, started_world
from tests.browser.desk import gone_on, log_in_again, open_desk, press, ready, saved, seal, seat_on
from tests.tools.chromium import find_program
from tests.tools.patience import wait_for

PERSON = "reviewer0@example.org"
OFFLINE_SECONDS = 12 if small() else 300
HUNG_SECONDS = 20 if small() else 60
STRIKES = 2 if small() else 6
REASONS = """
import json
from auditing.models import Vote
from hdag.store.content import read_json
votes = Vote.objects.filter(choice="fail", seat__auditor__user__email="reviewer0@example.org")
print(json.dumps([read_json(vote.rationale)["reason"] for vote in votes]))
"""
BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@contextmanager
def at_the_desk(run_dir: Path) -> Iterator[tuple[World, BrowserContext, Page]]:
    """A world whose first reviewer sits at the desk in a browser."""
    with started_world(run_dir) as world, sync_playwright() as playwright:
        world.submit(1)
        world.wait_for_seats(1)
        browser = playwright.chromium.launch(executable_path=find_program(), args=["--headless", "--no-sandbox"])
        context = browser.new_context(base_url=world.running.url, reduced_motion="reduce")
        context.set_default_timeout(30_000)
        expect.set_options(timeout=30_000)
        page = context.new_page()
        page.goto("/accounts/login/?next=/desk")
        page.get_by_label("Email").fill(PERSON)
        page.get_by_label("Password").fill("correct horse battery")
        page.locator("main button").first.click()
        try:
            yield world, context, ready(page)
        finally:
            browser.close()


def type_for(page: Page, seconds: float, meanwhile: Callable[[], Any] = lambda: None) -> str:
    """A person who never stops typing; `meanwhile` happens half way. Returns what was typed."""
    text, began, happened = "", time.monotonic(), False
    for number in count():
        if time.monotonic() - began >= seconds:
            return text
        if not happened and time.monotonic() - began >= seconds / 2:
            meanwhile()
            happened = True
        words = f"{number}. no, \u05dc\u05d0, \U0001f914 not so; "
        page.keyboard.type(words, delay=60)
        text += words
    raise AssertionError


def begin_a_fail(page: Page) -> None:
    """Everything of a vote that it fails but the reason, which is typed from now on."""
    press(page, "2", "c")
    page.locator("#vote [name=step]").first.check()
    press(page, "s")


def kill_web(world: World) -> None:
    world.running.find("trustweb.serve.web").send_signal(signal.SIGKILL)


def held_seat(world: World) -> str:
    """The seat that the person at the desk holds."""
    held = "SELECT s.id::text FROM auditing_seat s JOIN auditing_auditor a ON a.id = s.auditor_id "
    return str(
        world.scalar(held + "JOIN accounts_user u ON u.id = a.user_id WHERE s.stage = 'held' AND u.email = %s", PERSON)
    )


def votes_on(world: World, seat: str) -> int:
    return int(world.scalar("SELECT count(*) FROM auditing_commitment WHERE seat_id = %s", seat))


def check_the_reason_arrived(world: World, text: str) -> None:
    world.finish()
    assert world.python(REASONS) == [text]


def test_five_minutes_without_a_network_a_killed_server_an_ended_session_and_two_tabs_lose_nothing(tmp_path):
    with at_the_desk(tmp_path) as (world, context, page):
        other = open_desk(context.new_page())
        page.bring_to_front()
        seat = held_seat(world)

        def storm() -> None:
            kill_web(world)
            with psycopg.connect(world.database_url, autocommit=True) as database:
                database.execute("DELETE FROM accounts_personsession")

        context.set_offline(True)
        begin_a_fail(page)
        text = type_for(page, OFFLINE_SECONDS, storm)
        expect(other.locator("#reason")).to_have_value(text)
        began = time.monotonic()
        context.set_offline(False)
        log_in_again(page, PERSON)
        saved(page)
        healed = time.monotonic() - began
        body = bytes(world.scalar("SELECT body FROM auditing_draft WHERE seat_id = %s", seat))
        assert b"not so" not in body
        page.reload()
        assert ready(page).locator("#reason").input_value() == text
        shown = seat_on(other)
        seal(other)
        gone_on(other, shown)
        seal(page)
        expect(page.get_by_role("link", name="Go on to the next segment")).to_be_visible()
        assert votes_on(world, seat) == 1
        check_the_reason_arrived(world, text)
        print(
            f"\n{len(text)} characters in {OFFLINE_SECONDS} s offline, saved {healed:.1f} s after the network was back"
        )


def test_a_draft_survives_a_server_killed_again_and_again_while_it_is_typed(tmp_path):
    with at_the_desk(tmp_path) as (world, _, page):
        seat = held_seat(world)
        begin_a_fail(page)
        text = "".join(type_for(page, 3, lambda: kill_web(world)) for _ in range(STRIKES))
        saved(page)
        page.reload()
        assert ready(page).locator("#reason").input_value() == text
        shown = seat_on(page)
        seal(page)
        gone_on(page, shown)
        assert votes_on(world, seat) == 1
        check_the_reason_arrived(world, text)
        print(f"\n{len(text)} characters, web killed {STRIKES} times")


def test_a_server_that_swallows_everything_is_said_to_be_away_and_costs_nothing(tmp_path):
    with at_the_desk(tmp_path) as (world, _, page):
        begin_a_fail(page)
        web = world.running.find("trustweb.serve.web")
        web.suspend()
        text = type_for(page, HUNG_SECONDS)
        expect(page.locator("#vote-status")).to_contain_text("no connection")
        web.resume()
        saved(page)
        page.reload()
        assert ready(page).locator("#reason").input_value() == text


def kill_blocked(world: World, page: Page, seat: str, strike: Callable[[], Any]) -> None:
    """Strike while the vote is inside its transaction: the row of its seat is locked by somebody else."""
    with suppress(psycopg.OperationalError), psycopg.connect(world.database_url) as database:
        database.execute("SELECT 1 FROM auditing_seat WHERE id = %s FOR UPDATE", (seat,))
        seal(page)
        wait_for(lambda: page.wait_for_timeout(50) or world.scalar(BLOCKED))
        strike()
        expect(page.locator("#vote-status")).to_contain_text("sent again by itself")


def kill_unanswered(world: World, page: Page, seat: str) -> None:
    """Strike when the vote is stored, before its answer has reached the browser."""

    def handle(route: Any) -> None:
        assert route.fetch().status == 200
        kill_web(world)
        route.abort("connectionreset")

    page.route("**/commitment", handle, times=1)
    seal(page)
    expect(page.locator("#vote-status")).to_contain_text("sent again by itself")
    assert votes_on(world, seat) == 1


MOMENTS: dict[str, Callable[[World, Page, str], None]] = {
    "web, before it is stored": lambda world, page, seat: kill_blocked(world, page, seat, lambda: kill_web(world)),
    "web, stored and unanswered": kill_unanswered,
    "PostgreSQL, before it is stored": lambda world, page, seat: kill_blocked(
        world, page, seat, lambda: os.kill(world.running.find("bin/postgres").pid, signal.SIGKILL)
    ),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_killed_between_click_and_answer_the_vote_is_there_once_and_the_page_goes_on(tmp_path, moment):
    with at_the_desk(tmp_path) as (world, _, page):
        seat, shown = held_seat(world), seat_on(page)
        begin_a_fail(page)
        page.keyboard.type("Killed meanwhile.")
        MOMENTS[moment](world, page, seat)
        gone_on(page, shown)
        assert votes_on(world, seat) == 1
        check_the_reason_arrived(world, "Killed meanwhile.")


def test_an_empty_desk_hears_of_a_new_segment_though_its_socket_was_killed(tmp_path):
    with at_the_desk(tmp_path) as (world, _, page):
        world.finish()
        page.goto("/desk")
        expect(page.locator("[data-wait]")).to_be_visible()
        kill_web(world)
        world.submit(1, "later ")
        began = time.monotonic()
        expect(page.locator("[data-work]")).to_be_visible(timeout=60_000)
        print(f"\nheard {time.monotonic() - began:.1f} s after it was handed in")
