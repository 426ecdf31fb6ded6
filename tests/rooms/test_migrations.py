"""Databases made before 0.1.0 are refused, in one sentence."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from auditing.models import Audit
from tests.factories.worlds import waiting_world

pytestmark = pytest.mark.django_db


def test_a_database_made_before_the_first_version_is_refused_with_the_way_out():
    MigrationRecorder(connection).record_applied("auditing", "0001_initial")
    with pytest.raises(CommandError, match=r"made before version 0\.1\.0.*make clean"):
        call_command("migrate", verbosity=0)


def test_a_database_of_this_version_is_migrated_again_without_a_word(capsys):
    call_command("migrate", verbosity=0)
    assert capsys.readouterr().out == ""


def test_a_start_with_nothing_new_draws_no_models_from_their_migrations(capsys):
    call_command("migrate")
    assert capsys.readouterr().out == "No migrations to apply.\n"
    [newest] = MigrationLoader(connection).graph.leaf_nodes("accounts")
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
