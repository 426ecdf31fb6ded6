"""Real threads on the real database: all start at one barrier, each with a connection of its own."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from tests.tools.patience import PATIENCE

Together = Callable[[Sequence[Callable[[], Any]]], list[Any]]


@pytest.fixture
def together(transactional_db: None) -> Together:
    """Run the calls at the same moment; each gives its value, or the exception that it raised."""

    def run(calls: Sequence[Callable[[], Any]]) -> list[Any]:
        barrier = threading.Barrier(len(calls))

        def one(call: Callable[[], Any]) -> Any:
            try:
                barrier.wait(PATIENCE)
                return call()
            except Exception as error:
                return error
            finally:
                connections.close_all()

        with ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(one, calls))

    return run


@pytest.fixture
def meeting() -> Callable[[int], Callable[[], None]]:
    """A point where naive movers wait for each other between reading and writing, so that their fault always shows."""

    def make(count: int) -> Callable[[], None]:
        barrier = threading.Barrier(count)

        def wait() -> None:
            try:
                barrier.wait(PATIENCE)
            except threading.BrokenBarrierError:
                return

        return wait

    return make
