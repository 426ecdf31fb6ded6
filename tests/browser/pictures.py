"""`make screenshots`: the main pages as people see them, light and dark, at the widths of a phone, a tablet and a desk.

Not collected with the tests: it asserts nothing, it writes pictures into the folder that TRUST_SCREENSHOTS names.
"""

import base64
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from accounts.demo import ensure_demo_people
from auditing.core.policy import Grain
from tests.factories.passages import PLANNED, REFUTED
from tests.factories.worlds import make_user, make_world

pytestmark = pytest.mark.django_db(transaction=True)
WIDTHS = {390: 844, 1024: 768, 1440: 900}
LOOKS = ("light", "dark")
FOLDER = Path(os.environ.get("TRUST_SCREENSHOTS") or ".run/screenshots")
STRANGER = ""
QUALITY = 60  # of WebP: sharp enough to read, small enough for a repository


@pytest.fixture
def people(site: Any) -> dict[str, Any]:
    """A campaign with two recorded audits, one of which fails, and one that waits for its reviewers."""
    world = make_world(grain=Grain.PASSAGE)
    audit, failing = world.submit(), world.submit(REFUTED)
    world.everybody_votes(audit)
    world.submit(replace(PLANNED, problem=f"{PLANNED.problem} Say how you count."))
    world.settle_machines()
    ensure_demo_people()
    return {
        "audit": failing,
        "campaign": world.campaign,
        "admin": world.campaign.owner,
        "provider": world.provider,
        "reviewer": world.reviewers[0],
        "researcher": make_user("pictures@example.org", "researcher"),
    }


def test_pictures(page: Page, sign_in: Callable[[Any], None], people: dict[str, Any]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    wire = page.context.new_cdp_session(page)
    pages = (
        (STRANGER, "front", "/"),
        (STRANGER, "ledger", "/ledger"),
        ("reviewer", "home", "/home"),
        ("reviewer", "record", "/record"),
        ("reviewer", "desk", "/desk"),
        ("provider", "report", f"/audits/{people['audit'].pk}/report"),
        ("provider", "trace", f"/audits/{people['audit'].pk}"),
        ("admin", "campaign", f"/campaigns/{people['campaign'].pk}"),
        ("admin", "policy", "/policies/1"),
        ("researcher", "agreement", "/research/agreement"),
    )
    for role, name, address in pages:
        if role:
            sign_in(people[role])
        for look in LOOKS:
            page.emulate_media(color_scheme=look)  # type: ignore[arg-type]
            for width, height in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": height})
                response = page.goto(address)
                assert response is not None
                assert response.ok, address
                picture = wire.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
                (FOLDER / f"{name}-{width}-{look}.webp").write_bytes(base64.b64decode(picture["data"]))
