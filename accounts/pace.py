"""How often somebody may do something: counts in the cache that start anew with each window."""

import time

from django.conf import settings
from django.core.cache import cache

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


def guesses_too_often(*, who: str, times: int = 1) -> bool:
    """Whether `who` guessed `times` what settings.TRUST_UNKNOWN_PER_MINUTE allows."""
    return bool(cache.get(_guesses(who), 0) >= times * settings.TRUST_UNKNOWN_PER_MINUTE)


def person_key(user_key: int) -> str:
    """How a person is named in these counts."""
    return f"user-{user_key}"


def _guesses(who: str) -> str:
    return f"unknown:{who}"
