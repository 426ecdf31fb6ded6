"""The test database: migrated once a run and copied for each test process, emptied by taking out what was written."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from django.apps import apps
from django.core.management import call_command
from django.db import connection, transaction

from tests.tools.patience import PATIENCE, wait_for
from tests.tools.services import VERDICT

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = "trust_migrated"
# Each statement that Django sends is planned anew, mostly for a handful of rows. To try every order that a join of ten
# tables can have was a third of the server's work in a test.
PLANS_SOON = "-c join_collapse_limit=4 -c from_collapse_limit=4"
PLANS_AS_IN_USE = "SET LOCAL join_collapse_limit = 8; SET LOCAL from_collapse_limit = 8"  # PostgreSQL's own
_GUARDS_OFF, _GUARDS_ON = ("SET LOCAL session_replication_role = " + role for role in ("replica", "origin"))
# Rows that Django writes after every migration; no test changes them.
_STAYS = frozenset({"django_content_type", "auth_permission", "django_site", "django_migrations"})


@contextmanager
def migrating(*, run_dir: Path, url: str) -> Iterator[None]:
    """Make the database that will be copied, in a process of its own while the tests are being collected."""
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {TEMPLATE}")
    surroundings = {**os.environ, "DATABASE_URL": urlsplit(url)._replace(path=f"/{TEMPLATE}").geturl()}
    command = [sys.executable, "-W", "ignore", "-m", "tests.tools.database", str(run_dir / VERDICT)]
    with subprocess.Popen(command, cwd=ROOT, env=surroundings, stdin=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()  # a run of pure tests may end before it


def find_template() -> str:
    """The migrated database once it is ready; none where the tests use a server that they did not start."""
    verdict = Path(os.environ.get("TRUST_RUN_DIR", "")) / VERDICT
    if os.environ.get("TRUST_TEMPLATE") != TEMPLATE:
        return ""
    wait_for(verdict.exists, 4 * PATIENCE)  # 13 s of CPU, which a busy machine may give late
    assert not verdict.read_text(), verdict.read_text()
    return TEMPLATE


def drop(name: str, verbosity: int) -> None:
    """Django's own way to take a test database away, but for sessions: on a busy machine one that was closed ends late.

    PostgreSQL waits five seconds for it (CountOtherDBBackends) and then refuses.
    """
    with connection.creation._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f"DROP DATABASE {connection.ops.quote_name(name)} WITH (FORCE)")


def empty() -> None:
    """Take every row out of the database, as Django's `flush` does by truncating all tables whether used or not.

    A few rows are deleted much sooner than 130 tables are given new files. As a replica the server fires no trigger,
    neither our guards of final rows nor those of foreign keys; nobody but a superuser may do that.
    """
    if not _may_pass_guards():
        call_command("flush", verbosity=0, interactive=False)
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_question())
        deletions = [f'DELETE FROM "{name}"' for (name,) in cursor.fetchall()]
        cursor.execute("; ".join([_GUARDS_OFF, *deletions, _GUARDS_ON]))


@cache
def _question() -> str:
    """One statement that names the tables with rows."""
    models = apps.get_models(include_auto_created=True)
    tables = {model._meta.db_table for model in models if model._meta.managed and not model._meta.proxy} - _STAYS
    return " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM \"{name}\")" for name in sorted(tables))


@cache
def _may_pass_guards() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        return bool(cursor.fetchone()[0])


def _refuse_unnamed_moves_of_seats() -> None:
    """Hold every test to SEAT_STAGES: an UPDATE that moves a seat where the table names no way raises.

    Seats move by conditional updates in many rooms, which no single function could check as it does for rounds.
    """
    from auditing.core.stages import SEAT_STAGES

    moves = ", ".join(f"('{stage}', '{target}')" for stage, row in SEAT_STAGES.items() for target in row.next)
    with connection.cursor() as cursor:
        cursor.execute(f"""
            CREATE FUNCTION refuse_unnamed_move() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF (OLD.stage, NEW.stage) NOT IN ({moves}) THEN
                    RAISE 'SEAT_STAGES names no way from % to %', OLD.stage, NEW.stage;
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER named_moves BEFORE UPDATE OF stage ON auditing_seat
            FOR EACH ROW WHEN (OLD.stage IS DISTINCT FROM NEW.stage) EXECUTE FUNCTION refuse_unnamed_move()
        """)


def main(verdict: Path) -> None:
    """Migrate, and leave the reason where it failed; the file appears whole, for others wait for it."""
    import django

    reason = ""
    try:
        django.setup()
        call_command("migrate", verbosity=0)
        _refuse_unnamed_moves_of_seats()
        connection.close()  # a database that somebody uses cannot be copied
    except Exception as error:
        reason = repr(error)
    fresh = verdict.with_suffix(".new")
    fresh.write_text(reason)
    fresh.replace(verdict)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
