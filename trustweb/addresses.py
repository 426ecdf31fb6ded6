"""DATABASE_URL and REDIS_URL, translated into what each library that connects expects."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

OWNER, APP, SEQUENCER = "trust_owner", "trust_app", "trust_sequencer"  # who logs in where: trustweb/roles.py
ONE_ROLE = (
    "One database role owns the tables and uses them: rows of the ledger are final by triggers alone, which that role "
    "could drop. docs/guides/operating.md says how to give the owner, the app and the sequencer a role each."
)
_REDIS_SCHEMES = frozenset({"redis", "rediss", "unix"})


RESTS = 600  # seconds after which a connection of the web process is made anew


def database(url: str, *, kept: bool) -> dict[str, Any]:
    """Django's description of the database; `kept` is for the web process, whose threads stay with their connections.

    >>> database("postgres://me@db/trust", kept=False)["NAME"]
    'trust'
    """
    if urlsplit(url).scheme not in {"postgres", "postgresql"} or not urlsplit(url).path.strip("/"):
        raise ImproperlyConfigured(
            "DATABASE_URL is no address of a PostgreSQL database: write postgres://user:password@host:5432/name, "
            "or unset it to use the embedded one."
        )
    try:
        about = dj_database_url.parse(
            url, engine="trustweb.postgresql", conn_max_age=RESTS if kept else 0, conn_health_checks=True
        )
        description: dict[str, Any] = {**about}
    except ValueError as error:
        raise ImproperlyConfigured(
            f"DATABASE_URL cannot be read ({error}): write postgres://user:password@host:5432/name."
        ) from None
    # Without a limit a connection to a server that vanished waits for the kernel: about two minutes of a blank page.
    # Statements through accounts/prepared are planned at first use where the connection stays, else after a few
    # uses; the rest never.
    threshold = 0 if kept else 3
    description["OPTIONS"] = {"connect_timeout": 5, "prepare_threshold": threshold, **description.get("OPTIONS", {})}
    return description


def redis(url: str) -> str:
    """The address itself, for Django's cache and channels-redis, when it is one."""
    if urlsplit(url).scheme not in _REDIS_SCHEMES:
        raise ImproperlyConfigured(
            "REDIS_URL is no address of a Redis: write redis://:password@host:6379/0 or unix:///path/to/socket, "
            "or unset it to use the embedded one."
        )
    return url


def celery_broker(url: str) -> str:
    """Address for kombu, which writes a Unix socket in its own way.

    >>> celery_broker("unix:///run/redis.sock?db=2")
    'redis+socket:///run/redis.sock?virtual_host=2'
    """
    parts = urlsplit(redis(url))
    # kombu names the database `virtual_host`, because its other brokers have virtual hosts (AMQP 0-9-1).
    if parts.scheme != "unix":
        return url
    return f"redis+socket://{parts.path}?virtual_host={parse_qs(parts.query).get('db', ['0'])[0]}"
