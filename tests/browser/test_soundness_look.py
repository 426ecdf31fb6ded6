"""Soundness in a real browser: asked for by a click, followed without a reload, shown beside the votes."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from auditing.models import FamilyMeasure, SoundnessThreshold
from tests.browser.test_look import look_at
from tests.factories.models import make_endpoint
from tests.factories.worlds import make_user, make_world
from tests.pages.test_soundness import LEANS, compute

pytestmark = pytest.mark.django_db(transaction=True)


def test_soundness_is_asked_followed_and_shown(page: Page, site: Any, sign_in: Callable[[Any], None]) -> None:
    world = make_world(reviewers=0)
    audit = world.submit(LEANS)
    world.walk()
    sign_in(world.provider)
    page.goto(f"/audits/{audit.pk}")
    page.get_by_role("button", name="Compute soundness").click()
    expect(page.locator("#soundness")).to_contain_text("Waiting for a worker")
    compute(audit.soundness_runs.get())
    expect(page.locator("#soundness .certificate")).to_contain_text("does not certify that a claim is true")
    SoundnessThreshold.objects.create(
        model="computer tier", data="ProcessBench gsm8k", chains=40, threshold=0.31, macro_f1=0.712, deviation=0.021
    )
    for place in ("", "/report"):
        look_at(page, f"/audits/{audit.pk}{place}")


def test_the_page_of_endpoints_has_no_barrier(page: Page, site: Any, sign_in: Callable[[Any], None]) -> None:
    make_endpoint("https://models.example.com/v1", "acme")
    FamilyMeasure.objects.create(family="acme", correlation=0.61, segments=80, votes=240)
    make_world(reviewers=0)
    sign_in(make_user("boss@example.org", "admin"))
    look_at(page, "/endpoints")
    page.get_by_role("button", name="Measure now").click()
    expect(page.locator("body")).to_contain_text("No figure has changed")
