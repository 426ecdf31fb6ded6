"""Whether the code of this process still fits the database: it does not once newer code has migrated it (F25).

What the code knows is read when this module is imported, at the start of a process: an upgrade changes the files under
the feet of one that goes on running.
"""

from pathlib import Path

from django.db import connection

_ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = {
    "accounts": "accounts/migrations",
    "hdag": "hdag/migrations",
    "auditing": "auditing/migrations",
    "research": "auditing/research/migrations",
}
KNOWN = frozenset(
    (label, path.stem) for label, folder in _FOLDERS.items() for path in (_ROOT / folder).glob("[0-9]*.py")
)


def find_unknown_migration() -> str:
    """The newest migration of ours that the database has and this process has never heard of; "" where none is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations WHERE app = ANY(%s) ORDER BY id", [list(_FOLDERS)])
        strange = [f"{label}.{name}" for label, name in cursor.fetchall() if (label, name) not in KNOWN]
    return strange[-1] if strange else ""


def find_newer_database() -> str:
    """The same as a sentence for whoever looks after the site."""
    newest = find_unknown_migration()
    return f"The database was migrated by newer code ({newest}): start this program anew from it." if newest else ""
