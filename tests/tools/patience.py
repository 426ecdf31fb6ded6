"""How long a test waits for what has to happen: one limit for all, since a busy machine is slow and not wrong.

Nothing is asserted about the time that something took. A right program needs a fraction of this; only a wrong one is
waited for to the end. Every test has a longer limit of its own in pyproject.toml (`timeout`).
"""

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 120.0  # seconds
CLOSING = 15.0  # seconds that a browser has to close its pages before it is killed, by which nothing is lost
PAUSE = 0.02  # seconds between two looks


def wait_for(happened: Callable[[], Any], seconds: float = PATIENCE) -> None:
    """Ask until the callable answers true; the pause is short and the end is loud."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, f"{happened} did not happen within {seconds} s"
        time.sleep(PAUSE)
