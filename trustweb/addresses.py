"""DATABASE_URL and REDIS_URL, translated into what each library that connects expects."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

_REDIS_SCHEMES = frozenset({"redis", "rediss", "unix"})


def database(url: str, *, pooled: bool) -> dict[str, Any]:
    """Django's description of the database; `pooled` is for the web process, a pool does not survive a fork.

    >>> database("postgres://me@db/trust", pooled=False)["NAME"]
    'trust'
    """
    if urlsplit(url).scheme not in {"postgres", "postgresql"} or not urlsplit(url).path.strip("/"):
        raise ImproperlyConfigured(
            "DATABASE_URL is no address of a PostgreSQL database: write postgres://user:password@host:5432/name, "
            "or unset it to use the embedded one."
        )
    try:
        description: dict[str, Any] = {**dj_database_url.parse(url, conn_health_checks=True)}
    except ValueError as error:
        raise ImproperlyConfigured(
            f"DATABASE_URL cannot be read ({error}): write postgres://user:password@host:5432/name."
        ) from None
    # Without a limit a connection to a server that vanished waits for the kernel: about two minutes of a blank page.
    # Statements through accounts/prepared.py are planned by the server after a few uses, the rest never.
    description["OPTIONS"] = {"connect_timeout": 5, "prepare_threshold": 3, **description.get("OPTIONS", {})}
    if pooled:
        # Of the 100 connections that PostgreSQL allows by default, 20 leave the worker and the other programs room.
        description["OPTIONS"]["pool"] = {"min_size": 2, "max_size": 20, "timeout": 5}
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
