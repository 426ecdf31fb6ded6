"""Threats 16, 58, 61: production refuses an unsafe start and web processes hold no private key."""

import contextlib
import runpy
import socket
import threading

import psycopg
import pytest
import redis
from django.core.exceptions import ImproperlyConfigured

from tests.tools import system
from trustweb import keys

SAFE = {
    "TRUST_MODE": "production",
    "SECRET_KEY": "0123456789abcdef" * 4,
    "CONTENT_MASTER_KEY": "ab" * 32,
    "PSEUDONYM_KEY": "cd" * 32,
    "ALLOWED_HOSTS": "trust.example",
    "LEDGER_ORIGIN": "trust.example/ledger/v1",
    "DATABASE_URL": "postgres://trust:k3Jd9s0Qm2@db/trust",
    "REDIS_URL": "redis://:k3Jd9s0Qm2@redis:6379/0",
    "TRUST_PRIVATE_NETWORK": "1",
}
TLS = "postgres://trust:k3Jd9s0Qm2@db/trust?sslmode={}&sslrootcert=/ca.pem"


@contextlib.contextmanager
def plain_server(answer):
    """A server that knows no TLS, on a port of its own, and what it was sent."""
    heard = []

    def serve():
        with contextlib.suppress(OSError), listener.accept()[0] as client:
            heard.append(client.recv(4096))
            client.sendall(answer)
            heard.append(client.recv(4096))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1], heard
        thread.join()


def start(tmp_path, **changes):
    settings = {name: value for name, value in (SAFE | changes).items() if value}
    return system.run_command("check", "--deploy", "--fail-level", "WARNING", run_dir=tmp_path, **settings)


def test_a_safe_production_starts_and_passes_djangos_own_deployment_checks(tmp_path):
    started = start(tmp_path)
    assert started.returncode == 0, started.stderr


UNSAFE = [
    ({"DEBUG": "1"}, "DEBUG is on"),
    ({"SECRET_KEY": ""}, "SECRET_KEY is missing"),
    ({"SECRET_KEY": "short"}, "SECRET_KEY is public or short"),
    ({"CONTENT_MASTER_KEY": ""}, "CONTENT_MASTER_KEY is missing"),
    ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
    ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS"),
    ({"LEDGER_ORIGIN": ""}, "LEDGER_ORIGIN is missing"),
    ({"DATABASE_URL": "postgres://postgres:postgres@db/trust"}, "DATABASE_URL"),
    ({"REDIS_URL": "redis://redis:6379/0"}, "REDIS_URL has no password"),
    ({"SECURE_HSTS_SECONDS": "0"}, "SECURE_HSTS_SECONDS"),
    ({"TRUST_MODE": "prod"}, "TRUST_MODE"),
    ({"TRUST_PRIVATE_NETWORK": ""}, "DATABASE_URL reaches db without TLS(.|\n)*REDIS_URL reaches redis without TLS"),
    ({"TRUST_PRIVATE_NETWORK": "0", "DATABASE_URL": TLS.format("require")}, "DATABASE_URL reaches db without TLS"),
    ({"TRUST_PRIVATE_NETWORK": "0", "DATABASE_URL": TLS.format("verify-full")}, "REDIS_URL reaches redis without TLS"),
]


def test_every_unsafe_setting_stops_the_start(tmp_path, monkeypatch):
    for changes, reason in UNSAFE:
        with pytest.raises(ImproperlyConfigured, match=reason):
            load_settings(monkeypatch, tmp_path, {**SAFE, **changes})


ENCRYPTED = [
    {"DATABASE_URL": TLS.format("verify-full"), "REDIS_URL": "rediss://:k3Jd9s0Qm2@redis:6379/0"},
    {"DATABASE_URL": "postgres://trust:k3Jd9s0Qm2@127.0.0.1/trust", "REDIS_URL": "redis://:k3Jd9s0Qm2@localhost/0"},
    {"DATABASE_URL": "postgres://trust:x@%2Frun%2Fpostgres/trust", "REDIS_URL": "unix:///run/redis.sock"},
]


@pytest.mark.parametrize("addresses", ENCRYPTED)
def test_what_is_encrypted_or_never_leaves_the_machine_starts(tmp_path, monkeypatch, addresses):
    settings = load_settings(monkeypatch, tmp_path, {**SAFE, "TRUST_PRIVATE_NETWORK": "", **addresses})
    assert settings["PRODUCTION"]


def test_a_connection_that_asks_for_tls_never_falls_back_to_plain_text(tmp_path):
    """Whoever asks a server for TLS that speaks none gets no connection, rather than a readable one."""
    with plain_server(b"N") as (port, heard), pytest.raises(psycopg.OperationalError, match="SSL"):
        psycopg.connect(f"postgres://trust:secret@127.0.0.1:{port}/trust?sslmode=verify-full", connect_timeout=10)
    assert b"secret" not in b"".join(heard)
    with plain_server(b"-ERR\r\n") as (port, heard), pytest.raises(redis.ConnectionError):
        redis.Redis.from_url(f"rediss://:secret@127.0.0.1:{port}/0").ping()
    assert b"secret" not in b"".join(heard)


PROGRAMS = [
    ({"TRUST_PROGRAM": "sequencer"}, "CONTENT_MASTER_KEY is given to sequencer, which has no use for it"),
    (
        {"TRUST_PROGRAM": "web", "RECEIPT_KEY": "ab" * 32, "LEDGER_SIGNING_KEY_FILE": "/x"},
        "LEDGER_SIGNING_KEY is given",
    ),
    ({"TRUST_PROGRAM": "web"}, "RECEIPT_KEY is missing"),
    ({"TRUST_PROGRAM": "sequenser"}, "TRUST_PROGRAM='sequenser' is unknown"),
    ({"TRUST_PROGRAM": "worker", "SECRET_KEY": "", "DATABASE_URL": "postgres://a@b/c"}, "DATABASE_URL has no password"),
]


def test_a_program_with_too_few_or_too_many_secrets_does_not_start(tmp_path, monkeypatch):
    for changes, reason in PROGRAMS:
        with pytest.raises(ImproperlyConfigured, match=reason):
            load_settings(monkeypatch, tmp_path, {**SAFE, **changes})


@pytest.mark.parametrize("program", keys.NEEDS)
def test_a_program_with_its_own_secrets_starts_and_derives_no_other(tmp_path, monkeypatch, program):
    every = dict.fromkeys(keys.SECRETS, "") | SAFE | {name: "ab" * 32 for name in keys.HOLDERS}
    every |= dict.fromkeys(("DATABASE_OWNER_URL", "DATABASE_SEQUENCER_URL"), SAFE["DATABASE_URL"])
    own = {name: value if name in keys.NEEDS[program] else "" for name, value in every.items() if name in keys.SECRETS}
    settings = load_settings(monkeypatch, tmp_path, SAFE | own | {"TRUST_PROGRAM": program})
    for name in ("CONTENT_MASTER_KEY", "PSEUDONYM_KEY", "RECEIPT_KEY"):
        assert (settings[name] is not None) == (name in keys.NEEDS[program])
    assert bool(settings["SECRET_KEY"]) == (program == "web")


def test_a_key_file_that_everybody_reads_stops_the_start(tmp_path, monkeypatch):
    path = tmp_path / "key"
    path.write_text("ab" * 32)
    path.chmod(0o644)
    changes = {"CONTENT_MASTER_KEY": "", "CONTENT_MASTER_KEY_FILE": str(path)}
    with pytest.raises(ImproperlyConfigured, match="readable by everybody"):
        load_settings(monkeypatch, tmp_path, SAFE | changes)
    path.chmod(0o600)
    load_settings(monkeypatch, tmp_path, SAFE | changes)


def load_settings(monkeypatch, run_dir, environment):
    with monkeypatch.context() as changed:
        for name, value in {**environment, "TRUST_RUN_DIR": str(run_dir)}.items():
            if value:
                changed.setenv(name, value)
            else:
                changed.delenv(name, raising=False)
        return runpy.run_path(str(system.ROOT / "trustweb" / "settings.py"))


def test_a_private_key_is_handed_to_its_holder_alone(tmp_path):
    given = {"PATH": "/bin", "LEDGER_SIGNING_KEY": "aa"}
    assert keys.environment_of("worker", tmp_path, given) == {"PATH": "/bin"}
    assert keys.environment_of("sequencer", tmp_path, given) == given
    revealer = keys.environment_of("revealer", tmp_path, given)
    assert set(revealer) == {"PATH", "REVEAL_KEY_FILE"}


SECRETS_OF_AN_INSTANCE = {
    "ACME_API_KEY": "k",
    "CONTENT_MASTER_KEY": "c",
    "PSEUDONYM_KEY": "p",
    "EMAIL_HOST_PASSWORD": "e",
    "REVEAL_KEY": "r",
    "RECEIPT_KEY": "t",
    "LEDGER_SIGNING_KEY": "l",
    "ANCHOR_KEY": "a",
    "LEDGER_ML_DSA_KEY": "m",
    "DATABASE_URL": "d",
}


@pytest.mark.parametrize(
    ("program", "held"),
    [
        ("web", "ACME_API_KEY CONTENT_MASTER_KEY PSEUDONYM_KEY EMAIL_HOST_PASSWORD RECEIPT_KEY DATABASE_URL"),
        ("worker", "ACME_API_KEY CONTENT_MASTER_KEY PSEUDONYM_KEY EMAIL_HOST_PASSWORD ANCHOR_KEY DATABASE_URL"),
        ("beat", ""),
        ("sequencer", "LEDGER_SIGNING_KEY LEDGER_ML_DSA_KEY DATABASE_URL"),
        ("revealer", "CONTENT_MASTER_KEY PSEUDONYM_KEY REVEAL_KEY DATABASE_URL"),
        ("witness", ""),
        ("load_demo", "CONTENT_MASTER_KEY PSEUDONYM_KEY DATABASE_URL"),
    ],
)
def test_a_program_is_given_its_own_secrets_and_no_other(tmp_path, program, held):
    given = {"PATH": "/bin", "REDIS_URL": "redis://x", **SECRETS_OF_AN_INSTANCE}
    environment = keys.environment_of(program, tmp_path, given)
    assert environment.keys() & SECRETS_OF_AN_INSTANCE.keys() == set(held.split())


def test_a_model_key_given_to_a_program_that_calls_none_stops_its_start(tmp_path, monkeypatch):
    every = {name: "" for name in keys.SECRETS} | {"REDIS_URL": SAFE["REDIS_URL"], "TRUST_PROGRAM": "beat"}
    load_settings(monkeypatch, tmp_path, SAFE | every)
    with pytest.raises(ImproperlyConfigured, match="ACME_API_KEY is given to beat"):
        load_settings(monkeypatch, tmp_path, SAFE | every | {"ACME_API_KEY": "sk"})


def test_a_made_key_is_kept_and_readable_by_its_owner_only(tmp_path):
    path = keys.ensure_key(tmp_path, "REVEAL_KEY")
    assert keys.ensure_key(tmp_path, "REVEAL_KEY").read_text() == path.read_text()
    assert len(bytes.fromhex(path.read_text())) == 32
    assert path.stat().st_mode & 0o777 == 0o600


def test_no_setting_holds_a_private_key():
    from django.conf import settings

    assert not {name for name in dir(settings) if name.startswith(("LEDGER_SIGNING", "REVEAL_KEY"))}
