"""What each database role may not do, tried as that role (threat 31). Superusers are stopped by triggers and fsck."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.db import DatabaseError, ProgrammingError, connection, transaction

from auditing.models import Audit, Checkpoint, Leaf
from auditing.research.erasure import services as erasure
from tests.factories.worlds import TRACE, World, make_world
from tests.tools.system import run_command
from trustweb import roles

pytestmark = pytest.mark.django_db
FINAL = (
    "auditing_leaf",
    "auditing_checkpoint",
    "auditing_commitment",
    "auditing_vote",
    "auditing_posting",
    "auditing_transfer",
    "auditing_policyversion",
    "auditing_segmentoutcome",
    "auditing_traceoutcome",
    "auditing_auditevent",
    "auditing_reputationstep",
    "auditing_appeal",
    "auditing_adjudication",
)
DENIED = r"permission denied|must be owner"


@contextmanager
def acting_as(role: str) -> Iterator[Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {role}")
        try:
            yield cursor
        finally:
            cursor.execute("RESET ROLE")


def denied(role: str, statement: str) -> None:
    with acting_as(role) as cursor, pytest.raises(ProgrammingError, match=DENIED), transaction.atomic():
        cursor.execute(statement)


@pytest.fixture
def recorded() -> Audit:
    """An audit walked to its end while the application is the app role and the sequencer the sequencer's."""
    return walked_as_roles()


def walked_as_roles() -> Audit:
    world = make_world(reviewers=3)
    real = World.sequence

    def sequence(self: World) -> int:
        with connection.cursor() as cursor:
            cursor.execute(f"SET ROLE {roles.SEQUENCER}")
        try:
            return real(self)
        finally:
            with connection.cursor() as cursor:
                cursor.execute(f"SET ROLE {roles.APP}")

    with acting_as(roles.APP):
        world.sequence = sequence.__get__(world)  # type: ignore[method-assign]
        audit = world.submit(TRACE)
        world.everybody_votes(audit)
        audit.refresh_from_db()
    return audit


def test_the_whole_corridor_and_an_erasure_need_no_more_than_the_two_roles(recorded: Audit) -> None:
    assert recorded.stage == "recorded"
    with acting_as(roles.APP):
        asked = erasure.ask(trace=recorded.trace, by=recorded.trace.provider, because="")
        assert erasure.confirm(erasure=asked, by=recorded.campaign.owner).state == "done"


@pytest.mark.django_db(transaction=True)
def test_migrate_is_the_owner_from_its_first_question_on(tmp_path: Path) -> None:
    """At the first start of a database nobody but the owner is there: Django's own checks must not ask as the app."""
    held = connection.settings_dict
    place = f"{quote(held['HOST'], safe='')}/{held['NAME']}"
    owner, unborn = f"postgres://{held['USER']}@{place}", f"postgres://trust_unborn@{place}"
    ran = run_command("migrate", "--check", run_dir=tmp_path, DATABASE_URL=unborn, DATABASE_OWNER_URL=owner)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_app_can_change_no_row_of_the_ledger() -> None:
    for table in FINAL:
        for statement in (
            f"UPDATE {table} SET created = now()",
            f"DELETE FROM {table}",
            f"TRUNCATE {table} CASCADE",
            f"ALTER TABLE {table} DISABLE TRIGGER ALL",
            f"DROP TABLE {table} CASCADE",
        ):
            if "SET created" in statement:
                with connection.cursor() as cursor:
                    cursor.execute(
                        "SELECT column_name FROM information_schema.columns WHERE table_name = %s"
                        " AND column_name NOT IN ('rationale_nonce', 'sealed', 'kept') LIMIT 1",
                        [table],
                    )
                    (column,) = cursor.fetchone()
                statement = f'UPDATE {table} SET "{column}" = NULL'
            denied(roles.APP, statement)


def test_the_list_of_final_tables_is_the_one_that_triggers_guard() -> None:
    with connection.cursor() as cursor:
        cursor.execute(roles._GUARDED)
        guarded = {name for (name,) in cursor.fetchall()}
    assert set(FINAL) <= guarded
    for table in guarded:
        denied(roles.APP, f"DELETE FROM {table}")


def test_the_app_can_neither_sign_nor_number_nor_switch_guards_off() -> None:
    for statement in (
        "INSERT INTO auditing_checkpoint (size, root, note) VALUES (1, 'x', 'x')",
        "UPDATE auditing_leaf SET index = 0",
        "DROP TRIGGER leaf_is_append_only ON auditing_leaf",
        "CREATE OR REPLACE FUNCTION trust_row_is_final() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "SET session_replication_role = replica",
        "CREATE TABLE mine (id int)",
        "DELETE FROM django_migrations",
        "CREATE ROLE another SUPERUSER",
    ):
        denied(roles.APP, statement)


def test_a_leaf_is_born_without_its_number_unless_the_owner_says_so() -> None:
    insert = "INSERT INTO auditing_leaf (kind, body, index) VALUES ('x', '{}', 0)"
    for role in (roles.APP, roles.SEQUENCER):
        with acting_as(role) as cursor, pytest.raises(DatabaseError, match="number"), transaction.atomic():
            cursor.execute(insert)


def test_the_sequencer_numbers_leaves_once_and_reads_nothing_else(recorded: Audit) -> None:
    for statement in (
        "UPDATE auditing_leaf SET body = ''",
        "DELETE FROM auditing_leaf",
        "TRUNCATE auditing_leaf CASCADE",
        "UPDATE auditing_checkpoint SET root = ''",
        "DELETE FROM auditing_checkpoint",
        "SELECT * FROM hdag_block",
        "SELECT * FROM accounts_user",
        "SELECT * FROM auditing_vote",
        "INSERT INTO auditing_vote DEFAULT VALUES",
        "ALTER TABLE auditing_leaf DISABLE TRIGGER ALL",
    ):
        denied(roles.SEQUENCER, statement)
    with acting_as(roles.SEQUENCER) as cursor:
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            cursor.execute("UPDATE auditing_leaf SET index = index + 1000000")
        assert Leaf.objects.filter(index__isnull=False).exists()
        assert Checkpoint.objects.exists()


def test_the_app_may_empty_what_erasure_takes_and_nothing_beside_it(recorded: Audit) -> None:
    with acting_as(roles.APP) as cursor:
        cursor.execute("UPDATE auditing_commitment SET sealed = NULL")
        with pytest.raises(DatabaseError, match="final"), transaction.atomic():
            cursor.execute("UPDATE auditing_commitment SET sealed = 'x'")
    denied(roles.APP, "UPDATE auditing_commitment SET digest = 'x'")
