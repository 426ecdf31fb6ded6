"""F28: a base backup and the WAL after it, started on another host: every audit is there, and work goes on."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import OperationalError, connection

from auditing.models import Audit
from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now
from tests.factories.worlds import make_world
from tests.tools.patience import wait_for
from trustweb.serve.postgres import Postgres
from trustweb.serve.processes import stop

pytestmark = pytest.mark.django_db(transaction=True)
RUNS = Path(os.environ.get("TRUST_RUN_DIR", ""))


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Postgres]:
    """A PostgreSQL that has not been started yet."""
    if not (RUNS / "postgres" / "data").exists():
        pytest.skip("the tests use a PostgreSQL whose files are not theirs")
    (tmp_path / "logs").mkdir()
    sockets = Path(tempfile.mkdtemp(prefix="trust-host-"))  # not below tmp_path, which is closed to other users
    host = Postgres(tmp_path, sockets, durable=False)
    yield host
    shutil.rmtree(host.home)
    shutil.rmtree(sockets)


def back_up(host: Postgres) -> None:
    """A base backup, of the server as it works, into the place of the other host's data."""
    server = Path(connection.settings_dict["HOST"])
    command = [host.program / "bin" / "pg_basebackup", "-h", server, "-U", "postgres", "-c", "fast", "-X", "none"]
    subprocess.run([*command, "-D", host.home / "data"], check=True, capture_output=True)


def hand_over_wal(host: Postgres) -> None:
    """What an archive would hold: every segment of the log that was written since, the last one closed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_switch_wal()")
    archive, data = host.home / "archive", host.home / "data"
    shutil.copytree(RUNS / "postgres" / "data" / "pg_wal", archive)
    (data / "recovery.signal").touch()
    with (data / "postgresql.auto.conf").open("a") as settings:
        settings.write(f"restore_command = 'cp {archive}/%f %p'\n")
    if host.as_user:
        for path in (archive, data, *archive.rglob("*"), *data.rglob("*")):
            shutil.chown(path, host.as_user["user"], host.as_user["group"])


@contextmanager
def working_on(host: Postgres) -> Iterator[None]:
    """Everything that this process asks of the database is asked of the other host."""
    here = connection.settings_dict["HOST"]
    with open(os.devnull) as lock:
        child = host.spawn(lock.fileno())
    try:
        connection.close()
        connection.settings_dict["HOST"] = str(host.sockets)
        wait_for(has_recovered)
        yield
    finally:
        connection.close()
        connection.settings_dict["HOST"] = here
        stop(child, host.stop_signal)


def has_recovered() -> bool:
    """Whether the archived log was read to its end; until then the server is closed, or only read."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT NOT pg_is_in_recovery()")
            return bool(cursor.fetchone()[0])
    except OperationalError:
        return False


def broken() -> list[str]:
    return [finding.name for finding in fsck.check(now=database_now()) if not finding.holds]


def test_a_base_backup_and_its_log_come_to_life_on_another_host(host: Postgres) -> None:
    world = make_world()
    world.everybody_votes(world.submit())
    back_up(host)
    world.everybody_votes(world.submit(copy=True))
    hand_over_wal(host)
    with working_on(host):
        assert (Audit.objects.filter(stage="recorded").count(), broken()) == (2, [])
        world.everybody_votes(world.submit(copy=True))
        assert (Audit.objects.filter(stage="recorded").count(), broken()) == (3, [])
    assert Audit.objects.count() == 2
