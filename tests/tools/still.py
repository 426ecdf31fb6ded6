"""A still world: a test's transaction in which chance, the clock and the row numbers are the same in every run.

Whatever the project draws comes from the operating system's randomness, and whatever it dates from PostgreSQL's clock;
both are replaced here from outside, so that no module of the project is named.
"""

import hashlib
import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.apps import apps
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.test import override_settings

NOW = "2026-11-20 10:00:00+00"
CLOCKS = ("now", "statement_timestamp", "transaction_timestamp", "clock_timestamp")
KEYS = {
    "PSEUDONYM_KEY": b"p" * 32, "CONTENT_MASTER_KEY": b"c" * 32, "RECEIPT_KEY": b"r" * 32,
    "LEDGER_ORIGIN": "trust.example/ledger/v1",
}  # fmt: skip


class Chance:
    """Bytes that look random; requests of one size and purpose are a sequence of their own.

    So an id (16 bytes) does not change because somebody draws one more nonce (12) before it.
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.drawn: Counter[tuple[str, int]] = Counter()

    def draw(self, purpose: str, size: int) -> bytes:
        """The next bytes of a purpose."""
        self.drawn[purpose, size] += 1
        name = f"{self.seed} {purpose} {size} {self.drawn[purpose, size]}"
        return hashlib.shake_256(name.encode()).digest(size)

    def draw_key(self, curve: ec.EllipticCurve) -> ec.EllipticCurvePrivateKey:
        """A key pair, as OpenSSL would have drawn one."""
        return ec.derive_private_key(int.from_bytes(self.draw("key pair", 31)) + 1, curve)


@contextmanager
def still_world(seed: str = "before") -> Iterator[None]:
    """Call first thing in a transaction that will be rolled back; tables must have no pending triggers."""
    chance = Chance(seed)
    _begin_on_fresh_pages()
    _stop_the_clock()
    with ExitStack() as stack:
        stack.enter_context(patch.object(os, "urandom", lambda size: chance.draw("system", size)))
        stack.enter_context(patch.object(random, "_urandom", lambda size: chance.draw("secrets", size)))
        stack.enter_context(
            patch.object(AESGCM, "generate_key", staticmethod(lambda bits: chance.draw("content key", bits // 8)))
        )
        stack.enter_context(patch.object(ec, "generate_private_key", chance.draw_key))
        stack.enter_context(override_settings(**KEYS))
        yield


def _stop_the_clock() -> None:
    """PostgreSQL's clocks by their unqualified names, and in the defaults of columns, which were resolved long ago."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA still")
        for name in CLOCKS:
            body = f"RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT timestamptz '{NOW}' $$"
            cursor.execute(f"CREATE FUNCTION still.{name}() {body}")
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns "
            "WHERE table_schema = 'public' AND column_default ~ %s",
            [f"({'|'.join(CLOCKS)})\\(\\)|CURRENT_TIMESTAMP"],
        )
        for table, column in cursor.fetchall():
            cursor.execute(f'ALTER TABLE "{table}" ALTER COLUMN "{column}" SET DEFAULT timestamptz \'{NOW}\'')
        cursor.execute("SET LOCAL search_path TO still, pg_catalog, public")


def _begin_on_fresh_pages() -> None:
    """Empty tables anew: rolled-back rows of other tests would leave their numbers, and holes that new rows fill.

    A query without an order gives its rows as they lie and as it is planned, so plans are kept to one kind as well.
    """
    with connection.cursor() as cursor:
        tables = [model._meta.db_table for model in apps.get_models(include_auto_created=True) if model._meta.managed]
        empty = [table for table in tables if not _has_rows(cursor, table)]
        names = ", ".join(f'"{table}"' for table in empty)
        cursor.execute(f"TRUNCATE {names} RESTART IDENTITY")
        for kind in ("seqscan", "bitmapscan", "hashjoin", "mergejoin"):
            cursor.execute(f"SET LOCAL enable_{kind} = off")


def _has_rows(cursor: CursorWrapper, table: str) -> bool:
    cursor.execute(f'SELECT EXISTS (SELECT FROM "{table}")')
    return bool(cursor.fetchone()[0])
