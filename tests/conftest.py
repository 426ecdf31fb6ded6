"""Fixtures of all rooms."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.tools.site import Site, served_site

# A busy machine is slow, not wrong: no test of a property fails by the clock.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

_BROWSER = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: Playwright leaves a running loop in the thread, on which asyncio tests would fail."""
    items.sort(key=lambda item: item.path.is_relative_to(_BROWSER))


@pytest.fixture(autouse=True)
def _fresh_rate_limits(request: pytest.FixtureRequest) -> None:
    """Rate limits of one test must not reach the next; a flush would reach the other test process."""
    if not {"db", "transactional_db"} & set(request.fixturenames) and not request.node.get_closest_marker("django_db"):
        return
    import redis
    from django.conf import settings as project

    with redis.Redis.from_url(project.REDIS_URL) as client:
        stale = list(client.scan_iter(match=f"{project.CACHES['default']['KEY_PREFIX']}:*"))
        if stale:
            client.delete(*stale)


@pytest.fixture(autouse=True)
def _ledger_of_its_own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """The ledger's files of one test must not meet the rolled-back database of the next."""
    from django.test import override_settings

    with override_settings(LEDGER_DIR=tmp_path / "ledger"):
        yield


@pytest.fixture(scope="module")
def built_once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """What a module's fixture builds after this one lies under the transaction of each of its tests, until the last.

    For modules that need one world for many tests, none of which is transactional.
    """
    from django.db import transaction
    from django.test import override_settings

    here = override_settings(LEDGER_DIR=tmp_path_factory.mktemp("ledger"))
    with django_db_blocker.unblock(), here, transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="session")
def _site(django_db_setup: None) -> Iterator[Site]:
    with served_site() as site:
        yield site


@pytest.fixture
def site(_site: Site, transactional_db: None) -> Iterator[Site]:
    """The live server (`site.url`, `site.socket_url`) on the test database; at rest before that is emptied."""
    yield _site
    _site.rest()
