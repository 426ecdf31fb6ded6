"""Three database roles: an owner that migrates, the app that works, the sequencer that numbers and signs.

`settle` is run after every migration, as the owner. Which rows are final is read from the triggers that guard them
(named row_is_final and leaf_is_append_only), so that a new final table is covered by its own migration. Roles guard
against a mistake or a hole in the web application; they do not bind whoever owns the database server.
"""

from collections.abc import Iterable
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from psycopg import sql

from trustweb.addresses import APP, OWNER, SEQUENCER

# The columns of final rows that an erasure must still be able to empty: the nonce without which a committed rationale
# can no longer be matched, and the two ciphertexts of a vote. The triggers allow emptying them, and nothing else.
_FORGETS = {"auditing_vote": ("rationale_nonce",), "auditing_commitment": ("sealed", "kept")}
_LOG = ("auditing_leaf", "auditing_checkpoint", "auditing_publickey")
# tgrelid is the table that a trigger guards (PostgreSQL's system catalogue pg_trigger).
_GUARDED = """
SELECT DISTINCT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE tgname IN ('row_is_final', 'leaf_is_append_only') AND relnamespace = 'public'::regnamespace
"""
# One ALTER ... OWNER statement for everything in the schema that another role owns. A sequence behind a serial or
# identity column (deptype 'a' or 'i') follows its table and refuses an ALTER of its own, hence `stands_alone`.
_STRANGERS = """
SELECT format('ALTER %%s %%s OWNER TO %%I', kind, name, %s::text) FROM (
    SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS kind,
           oid::regclass::text AS name, relowner AS owner, relkind <> 'S' OR NOT EXISTS (
               SELECT FROM pg_depend
               WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype IN ('a', 'i')
           ) AS stands_alone
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')
    UNION ALL
    SELECT 'FUNCTION', oid::regprocedure::text, proowner, TRUE FROM pg_proc WHERE pronamespace = 'public'::regnamespace
) AS things WHERE stands_alone AND owner <> %s::regrole ORDER BY kind DESC
"""


class Cursor(Protocol):
    """A cursor of psycopg, or Django's around it."""

    def execute(self, query: Any, params: Any = None) -> Any:
        """Run one statement."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows of the last one."""
        ...


def exist(*, cursor: Cursor) -> bool:
    """Whether the app and the sequencer have roles of their own on this server."""
    cursor.execute("SELECT rolname FROM pg_roles WHERE rolname = ANY(%s)", [[APP, SEQUENCER]])
    return len(cursor.fetchall()) == 2


def make(*, cursor: Cursor, urls: Iterable[str]) -> None:
    """Make the roles that these addresses log in as, with their passwords; a role that is there gets the password.

    Addresses of other users than ours are left alone, and all are where the present role may not make roles.
    """
    cursor.execute("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    if cursor.fetchall() != [(True,)]:
        return  # then the operator makes the roles by hand: docs/guides/operating.md
    for url in urls:
        name, password = unquote(urlsplit(url).username or ""), unquote(urlsplit(url).password or "")
        if name not in (OWNER, APP, SEQUENCER):
            continue
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
        # PostgreSQL has no CREATE ROLE IF NOT EXISTS. Neither statement takes parameters, hence the quoted literal.
        verb = "ALTER" if cursor.fetchall() else "CREATE"
        secret = sql.SQL("PASSWORD {}").format(sql.Literal(password)) if password else sql.SQL("")
        words = "{} ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION {}"
        cursor.execute(sql.SQL(words).format(sql.SQL(verb), sql.Identifier(name), secret))


def hand_over(*, cursor: Cursor, database: str) -> None:
    """Everything in the database belongs to the owner from now on; run by a superuser, once for an older database."""
    cursor.execute(sql.SQL("ALTER DATABASE {} OWNER TO {}").format(sql.Identifier(database), sql.Identifier(OWNER)))
    cursor.execute(_STRANGERS, [OWNER, OWNER])
    for (statement,) in cursor.fetchall():
        cursor.execute(statement)


def settle(*, cursor: Cursor) -> None:
    """Give each role exactly its rights on the tables that are there now."""
    cursor.execute(_GUARDED)
    final = sorted(name for (name,) in cursor.fetchall())
    for statement in _rights(final):
        cursor.execute(statement)


def _rights(final: list[str]) -> Iterable[Any]:
    # 1. Take everything away, so that the rights are these and not the sum of all earlier versions of this list.
    app, sequencer = sql.Identifier(APP), sql.Identifier(SEQUENCER)
    yield "REVOKE CREATE ON SCHEMA public FROM PUBLIC"
    for role in (app, sequencer):
        yield sql.SQL("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}").format(role)
        yield sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(role)
        yield sql.SQL("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}").format(role)
    # 2. The app works on every table, but changes no row that is final, except the columns that erasure empties.
    yield sql.SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {}").format(app)
    for table in final:
        yield _on("REVOKE UPDATE, DELETE ON {} FROM {}", table, app)
        for column in _FORGETS.get(table, ()):
            yield _on(f"GRANT UPDATE ({column}) ON {{}} TO {{}}", table, app)
    # 3. The app may queue a leaf, but not sign: a checkpoint (RFC 9162's tree head) is the sequencer's alone.
    yield _on("REVOKE INSERT ON {} FROM {}", "auditing_checkpoint", app)
    yield _on("REVOKE INSERT, UPDATE, DELETE ON {} FROM {}", "django_migrations", app)
    # 4. The sequencer works on the log and its witnesses only; of a leaf it may set the one column that numbers it.
    for table in _LOG:
        yield _on("GRANT SELECT, INSERT ON {} TO {}", table, sequencer)
    yield _on("GRANT UPDATE (index) ON {} TO {}", "auditing_leaf", sequencer)
    yield _on("GRANT SELECT, INSERT, UPDATE, DELETE ON {} TO {}", "auditing_witness", sequencer)


def _on(words: str, table: str, role: sql.Identifier) -> sql.Composed:
    return sql.SQL(words).format(sql.Identifier(table), role)
