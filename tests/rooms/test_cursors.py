"""A statement of constant text keeps its cursor with the connection, and nothing of what was read."""

import weakref
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.db.utils import DataError
from django.test.utils import CaptureQueriesContext

from accounts.prepared.cursors import change, fetch
from trustweb.postgresql.base import DatabaseWrapper

DOUBLED = "SELECT n * 2, $2::text FROM generate_series(1, $1::int) AS n"

pytestmark = pytest.mark.django_db


def kept() -> Any:
    connection.ensure_connection()
    return connection.connection.__dict__.get("cursors_by_statement", {})


def test_a_statement_has_one_cursor() -> None:
    assert fetch(DOUBLED, [2, "b"]) == [(2, "b"), (4, "b")]
    first = kept()[DOUBLED]
    assert fetch(DOUBLED, [1, None]) == [(2, None)]
    assert kept()[DOUBLED] is first


class Told(str):
    """A text of which can be told whether anything holds it still."""


def test_it_keeps_neither_what_was_sent_nor_what_was_read() -> None:
    sent = Told("a secret text")
    gone = weakref.ref(sent)
    rows = fetch(DOUBLED, [2, sent])
    result = kept()[DOUBLED]._tx.pgresult
    assert (rows, None if result is None else result.ntuples) == ([(2, sent), (4, sent)], 0)
    del sent
    assert gone() is None
    changed = Told("another")
    gone = weakref.ref(changed)
    change("SELECT 1 WHERE $1::text = ''", [changed])
    del changed
    assert gone() is None


def test_it_goes_on_after_an_error() -> None:
    divided = "SELECT 6 / $1::int"
    assert fetch(divided, [3]) == [(2,)]
    with pytest.raises(DataError), transaction.atomic():
        fetch(divided, [0])
    assert fetch(divided, [2]) == [(3,)]


def test_rows_that_change_are_counted() -> None:
    renamed = "UPDATE django_migrations SET name = name WHERE app = ANY($1::text[])"
    count = fetch("SELECT count(*) FROM django_migrations WHERE app = 'hdag'", [])[0][0]
    assert (change(renamed, [["hdag"]]), change(renamed, [["nobody"]])) == (count, 0)


def test_whoever_looks_at_the_statements_sees_each() -> None:
    fetch(DOUBLED, [1, ""])
    with CaptureQueriesContext(connection) as seen:
        assert fetch(DOUBLED, [1, ""]) == fetch(DOUBLED, [1, ""])
    assert ["generate_series" in query["sql"] for query in seen.captured_queries] == [True, True]


def test_a_new_connection_begins_anew(transactional_db: None) -> None:
    fetch(DOUBLED, [1, ""])
    before = kept()[DOUBLED]
    connection.close()
    assert fetch(DOUBLED, [1, ""]) == [(2, "")]
    assert kept()[DOUBLED] is not before


def test_a_connection_from_a_pool_serves_whoever_has_it_now() -> None:
    fetch(DOUBLED, [1, ""])
    holder, other = connections["default"], DatabaseWrapper(connection.settings_dict)
    other.connection, seen = holder.connection, list[str]()

    def look(execute: Any, *statement: Any) -> Any:
        seen.append(str(statement[0]))
        return execute(*statement)

    connections["default"] = other
    try:
        with other.execute_wrapper(look):
            assert fetch(DOUBLED, [1, ""]) == [(2, "")]
    finally:
        connections["default"] = holder
    assert seen == [DOUBLED]


def test_a_connection_that_threads_share_keeps_no_cursor() -> None:
    connection.inc_thread_sharing()
    try:
        before = dict(kept())
        assert fetch("SELECT 41 + $1::int", [1]) == [(42,)]
        assert kept() == before
    finally:
        connection.dec_thread_sharing()
