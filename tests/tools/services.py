"""Starts PostgreSQL and Redis before Django's settings load; loaded by `-p` in pyproject.toml."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools import clusters

VERDICT = "migrated.txt"  # empty once the database is migrated, else the reason why it is not
_PURE = (Path("tests/unit"), Path("tests/house"))
_MEMORY, _ROOM = Path("/dev/shm"), 4 * 2**30  # bytes


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
    if not _measures(early_config):
        undo.enter_context(_files_in_memory())
    run_dir = Path(tempfile.mkdtemp(prefix="trust-tests-"))
    is_migrated = clusters.restore(run_dir=run_dir)
    undo.enter_context(own_services(run_dir))
    undo.enter_context(_migrating(run_dir, is_migrated))


@contextlib.contextmanager
def own_services(run_dir: Path | None = None) -> Iterator[Path]:
    """PostgreSQL and Redis in a run directory of their own, named in the environment; benchmarks start them so too."""
    from trustweb.serve import embedded

    run_dir = run_dir or Path(tempfile.mkdtemp(prefix="trust-tests-"))
    os.environ["TRUST_RUN_DIR"] = str(run_dir)
    services = embedded.Services(run_dir, durable=False)
    services.start()
    os.environ["DATABASE_URL"], os.environ["REDIS_URL"] = services.database_url, services.redis_url
    try:
        yield run_dir
    finally:
        services.stop()
        if (run_dir / VERDICT).exists() and not (run_dir / VERDICT).read_text():
            clusters.keep(run_dir=run_dir)
        shutil.rmtree(run_dir, ignore_errors=True)


@contextlib.contextmanager
def _files_in_memory() -> Iterator[None]:
    """Temporary files lie in memory where there is room: the ledger waits for the disk at each of its files.

    On a disk that is half a second of every audit that a test walks to its record.
    """
    if not _has_room(_MEMORY):
        yield
        return
    place = Path(tempfile.mkdtemp(prefix="trust-tests-", dir=_MEMORY))
    place.chmod(0o711)  # PostgreSQL runs as another user, whose directory lies below
    os.environ["TMPDIR"], tempfile.tempdir = str(place), None
    try:
        yield
    finally:
        os.environ.pop("TMPDIR")
        tempfile.tempdir = None
        shutil.rmtree(place, ignore_errors=True)


def _has_room(place: Path) -> bool:
    """Whether files of a whole run fit there and programs may be started from there."""
    if not (place.is_dir() and os.access(place, os.W_OK)):
        return False
    about = os.statvfs(place)
    return about.f_bavail * about.f_frsize >= _ROOM and not about.f_flag & os.ST_NOEXEC


def _measures(config: pytest.Config) -> bool:
    """Whether figures are taken or faults of the disk tried: then the disk is what it is."""
    return any(Path(str(name)).parts[:1] == ("benchmarks",) for name in config.known_args_namespace.file_or_dir)


def _migrating(run_dir: Path, is_migrated: bool) -> contextlib.AbstractContextManager[None]:
    from tests.tools import database  # reads the settings, which name the services

    os.environ["TRUST_TEMPLATE"] = database.TEMPLATE
    if is_migrated:
        (run_dir / VERDICT).write_text("")
        return contextlib.nullcontext()
    return database.migrating(run_dir=run_dir, url=os.environ["DATABASE_URL"])


def _only_pure_tests(config: pytest.Config) -> bool:
    named = [Path(str(name).split("::")[0]) for name in config.known_args_namespace.file_or_dir]
    return bool(named) and all(_is_pure(path) for path in named)


def _is_pure(path: Path) -> bool:
    return any(path.is_relative_to(place) or path.is_relative_to(place.absolute()) for place in _PURE)
