"""What is asked of PostgreSQL and Redis before the programs run, by a program of its own.

The supervisor outlives it by days and would keep 19 MB of drivers that it needs for a second. Facts come as JSON on the
standard input; a trouble is one sentence on the standard error.
"""

import json
import sys
from typing import Any

import psycopg
import redis

from trustweb import roles
from trustweb.serve.processes import ServiceError, last_line


def prepare(facts: dict[str, Any]) -> None:
    """Make the database and its roles, where they are not there yet.

    facts: `server` and `database`, addresses for a superuser; `name` of the database; `roles`, their addresses.
    """
    with psycopg.connect(facts["server"], autocommit=True) as connection:
        # CREATE DATABASE knows no IF NOT EXISTS and runs in no transaction, hence the look and autocommit.
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [facts["name"]]).fetchone() is None:
            connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(facts["name"])))
        roles.make(cursor=connection.cursor(), urls=facts["roles"])
    with psycopg.connect(facts["database"]) as connection:
        roles.hand_over(cursor=connection.cursor(), database=facts["name"])


def check(facts: dict[str, Any]) -> None:
    """Raise ServiceError when one of the addresses `database_url` and `redis_url` does not answer."""
    try:
        psycopg.connect(facts["database_url"], connect_timeout=5).close()
    except (psycopg.Error, UnicodeError) as error:
        reason = last_line(str(error))
        raise ServiceError(
            f"DATABASE_URL leads to no PostgreSQL ({reason}): correct it, or unset it to use the embedded one."
        ) from None
    try:
        with redis.Redis.from_url(facts["redis_url"], socket_timeout=5) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        raise ServiceError(
            f"REDIS_URL leads to no Redis ({error}): correct it, or unset it to use the embedded one."
        ) from None


if __name__ == "__main__":
    try:
        {"prepare": prepare, "check": check}[sys.argv[1]](json.load(sys.stdin))
    except ServiceError as trouble:
        sys.exit(str(trouble))
