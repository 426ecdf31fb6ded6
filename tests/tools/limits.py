"""Every test ends: at its limit (`timeout` in pyproject.toml) the stacks of all threads and greenlets are printed.

pytest-timeout prints the threads and stops the clock once a test has failed. Here the greenlets are added, in which
Playwright waits, and a failed test is limited in what it puts away as well. Loaded by `-p` in pyproject.toml.
"""

import gc
import signal
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import greenlet
import pytest

_SETTINGS = pytest.StashKey[Any]()


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> Iterator[Any]:  # type: ignore[misc]
    """Put the greenlets' stacks before what the alarm does."""
    item.stash[_SETTINGS] = settings
    result = yield
    ring = signal.getsignal(signal.SIGALRM)
    if callable(ring):
        signal.signal(signal.SIGALRM, lambda number, frame: (print_greenlets(), ring(number, frame)))
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[Any]:  # type: ignore[misc]
    """The clock runs again for what a failed test leaves to be put away."""
    if _SETTINGS in item.stash:
        item.ihook.pytest_timeout_set_timer(item=item, settings=item.stash[_SETTINGS])
    return (yield)


def print_greenlets() -> None:
    """The stack of every greenlet that is waiting, to the error output."""
    for waiting in [one for one in gc.get_objects() if isinstance(one, greenlet.greenlet)]:
        if waiting.gr_frame is not None:
            print(f"\n~~~ Stack of greenlet {waiting!r} ~~~", file=sys.stderr)
            traceback.print_stack(waiting.gr_frame)
