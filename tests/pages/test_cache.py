"""What lies in Redis acts on nothing when it is read (docs/threats.md 63)."""

import os
import pickle
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.core.cache import cache

pytestmark = pytest.mark.django_db  # the fixture that empties this test's keys asks for it


class Canary:
    """Unpickling this makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> Any:
        return (os.system, (f"touch {self.path}",))


def write_raw(key: str, data: bytes) -> None:
    import redis

    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.set(cache.make_key(key), data)


def test_a_pickle_in_redis_is_refused_and_does_nothing(tmp_path: Path, caplog: Any) -> None:
    canary = tmp_path / "canary"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        write_raw("evil", pickle.dumps(Canary(canary), protocol=protocol))
        assert cache.get("evil", "nothing") == "nothing"
    assert not canary.exists()
    assert "did not write" in caplog.text


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x81", b"\xd9\xff", b"\xdf\xff\xff\xff\xff", b"garbage of others"])
def test_bytes_that_are_none_of_ours_count_as_absent(data: bytes) -> None:
    write_raw("odd", data)
    assert cache.get("odd", 7) == 7


@pytest.mark.parametrize("value", [0, 7, True, False, None, "", "12", "ü\x00", b"\x00\xff", 1.5, [1, "a"], {"a": [1]}])
def test_what_is_stored_comes_back(value: Any) -> None:
    cache.set("value", value, 60)
    assert cache.get("value", "absent") == value
    assert type(cache.get("value", "absent")) is type(value)


def test_counts_are_counted_by_redis() -> None:
    cache.add("count", 0, 60)
    assert [cache.incr("count") for _ in range(3)] == [1, 2, 3]


def test_a_count_that_ended_between_add_and_incr_begins_anew() -> None:
    assert cache.incr("never-added") == 1


def test_clearing_leaves_what_others_stored_in_the_same_redis() -> None:
    import redis

    cache.set("ours", 1, 60)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.set("another installation:cache:1:theirs", b"2", ex=60)
        cache.clear()
        assert (cache.get("ours"), client.get("another installation:cache:1:theirs")) == (None, b"2")


def test_nothing_else_that_crosses_redis_or_a_cookie_is_a_pickle() -> None:
    assert settings.SESSION_SERIALIZER.endswith("JSONSerializer")
    assert issubclass(import_module(settings.SESSION_ENGINE).SessionStore, DatabaseStore)
    assert settings.CHANNEL_LAYERS["default"]["CONFIG"]["serializer_format"] == "msgpack"
    assert (settings.CELERY_TASK_SERIALIZER, settings.CELERY_ACCEPT_CONTENT) == ("json", ["json"])
