"""Starts PostgreSQL and Redis before Django's settings load; loaded by `-p` in pyproject.toml."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_PURE = (Path("tests/unit"), Path("tests/house"))


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Start the pair once a run: not in xdist's workers, not when the environment names both, not for pure tests."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
    if "PYTEST_XDIST_WORKER" in os.environ or _only_pure_tests(early_config):
        return
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return
    undo = contextlib.ExitStack()
    early_config.add_cleanup(undo.close)
    run_dir = undo.enter_context(own_services())
    undo.enter_context(_migrating(run_dir))


@contextlib.contextmanager
def own_services() -> Iterator[Path]:
    """PostgreSQL and Redis in a run directory of their own, named in the environment; benchmarks start them so too."""
    from trustweb.serve import embedded

    run_dir = Path(tempfile.mkdtemp(prefix="trust-tests-"))
    os.environ["TRUST_RUN_DIR"] = str(run_dir)
    services = embedded.Services(run_dir, durable=False)
    services.start()
    os.environ["DATABASE_URL"], os.environ["REDIS_URL"] = services.database_url, services.redis_url
    try:
        yield run_dir
    finally:
        services.stop()
        shutil.rmtree(run_dir, ignore_errors=True)


def _migrating(run_dir: Path) -> contextlib.AbstractContextManager[None]:
    from tests.tools import database  # reads the settings, which name the services

    os.environ["TRUST_TEMPLATE"] = database.TEMPLATE
    return database.migrating(run_dir=run_dir, url=os.environ["DATABASE_URL"])


def _only_pure_tests(config: pytest.Config) -> bool:
    named = [Path(str(name).split("::")[0]) for name in config.known_args_namespace.file_or_dir]
    return bool(named) and all(_is_pure(path) for path in named)


def _is_pure(path: Path) -> bool:
    return any(path.is_relative_to(place) or path.is_relative_to(place.absolute()) for place in _PURE)
