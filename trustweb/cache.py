"""The cache in Redis: values travel as MessagePack, and pages go on while it is away.

Django's own serializer is pickle, whose values may name any function to be called when they are read: whoever can write
to Redis could run code in the web server. MessagePack holds numbers, texts, bytes, lists and nothing that acts.
"""

import logging
import math
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgpack
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

log = logging.getLogger("trustweb")
RESTS = 5.0  # seconds for which a Redis that hangs is not asked again


class UnreadableError(ValueError):
    """What stands in Redis is none of our values."""


MOMENTS = 3  # of msgpack: a moment comes back as one, in UTC


class Plain:
    """Django's protocol of a serializer: whole numbers as digits, because Redis counts those; all else MessagePack."""

    def dumps(self, value: Any) -> bytes | int:
        """What is stored."""
        # `type(...) is int`: True is an int too, and would come back as 1.
        return value if type(value) is int else msgpack.packb(value, datetime=True)

    def loads(self, data: bytes) -> Any:
        """What was stored; tuples come back as lists. Raises UnreadableError."""
        # A packed value never reads as a number: its first byte is no digit unless it is a bare small integer.
        try:
            return int(data)
        except ValueError:
            pass
        try:
            return msgpack.unpackb(data, timestamp=MOMENTS)
        except (ValueError, TypeError, msgpack.UnpackException) as error:
            raise UnreadableError(UnreadableError.__doc__) from error


# 1. Who guessed too often (a counter for each key after the first, and what it may not reach) is not looked at further.
# 2. Times (ms) of the last requests, newest first; one more unless the list is full of what is younger than the window.
# Returns how long to wait (ms), -1 for a request that was counted, GUESSED for who guessed too often.
GUESSED = -2
TURN = f"""
for place = 2, #KEYS do
    if (tonumber(redis.call('GET', KEYS[place])) or 0) >= tonumber(ARGV[place + 2]) then
        return {GUESSED}
    end
end
local oldest = redis.call('LINDEX', KEYS[1], ARGV[1] - 1)
if oldest and oldest + ARGV[2] > ARGV[3] + 0 then
    return oldest + ARGV[2] - ARGV[3]
end
redis.call('LPUSH', KEYS[1], ARGV[3])
redis.call('LTRIM', KEYS[1], 0, ARGV[1] - 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return -1
"""


class OneClient(RedisCacheClient):
    """Django's client of the cache, whose Redis is made once and not at every command."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._made: dict[bool, Any] = {}
        self._turn: Any = None

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The client for reading or for writing."""
        if write not in self._made:
            self._made[write] = super().get_client(key, write=write)
        return self._made[write]

    def take_turn(self, key: str, *, most: int, seconds: int, now: float, guesses: Mapping[str, int]) -> int:
        """What TURN returns, under a limit of `most` requests in `seconds`. guesses: what each may not reach."""
        if self._turn is None:
            self._turn = self.get_client(key, write=True).register_script(TURN)
        return int(self._turn(keys=[key, *guesses], args=[most, 1000 * seconds, int(1000 * now), *guesses.values()]))


class TolerantRedisCache(RedisCache):
    """A cache that is empty while Redis is away: rate limits pause, pages go on.

    A Redis that is gone refuses at once. One that hangs takes settings.CACHES' `socket_timeout` to be found out, at
    each of a page's three to five questions; so after the first that nobody answered it rests, for every thread.
    """

    _asked_again_at = 0.0  # by time.monotonic(); of the class, because Django makes a cache a thread

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        """As Django makes it, with our client."""
        super().__init__(server, params)
        self._class = OneClient

    def take_turn(
        self, key: str, *, most: int, seconds: int, now: float, guesses: Mapping[str, int] = MappingProxyType({})
    ) -> float | None:
        """Count one request; None where it may be answered, else the seconds until the next one may.

        guesses: counters of this cache, and the number at which each refuses: infinite seconds, and nothing is counted.
        """
        name = self.make_and_validate_key(f"turns:{key}")
        counters = {self.make_and_validate_key(counter): reached for counter, reached in guesses.items()}
        # Redis is away: every request may be answered.
        client: Any = self._cache
        wait = self._try(client.take_turn, name, most=most, seconds=seconds, now=now, guesses=counters, otherwise=-1)
        if wait == GUESSED:
            return math.inf
        return None if wait < 0 else wait / 1000

    def get_many(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """Those that are there."""
        return dict(self._try(super().get_many, *args, otherwise={}, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Any:
        """Value or the default."""
        default = kwargs.get("default", args[1] if len(args) > 1 else None)
        return self._try(super().get, *args, otherwise=default, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        """Store."""
        self._try(super().set, *args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """Store when absent; while Redis is away every add succeeds."""
        # True, because callers use `add` as "am I the first?": False would block everybody until Redis is back.
        return bool(self._try(super().add, *args, otherwise=True, **kwargs))

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        """Forget."""
        return bool(self._try(super().delete, *args, otherwise=False, **kwargs))

    def incr(self, *args: Any, **kwargs: Any) -> int:
        """Count."""
        # 1 is the count of a first visit, below every limit: without Redis limits are off rather than pages. So it is
        # where the count ended between a caller's `add` and now, which Django tells by a ValueError.
        try:
            return int(self._try(super().incr, *args, otherwise=1, **kwargs))
        except ValueError:
            return 1

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        """Prolong."""
        return bool(self._try(super().touch, *args, otherwise=False, **kwargs))

    def clear(self) -> None:
        """Forget what this installation stored; Django would empty the whole Redis, which others may use as well."""
        self._try(self._forget_ours)

    def _forget_ours(self) -> None:
        client = self._cache.get_client(None, write=True)
        if names := list(client.scan_iter(match=f"{self.key_prefix}:*", count=1_000)):
            client.unlink(*names)

    @staticmethod
    def _try(operation: Callable[..., Any], *args: Any, otherwise: Any = None, **kwargs: Any) -> Any:
        if time.monotonic() < TolerantRedisCache._asked_again_at:
            return otherwise
        try:
            return operation(*args, **kwargs)
        except (RedisTimeoutError, TimeoutError) as error:
            TolerantRedisCache._asked_again_at = time.monotonic() + RESTS
            log.warning("the cache hangs, and is not asked for %d s: %s", RESTS, error)
        except (RedisError, OSError) as error:
            log.warning("cache away: %s", error)
        except UnreadableError:
            log.warning("the cache held a value that we did not write; it counts as absent")
        return otherwise
