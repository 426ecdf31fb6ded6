"""Decisions about a reviewer in a real browser: as the admin makes them, as the person reads, appeals and ends them."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from auditing.models import ConductCase
from auditing.selectors.clock import database_now
from auditing.selectors.policy.versions import latest_policy
from auditing.services.points.transfers import stake_newcomers
from tests.browser.test_look import look_at
from tests.factories.worlds import World, make_user
from tests.rooms.conduct.test_conduct import make_judged_world


@pytest.fixture(scope="module")
def built_once(stored_once: Path) -> Path:
    return stored_once


@pytest.fixture
def transactional_db(stored_once: Path) -> None:
    """Emptied after the last test of the module: what one decides about a person stands in no other one's way."""


@pytest.fixture(scope="module")
def world(built_once: Path) -> World:
    world = make_judged_world()
    version = latest_policy()
    assert version is not None
    stake_newcomers(policy=version, stake=1_000)
    return world


@pytest.fixture(scope="module")
def boss(world: World) -> User:
    return make_user("boss@example.org", "admin")


def decide(page: Page, person: User, decision: str, why: str) -> None:
    """What an admin does on the page of signs."""
    page.goto("/conduct")
    row = page.get_by_role("row").filter(has_text=person.pseudonym)
    row.get_by_label("Why").fill(why)
    row.get_by_role("button", name=decision).click()
    expect(page.get_by_text("Recorded, and the reviewer is told.")).to_be_visible()


def test_a_suspension_is_told_at_home_appealed_on_the_record_and_lifted_by_somebody_else(
    page: Page, world: World, boss: User, sign_in: Callable[[Any], None]
) -> None:
    second = make_user("second@example.org", "admin")
    person = world.reviewers[0]
    sign_in(boss)
    decide(page, person, "Suspend", "Errors were passed within seconds.")
    expect(page.get_by_role("row").filter(has_text=person.pseudonym)).to_contain_text("Suspended, ")
    look_at(page, "/conduct")
    sign_in(person)
    look_at(page, "/home")
    expect(page.get_by_text("You are given no seats until")).to_be_visible()
    page.get_by_role("link", name="Why, and how to appeal").click()
    first = page.locator("main h2").first
    expect(first).to_have_text("Decisions about your votes")
    page.get_by_text("Appeal", exact=True).first.click()
    page.get_by_label("Why it is wrong").fill("I read every one of them.")
    page.get_by_role("button", name="Appeal").click()
    look_at(page, "/record")
    sign_in(second)
    page.goto("/home")
    page.get_by_role("link", name="appeal against decisions about votes").click()
    ruling = page.locator("form").filter(has=page.get_by_role("button", name="Lift it"))
    ruling.get_by_label("Why").fill("The pages were read.")
    ruling.get_by_role("button", name="Lift it").click()
    look_at(page, "/conduct")
    sign_in(person)
    page.goto("/home")
    expect(page.get_by_text("You are given no seats")).to_have_count(0)


def test_a_suspension_that_is_over_says_so(
    page: Page, world: World, boss: User, sign_in: Callable[[Any], None]
) -> None:
    person = world.reviewers[1]
    sign_in(boss)
    decide(page, person, "Suspend", "Errors were passed within seconds.")
    ConductCase.objects.update(until=database_now() - timedelta(minutes=1))
    page.goto("/conduct")
    expect(page.get_by_role("row").filter(has_text=person.pseudonym)).to_contain_text(": over")
    sign_in(person)
    page.goto("/record")
    expect(page.get_by_text("That time is over: you are drawn as before.")).to_be_visible()


def test_whoever_lost_points_reads_how_many_why_and_by_what_in_the_statement(
    page: Page, world: World, boss: User, sign_in: Callable[[Any], None]
) -> None:
    sign_in(boss)
    person = world.reviewers[1]
    decide(page, person, "Take points", "All planted errors were passed.")
    row = page.get_by_role("row").filter(has_text=person.pseudonym)
    expect(row).to_contain_text("Points taken: 24 points")
    expect(row).to_contain_text("All planted errors were passed.")
    sign_in(person)
    look_at(page, "/record")
    expect(page.locator("main")).not_to_contain_text("slashed")
    expect(page.get_by_text("points taken", exact=True)).to_be_visible()
    look_at(page, "/points")
    expect(page.get_by_role("row").filter(has_text="Taken by a decision")).to_contain_text("−24")
    page.get_by_role("link", name="Taken by a decision").click()
    expect(page.get_by_role("heading", name="Decisions about your votes")).to_be_in_viewport()
