"""How often somebody may do something: a count in the cache that starts anew with each window."""

import time

from django.core.cache import cache


def goes_too_fast(*, who: str, what: str, most: int, seconds: int) -> bool:
    """Count one more doing of `what` by `who`; True when it is beyond `most` in this window of `seconds`.

    While the cache is away nobody is too fast.
    """
    # The window's number is in the key, so no reset is needed: with seconds=60, 12:00:59 and 12:01:00 are two keys.
    # Somebody may therefore do 2 * `most` around a boundary, which for these limits is close enough.
    key = f"pace:{what}:{who}:{int(time.time()) // seconds}"
    cache.add(key, 0, seconds * 2)
    return bool(cache.incr(key) > most)
