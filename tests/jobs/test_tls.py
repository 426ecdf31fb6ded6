"""The whole system where PostgreSQL and Redis are reached over TLS alone, as on several machines (threat 61)."""

import os
import urllib.request
from urllib.parse import urlsplit

import psycopg
import pytest
import redis

from tests.doubles.authority import make_authority
from tests.doubles.tls_front import TlsFront
from tests.tools import system
from tests.tools.database import find_template
from tests.tools.patience import PATIENCE, wait_for
from tests.tools.sweeping import sweep_of
from trustweb.celery import ANSWERED

HOST, DATABASE = "localhost", "trust_over_tls"


@pytest.fixture(scope="module")
def authorities(tmp_path_factory):
    """The operator's authority with the certificate of its servers, and the authority of somebody else."""
    directory = tmp_path_factory.mktemp("tls")
    own, certificate = make_authority(directory=directory / "own", host=HOST)
    return own, certificate, make_authority(directory=directory / "other", host=HOST)[0]


@pytest.fixture(scope="module")
def database(django_db_setup, django_db_blocker):
    """The migrated database once more, for programs of their own; where PostgreSQL answers."""
    template = f"TEMPLATE {find_template()}" if find_template() else ""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {DATABASE} {template}")
        host, port = server.info.host, server.info.port
        yield f"{host}/.s.PGSQL.{port}" if host.startswith("/") else (host, port)
        server.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")


@pytest.fixture(scope="module")
def postgres(authorities, database):
    with TlsFront(certificate=authorities[1], behind=database, is_asked_first=True).running() as front:
        yield front


@pytest.fixture(scope="module")
def queue(authorities):
    address = urlsplit(os.environ["REDIS_URL"])
    behind = address.path if address.scheme == "unix" else (address.hostname, address.port)
    with TlsFront(certificate=authorities[1], behind=behind, is_asked_first=False).running() as front:
        yield front


def database_address(front, authority, host=HOST):
    user = urlsplit(os.environ["DATABASE_URL"]).netloc.split("@")[0]
    return f"postgres://{user}@{host}:{front.port}/{DATABASE}?sslmode=verify-full&sslrootcert={authority}"


def queue_address(front, authority, host=HOST):
    return f"rediss://{host}:{front.port}/0?ssl_ca_certs={authority}"


def test_one_connection_of_each_kind_is_made_over_tls(authorities, postgres, queue):
    with psycopg.connect(database_address(postgres, authorities[0])) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    with redis.Redis.from_url(queue_address(queue, authorities[0])) as client:
        assert client.ping()
    assert set(postgres.versions) | set(queue.versions) == {"TLSv1.3"}


@sweep_of("test_one_connection_of_each_kind_is_made_over_tls")
def test_every_program_works_over_tls_alone(tmp_path, authorities, postgres, queue):
    addresses = {
        "DATABASE_URL": database_address(postgres, authorities[0]),
        "REDIS_URL": queue_address(queue, authorities[0]),
        "TRUST_REDIS_PREFIX": DATABASE,
    }
    with system.started_system(tmp_path, "--empty", **addresses) as running:
        # beat asks over Redis, a worker answers there once PostgreSQL has told it that its code is new enough.
        with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
            wait_for(lambda: client.exists(f"{DATABASE}:cache:1:{ANSWERED}"))
        with urllib.request.urlopen(f"{running.url}/healthz", timeout=PATIENCE) as answer:
            assert answer.status == 200
    assert set(postgres.versions) | set(queue.versions) == {"TLSv1.3"}
    assert postgres.refused == queue.refused == 0


def test_the_authority_of_somebody_else_gets_no_connection(authorities, postgres, queue):
    with pytest.raises(psycopg.OperationalError, match="SSL error"):
        psycopg.connect(database_address(postgres, authorities[2]))
    with pytest.raises(redis.ConnectionError, match="CERTIFICATE_VERIFY_FAILED"):
        redis.Redis.from_url(queue_address(queue, authorities[2])).ping()


def test_a_server_of_another_name_gets_no_connection(authorities, postgres, queue):
    with pytest.raises(psycopg.OperationalError, match="does not match host name"):
        psycopg.connect(database_address(postgres, authorities[0], host="127.0.0.1"))
    with pytest.raises(redis.ConnectionError, match="CERTIFICATE_VERIFY_FAILED"):
        redis.Redis.from_url(queue_address(queue, authorities[0], host="127.0.0.1")).ping()
