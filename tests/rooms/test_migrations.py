"""Databases of older layouts: adopted where they have all of their migrations, else refused in one sentence."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from auditing.models import Audit
from tests.factories.worlds import waiting_world
from trustweb.management.commands import migrate
from trustweb.serve.code_version import find_unknown_migration

pytestmark = pytest.mark.django_db


def test_a_database_made_before_the_first_version_is_refused_with_the_way_out():
    MigrationRecorder(connection).record_applied("auditing", "0001_initial")
    with pytest.raises(CommandError, match=r"made before version 0\.1\.0.*make clean"):
        call_command("migrate", verbosity=0)


def lay_out_as_of_old(lacks: str = "") -> None:
    """The names that a database had before the migrations were laid out anew, but for one."""
    recorder = MigrationRecorder(connection)
    for app, name in (migrate.OLD_LAYOUT, *migrate.OLD_ENDS):
        if name != lacks:
            recorder.record_applied(app, name)
    recorder.record_unapplied(*migrate.ADOPTED[0])


def test_a_database_of_the_old_layout_keeps_its_tables_and_gets_the_new_names(capsys):
    new = set(MigrationRecorder(connection).applied_migrations())
    lay_out_as_of_old()
    call_command("migrate")
    assert capsys.readouterr().out == "No migrations to apply.\n"
    assert set(MigrationRecorder(connection).applied_migrations()) == new
    assert not find_unknown_migration()


@pytest.mark.parametrize("lacks", [name for _, name in migrate.OLD_ENDS])
def test_a_database_that_lacks_something_of_the_old_layout_is_refused_and_stays_as_it_is(lacks):
    lay_out_as_of_old(lacks)
    before = set(MigrationRecorder(connection).applied_migrations())
    with pytest.raises(CommandError, match=rf"{lacks}: migrate it once with the last commit before"):
        call_command("migrate", verbosity=0)
    assert set(MigrationRecorder(connection).applied_migrations()) == before


def test_a_database_of_this_version_is_migrated_again_without_a_word(capsys):
    call_command("migrate", verbosity=0)
    assert capsys.readouterr().out == ""


def test_a_start_with_nothing_new_draws_no_models_from_their_migrations(capsys):
    call_command("migrate")
    assert capsys.readouterr().out == "No migrations to apply.\n"
    [newest] = MigrationLoader(connection).graph.leaf_nodes("auditing")
    MigrationRecorder(connection).record_unapplied(*newest)
    call_command("migrate", fake=True)
    assert "Operations to perform" in capsys.readouterr().out  # the first line of Django's own way


def test_an_audit_that_is_open_while_the_newest_migration_runs_goes_on_to_its_record():
    """F25, as it is asked for: the programs are stopped before, and go on with the audits that they left open."""
    world = waiting_world(reviewers=3)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with checks outstanding cannot be changed
    graph = MigrationLoader(connection).graph
    [newest] = graph.leaf_nodes("auditing")
    before = next(parent.key for parent in graph.node_map[newest].parents if parent.key[0] == "auditing")
    try:
        call_command("migrate", *before, verbosity=0)
    except IrreversibleError:
        pytest.skip(f"{newest[1]} cannot be taken back, so that no database stands before it")
    call_command("migrate", verbosity=0)
    world.afresh().everybody_votes(Audit.objects.get())
    assert Audit.objects.get().stage == "recorded"
