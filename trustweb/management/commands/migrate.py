"""Django's migrate, as the owner of the tables where one is named, and then the rights of the other roles."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from trustweb import addresses, roles

TOO_OLD = (
    "This database was made before version 0.1.0, whose tables are laid out anew: keep it with the code that made it, "
    "or begin with an empty one (`make clean` forgets what `make run` stored)."
)

# On 2026-11-27 the migrations of 0.1.0 were laid out anew: the same tables, made in one step. A database that had all
# of the old ones needs nothing but their names.
OLD_LAYOUT = ("auditing", "0003_indexes")
OLD_ENDS = (
    ("accounts", "0006_person_session"),
    ("hdag", "0010_tags"),
    ("auditing", "0037_gold_about_plans"),
    ("research", "0009_prior_orders"),
)
ADOPTED = (("auditing", "0003_claim_functions"),)  # beside 0001_tables and 0002_guards, which had their names already
HALF_OLD = (
    "This database lacks the newest migrations of before 2026-11-27, {missing}: migrate it once with the last commit "
    "before that day, then again with this code."
)


def adopt(connection: BaseDatabaseWrapper) -> None:
    """Give the tables of the old layout the names of the new one. Raises CommandError where some are missing."""
    recorder = MigrationRecorder(connection)
    applied = set(recorder.applied_migrations())
    if ("auditing", "0001_initial") in applied:
        raise CommandError(TOO_OLD)
    if OLD_LAYOUT not in applied:
        return
    if missing := [f"{app}.{name}" for app, name in OLD_ENDS if (app, name) not in applied]:
        raise CommandError(HALF_OLD.format(missing=", ".join(missing)))
    known = MigrationExecutor(connection).loader.disk_migrations
    with transaction.atomic(using=connection.alias):
        for app, name in sorted(applied):
            if app in dict(OLD_ENDS) and (app, name) not in known:
                recorder.record_unapplied(app, name)
        for app, name in ADOPTED:
            recorder.record_applied(app, name)


def has_new(connection: BaseDatabaseWrapper) -> bool:
    """Whether a migration of any app waits for this database."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


class Command(Migrate):
    """DATABASE_OWNER_URL names the owner; without it, the one role of DATABASE_URL owns and uses the tables."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Become the owner before Django's checks ask the database: at the first start no other role is there."""
        if settings.DATABASE_OWNER_URL:
            connection = connections[options["database"]]
            # An open connection would keep its old role; only who connects changes, the options stay as they are.
            connection.close()
            owner = addresses.database(settings.DATABASE_OWNER_URL, kept=False)
            connection.settings_dict.update({name: owner[name] for name in ("USER", "PASSWORD", "HOST", "PORT")})
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        """Take over what an older layout made, migrate, then settle the rights of the roles."""
        connection = connections[options["database"]]
        is_plain = not (options.get("plan") or options.get("check_unapplied") or options.get("app_label"))
        if is_plain:
            adopt(connection)
        # Nothing is new at most starts. Django would then draw all models from their migrations to compare them: more
        # than a second in which a site that comes back after a crash does not answer.
        if not is_plain or has_new(connection):
            super().handle(*args, **options)
        elif options["verbosity"]:
            self.stdout.write("No migrations to apply.")
        if not is_plain:
            return
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            if settings.DATABASE_OWNER_URL:
                roles.make(cursor=cursor, urls=[settings.DATABASE_URL, settings.DATABASE_SEQUENCER_URL])
            if roles.exist(cursor=cursor):
                roles.settle(cursor=cursor)
            elif options["verbosity"]:
                self.stdout.write(self.style.WARNING(addresses.ONE_ROLE))
