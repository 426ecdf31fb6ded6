"""F25: newer code migrates the database under a worker of older code, which takes no more tasks and ends."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from auditing.core.stages import AuditStage
from auditing.models import Audit
from tests.factories.worlds import make_world
from tests.tools.patience import PATIENCE, wait_for
from tests.tools.workers import worker
from trustweb.celery import ANSWERED, app
from trustweb.serve.code_version import KNOWN, find_unknown_migration

pytestmark = pytest.mark.django_db(transaction=True)
TOMORROW = ("auditing", "9999_of_tomorrow")


@pytest.fixture
def migrate_by_newer_code():
    """What `migrate` of a newer version leaves behind; the table is not emptied between two tests."""
    recorder = MigrationRecorder(connection)
    yield lambda: recorder.record_applied(*TOMORROW)
    recorder.record_unapplied(*TOMORROW)


def test_this_code_knows_every_migration_of_its_database():
    applied = MigrationRecorder(connection).applied_migrations()
    assert {row for row in applied if row[0] in {"accounts", "auditing", "hdag", "research"}} == KNOWN
    assert find_unknown_migration() == ""


def test_a_worker_whose_code_has_become_old_ends_and_is_not_replaced_by_another_of_it(migrate_by_newer_code):
    from django.core.cache import cache

    cache.delete(ANSWERED)
    with worker("default,computer") as old:
        app.send_task("trustweb.answer")
        wait_for(lambda: cache.get(ANSWERED))
        migrate_by_newer_code()
        app.send_task("trustweb.answer")
        assert old.wait(PATIENCE) == 0  # as if it had been told to stop: what it had in hand is done
    audit = make_world().submit()  # its messages wait
    with worker("default,computer") as again:
        assert again.wait(PATIENCE) != 0
    audit.refresh_from_db()
    assert audit.stage == AuditStage.SUBMITTED
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE name = %s", [TOMORROW[1]])
    with worker("default,computer"):  # code that knows all: it finds the messages
        wait_for(lambda: Audit.objects.get().stage != AuditStage.SUBMITTED)


def test_the_health_page_of_a_web_server_of_older_code_says_so(migrate_by_newer_code):
    migrate_by_newer_code()
    troubles = Client().get("/healthz").json()["troubles"]
    assert "auditing.9999_of_tomorrow" in troubles["code"]
