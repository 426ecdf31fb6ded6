"""Databases made before 0.1.0 are refused, in one sentence."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

pytestmark = pytest.mark.django_db


def test_a_database_made_before_the_first_version_is_refused_with_the_way_out():
    MigrationRecorder(connection).record_applied("auditing", "0001_initial")
    with pytest.raises(CommandError, match=r"made before version 0\.1\.0.*make clean"):
        call_command("migrate", verbosity=0)


def test_a_database_of_this_version_is_migrated_again_without_a_word(capsys):
    call_command("migrate", verbosity=0)
    assert capsys.readouterr().out == ""
