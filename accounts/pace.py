"""How often somebody may do something: counts in the cache that start anew with each window."""

import time
from collections.abc import Mapping

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

GUESSING_SECONDS = 60
MANY_AT_ONE_ADDRESS = 4  # people behind one address may ask for that many times what one of them may


def goes_too_fast(*, who: str, what: str, most: int, seconds: int) -> bool:
    """Count one more doing of `what` by `who`; True when it is beyond `most` in this window of `seconds`.

    While the cache is away nobody is too fast.
    """
    # The window's number is in the key, so no reset is needed: with seconds=60, 12:00:59 and 12:01:00 are two keys.
    # Somebody may therefore do 2 * `most` around a boundary, which for these limits is close enough.
    key = f"pace:{what}:{who}:{int(time.time()) // seconds}"
    cache.add(key, 0, seconds * 2)
    return bool(cache.incr(key) > most)


def count_guess(*, who: str) -> None:
    """One more address or topic that does not exist, or is not theirs; `who` is a person or where they ask from."""
    # add, then incr: only the first guess sets the expiry, so the minute counts from there and does not slide.
    cache.add(_guesses(who), 0, GUESSING_SECONDS)
    cache.incr(_guesses(who))


def guesses_too_often(*, limits: Mapping[str, int]) -> bool:
    """Whether anybody of `limits` guessed so many times what settings.TRUST_UNKNOWN_PER_MINUTE allows."""
    most = _most_guesses(limits)
    counts = cache.get_many(most)
    return any(count >= most[name] for name, count in counts.items())


def postpone(request: HttpRequest, *, limits: Mapping[str, int]) -> None:
    """Leave these limits to whoever learns next who asks."""
    request._postponed = dict(limits)  # type: ignore[attr-defined]


def take_postponed(request: HttpRequest) -> dict[str, int]:
    """The limits that nobody has looked at yet; from now on somebody has."""
    limits: dict[str, int] = request.__dict__.pop("_postponed", {})
    return limits


def seconds_to_wait(*, key: str, most: int, seconds: int, guesses: Mapping[str, int]) -> float | None:
    """Count one more request under `key`; where `most` were answered in the last `seconds`, how long until the next.

    guesses: as `guesses_too_often` takes them, asked in the same trip to the cache; who guessed too often is refused
    first. None: it may be answered, as is everything while the cache is away.
    """
    counters = _most_guesses(guesses)
    wait = cache.take_turn(key, most=most, seconds=seconds, now=time.time(), guesses=counters)  # type: ignore[attr-defined]
    return None if wait is None else min(float(wait), float(max(seconds, GUESSING_SECONDS)))


def person_key(user_key: int) -> str:
    """How a person is named in these counts."""
    return f"user-{user_key}"


def _most_guesses(limits: Mapping[str, int]) -> dict[str, int]:
    return {_guesses(who): times * settings.TRUST_UNKNOWN_PER_MINUTE for who, times in limits.items()}


def _guesses(who: str) -> str:
    return f"unknown:{who}"
