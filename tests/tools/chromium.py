"""The one browser of a test session: started when it is first needed, and anew after it had to be killed."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import psutil
from playwright.sync_api import Browser, Error

from tests.tools.patience import CLOSING

# The first draws no tabs and menus of its own: a window costs a quarter of the work.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find_program() -> str:
    """The installed browser, "" without one; Playwright's own is never downloaded."""
    return os.environ.get("TRUST_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")


class Chromium:
    """A browser that is always alive when it is asked for."""

    def __init__(self, launch: Callable[[], Browser]) -> None:
        self._launch = launch
        self._running: Browser | None = None

    def alive(self) -> Browser:
        """The running browser, or a new one."""
        if self._running is None or not self._running.is_connected():
            self._running = self._launch()
        return self._running

    def close_pages(self) -> None:
        """Close every window that a test opened; a browser that does not do so in time is killed."""
        if self._running is None:
            return
        with killed_when_stuck():
            for context in list(self._running.contexts):
                with suppress(Error):  # a browser that is gone has closed all its pages
                    context.close()

    def close(self) -> None:
        """End it."""
        if self._running is not None:
            with killed_when_stuck(), suppress(Error):
                self._running.close()


@contextmanager
def killed_when_stuck(seconds: float = CLOSING) -> Iterator[None]:
    """Kill the browser when the block does not end: whoever waits for it is then told that it is gone.

    Chromium sometimes never answers `Target.disposeBrowserContext`, with every process idle. Only tests ask for that.
    """
    watch = threading.Timer(seconds, kill_browsers)
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


def kill_browsers() -> None:
    """-9 to every browser that this process has started."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "--remote-debugging-pipe" in process.cmdline():
                process.kill()
