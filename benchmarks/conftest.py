"""Benchmarks take the time that they take: the limit of a test is not theirs."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """No limit."""
    for item in items:
        item.add_marker(pytest.mark.timeout(0))
