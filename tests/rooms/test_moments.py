"""Moments from PostgreSQL are read as Django reads them, by another reader."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import get_adapters_template
from hypothesis import given
from hypothesis import strategies as st
from psycopg import DataError, postgres, pq

from trustweb.postgresql.base import UtcLoader

OID = postgres.types["timestamptz"].oid
DJANGOS = get_adapters_template.__wrapped__(True, UTC).get_loader(OID, pq.Format.TEXT)


def as_sent(moment: datetime) -> bytes:
    """As PostgreSQL writes it: no zeros at the end of a fraction, four digits a year."""
    text = moment.isoformat(" ").removesuffix("+00:00")
    whole, dot, fraction = text.partition(".")
    return f"{whole}{dot}{fraction.rstrip('0')}+00".encode()


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_moment_is_what_django_makes_of_it(moment: datetime) -> None:
    sent = as_sent(moment)
    read, theirs = UtcLoader(OID).load(sent), DJANGOS(OID).load(sent)
    assert read == theirs == moment
    assert read.tzinfo is theirs.tzinfo is UTC


@pytest.mark.parametrize("sent", [b"infinity", b"-infinity", b"0044-03-15 00:00:00+00 BC", b"10000-01-01 00:00:00+00"])
def test_what_python_cannot_hold_is_refused_as_before(sent: bytes) -> None:
    for reader in (UtcLoader, DJANGOS):
        with pytest.raises(DataError):
            reader(OID).load(sent)


@pytest.mark.django_db
def test_a_connection_reads_moments_by_it() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT '2026-11-23 13:15:35.1+00'::timestamptz")
        assert cursor.fetchone() == (datetime(2026, 11, 23, 13, 15, 35, 100_000, UTC),)
        assert cursor.connection.adapters.get_loader(OID, pq.Format.TEXT) is UtcLoader
