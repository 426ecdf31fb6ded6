"""/verify in a browser: receipt, bundle and proof are checked by WebCrypto beside the server, in words."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from auditing.core.ledger import bundle
from auditing.models import Audit
from auditing.selectors.ledger.published import bundle_of, ledger_keys
from auditing.translog.note import ML_DSA, signing_key
from tests.factories.worlds import make_world


@pytest.fixture
def audit(site: Any, settings: Any) -> Audit:
    settings.RECEIPT_KEY = b"r" * 32
    world = make_world(reviewers=3)
    audit = world.submit()
    world.everybody_votes(audit)
    audit.refresh_from_db()
    return audit


def check(page: Page, file: Path) -> tuple[list[str], list[str]]:
    """What the browser and the server say of a file: the words of every step."""
    page.locator("#file").set_input_files(file)
    with page.expect_response("**/verify"):
        page.get_by_role("button", name="Check it").click()
    expect(page.locator("#in-browser[data-done=yes]")).to_be_visible()
    expect(page.locator("#on-server .check").first).to_be_visible()
    words = page.locator(".check-word").evaluate_all("e => e.map((word) => word.getClientRects()[0].height)")
    assert max(words) < 1.5 * min(words)  # no word is broken in two
    return tuple(page.locator(f"{where} .check-word").all_inner_texts() for where in ("#in-browser", "#on-server"))  # type: ignore[return-value]


def test_what_holds_holds_in_both_and_what_was_changed_fails_in_both(page: Page, audit: Audit, tmp_path: Path) -> None:
    page.goto("/verify")
    files = {
        "receipt.txt": audit.receipt.encode(),
        "bundle.json": bundle.encode(bundle=bundle_of(audit=audit)),
        "leaf.tlog-proof": page.request.get("/ledger/v1/proof/3.tlog-proof").body(),
    }
    changed = {
        "receipt.txt": (b"digest ", b"digest 0"),
        "bundle.json": (b'\\"vote\\":1', b'\\"vote\\":0'),
        "leaf.tlog-proof": (b"index 3", b"index 2"),
    }
    for name, data in files.items():
        file = tmp_path / name
        file.write_bytes(data)
        here, there = check(page, file)
        assert (set(here), set(there)) == ({"Holds"}, {"Holds"}), name
        file.write_bytes(data.replace(*changed[name], 1))
        here, there = check(page, file)
        assert "Fails" in here, name
        assert "Fails" in there, name


def test_pasted_text_is_checked_and_nonsense_is_named(page: Page, audit: Audit) -> None:
    page.goto("/verify")
    page.get_by_label("Or its text").fill(page.request.get("/ledger/v1/checkpoint").text())
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("#in-browser")).to_contain_text("The checkpoint is signed by this ledger")
    expect(page.locator("#on-server")).to_contain_text("Today's ledger continues that one")
    page.get_by_label("Or its text").fill("hello")
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("#in-browser .check-fails")).to_contain_text("neither a bundle")
    expect(page.locator("#on-server .check-fails")).to_contain_text("neither a bundle")


def test_where_a_check_ends_early_the_page_does_not_say_that_everything_was_looked_at(page: Page, audit: Audit) -> None:
    page.goto("/verify")
    page.get_by_label("Or its text").fill('{"format":"another"}')
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("#in-browser[data-done=yes] .check-fails")).to_contain_text("The bundle can be read")
    expect(page.locator("#in-browser")).not_to_contain_text("Everything was looked at")


def test_a_signature_that_a_browser_cannot_check_is_open_there_and_checked_by_the_server(
    page: Page, audit: Audit, tmp_path: Path
) -> None:
    page.goto("/verify")
    vkey = signing_key(name=ledger_keys()[0].name, seed=b"q" * 32, kind=ML_DSA).verifier.vkey
    file = tmp_path / "bundle.json"
    file.write_bytes(bundle.encode(bundle={**bundle_of(audit=audit), "vkey_ml_dsa": vkey}))
    here, there = check(page, file)
    assert set(here) == {"Holds", "Open"}
    expect(page.locator("#in-browser .check-open")).to_contain_text("ML-DSA-44")
    assert "Fails" in there


@pytest.mark.parametrize(
    ("days", "word", "told"),
    [(0, "Fails", "Keep this receipt"), (1, "Open", "set the clock, or look again later")],
    ids=["over by both clocks", "over by this machine's alone"],
)
def test_a_missing_leaf_accuses_nobody_while_only_the_readers_clock_says_that_the_time_is_over(
    page: Page, audit: Audit, tmp_path: Path, days: int, word: str, told: str
) -> None:
    later = datetime.now(UTC) + timedelta(days=1)
    sent = {"Date": format_datetime(later - timedelta(days=days), usegmt=True)}
    page.route("**/verify/place/**", lambda route: route.fulfill(json={"index": None}, headers=sent))
    page.clock.install(time=later)
    page.goto("/verify")
    file = tmp_path / "receipt.txt"
    file.write_bytes(audit.receipt.encode())
    page.locator("#file").set_input_files(file)
    page.get_by_role("button", name="Check it").click()
    step = page.locator("#in-browser .check").filter(has_text="The ledger holds it")
    expect(step).to_contain_text(told)
    expect(step.locator(".check-word")).to_have_text(word)
