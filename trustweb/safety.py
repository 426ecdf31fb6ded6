"""What a production process must have before it serves strangers; anything unsafe stops the start with its reasons."""

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from trustweb import env, keys

OWN_KEYS = ("SECRET_KEY", "CONTENT_MASTER_KEY", "PSEUDONYM_KEY")
"""Keys that development derives by itself and production must be given, all of them where it does not say to whom."""
# The passwords of example files, ours included; this catches a forgotten example, not a weak choice.
_KNOWN_PASSWORDS = frozenset({"", "postgres", "password", "trust", "secret", "changeme"})
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_PRIVATE = "or set TRUST_PRIVATE_NETWORK=1 where nobody else is on that network"
_LONG_ENOUGH = 50  # characters; what Django's own check security.W009 asks, as is the number of different ones below


def check_production(settings: Mapping[str, Any]) -> None:
    """Raise ImproperlyConfigured with every reason why this process may not serve strangers."""
    # All reasons at once: whoever sets a server up mends them in one round instead of one restart each.
    reasons = [*_keys(settings), *_addresses(settings), *_networks(settings), *_headers(settings), *_key_files()]
    if reasons:
        raise ImproperlyConfigured("Production refuses to start:\n" + "\n".join(f" - {reason}" for reason in reasons))


def _keys(settings: Mapping[str, Any]) -> Iterator[str]:
    if settings["DEBUG"]:
        yield "DEBUG is on: unset it."
    for name in sorted(_needed()):
        if env.find_text(name) is None:
            yield f"{name} is missing: set {name} or {name}_FILE (openssl rand -hex 32)."
    yield from _needless_keys()
    secret = settings["SECRET_KEY"]
    if "SECRET_KEY" not in _needed():
        return
    if secret == env.DEVELOPMENT_SECRET or len(secret) < _LONG_ENOUGH or len(set(secret)) < 5:
        yield f"SECRET_KEY is public or short: set at least {_LONG_ENOUGH} random characters (openssl rand -hex 32)."


def _needed() -> frozenset[str]:
    """The secrets that this program must be given."""
    program = env.find_text("TRUST_PROGRAM")
    # An unknown program needs nothing here, because _needless_keys refuses it by name with a better sentence.
    return frozenset(OWN_KEYS) if program is None else keys.NEEDS.get(program, frozenset())


def _needless_keys() -> Iterator[str]:
    """Secrets that this program was given but does not use: each would be lost with it, and for nothing."""
    program = env.find_text("TRUST_PROGRAM")
    if program is None:
        return
    if program not in keys.NEEDS:
        yield f"TRUST_PROGRAM={program!r} is unknown: set it to one of {', '.join(keys.NEEDS)}."
        return
    for name in sorted(keys.SECRETS - keys.NEEDS[program] - keys.MAY_HOLD.get(program, frozenset())):
        # The file is not opened: a path to a secret that this program cannot even read is a mistake all the same.
        if os.environ.get(name) or os.environ.get(f"{name}_FILE"):
            yield f"{name} is given to {program}, which has no use for it: take it away."
    for name in sorted(os.environ):
        if keys.is_endpoint_key(name) and keys.is_needless(program, name):
            yield f"{name} is given to {program}, which calls no model: take it away."


def _is_used(name: str) -> bool:
    return env.find_text("TRUST_PROGRAM") is None or name in _needed()


def _addresses(settings: Mapping[str, Any]) -> Iterator[str]:
    if not settings["ALLOWED_HOSTS"] or "*" in settings["ALLOWED_HOSTS"]:
        yield "ALLOWED_HOSTS is empty or holds *: name the hosts that people type."
    # It is part of every commitment and every key's name: a log begun as localhost's could never be renamed.
    if env.find_text("LEDGER_ORIGIN") is None:
        yield "LEDGER_ORIGIN is missing: name the log, for good; for example trust.example/ledger/v1."
    database = settings["DATABASES"]["default"]
    # libpq reads a host that begins with "/" as the directory of a Unix socket; there file modes guard, no password.
    through_network = not str(database.get("HOST", "")).startswith("/")
    if _is_used("DATABASE_URL") and through_network and database.get("PASSWORD", "") in _KNOWN_PASSWORDS:
        yield "DATABASE_URL has no password or a well-known one: give the database user a random one."
    # An "@" means credentials: redis://:secret@host. unix:// has file modes, rediss:// (TLS) may have certificates.
    if _is_used("REDIS_URL") and settings["REDIS_URL"].startswith("redis://") and "@" not in settings["REDIS_URL"]:
        yield "REDIS_URL has no password: write redis://:password@host:6379/0."


def _networks(settings: Mapping[str, Any]) -> Iterator[str]:
    """What would cross a network readable, where the operator has not said that nobody else is on it."""
    if env.is_on("TRUST_PRIVATE_NETWORK"):
        return
    database = settings["DATABASES"]["default"]
    host = str(database.get("HOST", ""))
    # "require" encrypts for whoever answers; only "verify-full" knows that it is the database (PostgreSQL, 32.19.1).
    is_known = database.get("OPTIONS", {}).get("sslmode") == "verify-full"
    if _is_used("DATABASE_URL") and not is_known and not host.startswith("/") and host not in _HERE:
        yield f"DATABASE_URL reaches {host} without TLS: add ?sslmode=verify-full&sslrootcert=..., {_PRIVATE}."
    redis = urlsplit(settings["REDIS_URL"])
    if _is_used("REDIS_URL") and redis.scheme == "redis" and redis.hostname not in _HERE:
        yield f"REDIS_URL reaches {redis.hostname} without TLS: write rediss://..., {_PRIVATE}."


def _headers(settings: Mapping[str, Any]) -> Iterator[str]:
    if settings["SECURE_HSTS_SECONDS"] <= 0:
        yield "SECURE_HSTS_SECONDS is 0: leave it unset."


def _key_files() -> Iterator[str]:
    for name in sorted(keys.SECRETS):
        path = os.environ.get(f"{name}_FILE")
        # Only "readable by everybody" is refused: a program under a user of its own may read its file by group.
        if path and Path(path).exists() and Path(path).stat().st_mode & stat.S_IROTH:
            yield f"{name}_FILE ({path}) is readable by everybody: chmod o-r it."
