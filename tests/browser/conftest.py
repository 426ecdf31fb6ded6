"""Debian's chromium, driven by Playwright, on the live server; a console error or a CSP violation fails the test."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.tools.chromium import Chromium, find_program
from tests.tools.patience import PATIENCE
from tests.tools.site import Site

expect.set_options(timeout=PATIENCE * 1000)

_FLAGS = [
    *"--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split(),
    *"--disable-component-update --disable-sync".split(),
    "--host-resolver-rules=MAP desk.example 127.0.0.1",  # a name that is not secure by being local
]
_EXPECTED = ("Failed to load resource", "because the URL's origin was untrustworthy", "ws://desk.example")


@pytest.fixture(scope="session", autouse=True)
def _unsafe_is_fine_here() -> Iterator[None]:
    """Playwright's loop lives in our thread, so Django believes it runs inside asyncio."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Launch the installed chromium; nothing is downloaded."""
    program = find_program()
    if not program:
        pytest.exit("No chromium was found: install it (apt-get install chromium) or set TRUST_CHROMIUM.", 1)
    return {"executable_path": program, "args": _FLAGS}


@pytest.fixture(scope="session")
def _chromium(launch_browser: Callable[[], Browser]) -> Iterator[Chromium]:
    chromium = Chromium(launch_browser)
    yield chromium
    chromium.close()


@pytest.fixture
def browser(_chromium: Chromium, site: Site) -> Iterator[Browser]:
    """The browser of the session; the site comes to rest after the last page of the test is closed."""
    yield _chromium.alive()
    _chromium.close_pages()


@pytest.fixture
def browser_context_args(site: Site) -> dict[str, Any]:
    """`page.goto("/")` means the live server; no test waits for animations."""
    return {"base_url": site.url, "reduced_motion": "reduce"}


@pytest.fixture(autouse=True)
def _open_pages_are_told(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever a test changes reaches the open pages, though Playwright's loop lives in its thread."""
    yield
    assert not [record.getMessage() for record in caplog.get_records("call") if "broadcast" in record.name]


@pytest.fixture
def context(context: BrowserContext, _chromium: Chromium) -> Iterator[BrowserContext]:
    """Listen to every page of the test and fail on what a person would see in the console."""
    troubles: list[str] = []
    context.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    context.on("weberror", lambda error: troubles.append(str(error.error)))
    context.set_default_timeout(PATIENCE * 1000)
    yield context
    _chromium.close_pages()
    refused = [trouble for trouble in troubles if not any(words in trouble for words in _EXPECTED)]
    assert not refused, refused


@pytest.fixture
def open_window(browser: Browser, site: Site) -> Callable[..., Page]:
    """A window of somebody else, who shares no cookie with the page of the test."""

    def open_page(**options: Any) -> Page:
        context = browser.new_context(base_url=site.url, **options)
        context.set_default_timeout(PATIENCE * 1000)
        return context.new_page()

    return open_page


@pytest.fixture
def sign_in(context: BrowserContext, site: Site) -> Callable[[Any], None]:
    """Sign the browser in as a person, without the login page."""

    def sign_in_as(user: Any) -> None:
        from django.conf import settings
        from django.test import Client

        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        value = client.cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": site.url}])

    return sign_in_as


@pytest.fixture
def desk_world(site: Site) -> Any:
    """One reviewer, whose vote alone decides, and one audit that waits for it."""
    from tests.factories.worlds import ONE_SEAT, waiting_world

    return waiting_world(reviewers=1, policy=ONE_SEAT)


@pytest.fixture
def desk(page: Page, desk_world: Any, sign_in: Callable[[Any], None]) -> Page:
    """The desk of that reviewer, open on its first segment."""
    from tests.browser.desk import open_desk

    sign_in(desk_world.reviewers[0])
    return open_desk(page)
