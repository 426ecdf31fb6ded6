"""Fixtures of all rooms."""

import functools
import gc
import itertools
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.tools.built import lying_under
from tests.tools.order import place_of
from tests.tools.site import Site, served_site

# A busy machine is slow, not wrong: no test of a property fails by the clock.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
_PURE = Path(__file__).parent / "unit"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, browser tests last of all."""
    items.sort(key=lambda item: place_of(item.path))


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: the collector need not look at it again and again."""
    from tests.tools import static_files

    static_files.list_once()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Copy the database that was migrated once, plan soon, and empty it between two tests by what was written."""
    from django.db import connection
    from django.test import TransactionTestCase

    from tests.tools import database

    if template := database.find_template():
        connection.settings_dict["TEST"] |= {"TEMPLATE": template, "MIGRATE": False}
    connection.settings_dict["OPTIONS"]["options"] = database.PLANS_SOON
    connection.creation._destroy_test_db = database.drop  # type: ignore[attr-defined]
    TransactionTestCase._fixture_teardown = lambda case: database.empty()  # type: ignore[attr-defined, method-assign]


@pytest.fixture(autouse=True)
def _fresh_rate_limits(request: pytest.FixtureRequest) -> None:
    """Rate limits of one test must not reach the next; a flush would reach the other test process."""
    if not {"db", "transactional_db"} & set(request.fixturenames) and not request.node.get_closest_marker("django_db"):
        return
    from django.conf import settings as project

    client = _redis_of(project.REDIS_URL)
    stale = list(client.scan_iter(match=f"{project.CACHES['default']['KEY_PREFIX']}:*", count=10_000))
    if stale:
        client.delete(*stale)


@functools.cache
def _redis_of(url: str) -> Any:
    """One connection a process: some thousand tests ask."""
    import redis

    return redis.Redis.from_url(url)


@pytest.fixture(scope="module", autouse=True)
def _our_celery_is_current() -> Iterator[None]:
    """A module that leaves another one makes every later test of its process wait for a broker that is gone."""
    yield
    if "celery" in sys.modules:
        assert sys.modules["celery"].current_app.main == "trust"


@pytest.fixture(scope="session")
def _ledgers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the ledger of each test lies, one after the other: `tmp_path` looks through all earlier ones for a name."""
    place = tmp_path_factory.mktemp("ledgers")
    return (place / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _ledger_of_its_own(request: pytest.FixtureRequest, _ledgers: Iterator[Path]) -> Iterator[None]:
    """The ledger's files of one test must not meet the rolled-back database of the next; a pure test has none.

    Where the world was built once, each test gets a copy of the files that belong to it.
    """
    if request.path.is_relative_to(_PURE):
        yield
        return
    from django.test import override_settings

    directory = next(_ledgers)
    if "built_once" in request.fixturenames:
        shutil.copytree(request.getfixturevalue("built_once"), directory)
    with override_settings(LEDGER_DIR=directory):
        yield


@pytest.fixture(scope="module")
def built_once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """What a module's fixture builds after this one lies under the transaction of each of its tests, until the last.

    For modules that need one world for many tests, none of which is transactional. The value is the directory of the
    ledger's files.
    """
    with lying_under(django_db_blocker, tmp_path_factory.mktemp("ledger")) as directory:
        yield directory


@pytest.fixture(scope="module")
def stored_once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The same where the live server must see it: stored, with all that the module's tests store, until the last.

    A module takes it in the place of `built_once` and of `transactional_db`, which would empty the database after
    each test, by fixtures of those names.
    """
    from django.test import override_settings

    from tests.tools.database import empty

    directory = tmp_path_factory.mktemp("ledger")
    with django_db_blocker.unblock(), override_settings(LEDGER_DIR=directory):
        yield directory
        empty()


@pytest.fixture
def plans_as_in_use(db: None) -> None:
    """For a test of the plans of statements: they are made as everywhere but in tests."""
    from django.db import connection

    from tests.tools.database import PLANS_AS_IN_USE

    with connection.cursor() as cursor:
        cursor.execute(PLANS_AS_IN_USE)


@pytest.fixture
def empty_database(db: None) -> None:
    """Nothing of what the module has built: for a test with a world of its own beside the one of all others."""
    from tests.tools.database import empty

    empty()


@pytest.fixture(scope="module")
def _idle_hens(built_once: Path) -> Any:
    from tests.factories.worlds import make_world

    return make_world(reviewers=3)


@pytest.fixture
def idle_hens(_idle_hens: Any, db: None) -> Any:
    """A world of three reviewers to whom nothing was handed in. Built once."""
    return _idle_hens.afresh()


@pytest.fixture(scope="module")
def _one_seat_hens(built_once: Path) -> Any:
    from tests.factories.worlds import ONE_SEAT, waiting_world

    return waiting_world(reviewers=3, policy=ONE_SEAT)


@pytest.fixture
def one_seat_hens(_one_seat_hens: Any, db: None) -> Any:
    """A world of three reviewers, one of whom is drawn for each segment of the audit that waits. Built once."""
    return _one_seat_hens.afresh()


@pytest.fixture(scope="module")
def _recorded_hens(built_once: Path) -> Any:
    from tests.factories.worlds import make_world

    world = make_world(reviewers=3)
    world.everybody_votes(world.submit())
    return world


@pytest.fixture
def recorded_hens(_recorded_hens: Any, db: None) -> Any:
    """A world of three reviewers who passed everything: its one audit is recorded, with its receipt. Built once."""
    return _recorded_hens.afresh()


@pytest.fixture
def recorded_audit(recorded_hens: Any) -> Any:
    """The audit of those hens."""
    from auditing.models import Audit

    return Audit.objects.get(stage="recorded")


@pytest.fixture(scope="module")
def _waiting_hens(built_once: Path) -> Any:
    from tests.factories.worlds import waiting_world

    return waiting_world(reviewers=3)


@pytest.fixture
def waiting_hens(_waiting_hens: Any, db: None) -> Any:
    """A world of three reviewers, for whom the segments of one audit wait. Built once."""
    return _waiting_hens.afresh()


@pytest.fixture
def waiting_audit(waiting_hens: Any) -> Any:
    """The audit of those hens."""
    from auditing.models import Audit

    return Audit.objects.get(stage="auditing")


@pytest.fixture(scope="session")
def _site(django_db_setup: None) -> Iterator[Site]:
    with served_site() as site:
        yield site


@pytest.fixture
def site(_site: Site, transactional_db: None) -> Iterator[Site]:
    """The live server (`site.url`, `site.socket_url`) on the test database; at rest before that is emptied."""
    yield _site
    _site.rest()


@pytest.fixture
def live_hens(site: Site) -> Any:
    """The idle hens where the live server sees them."""
    from tests.factories.worlds import make_world

    return make_world(reviewers=3)


@pytest.fixture
def live_waiting_hens(site: Site) -> Any:
    """The waiting hens where the live server sees them."""
    from tests.factories.worlds import waiting_world

    return waiting_world(reviewers=3)
