"""How often somebody may do something: a count in the cache that starts anew with each window."""

import time

from django.core.cache import cache


def goes_too_fast(*, who: str, what: str, most: int, seconds: int) -> bool:
    """Count one more doing of `what` by `who`; True when it is beyond `most` in this window of `seconds`.

    While the cache is away nobody is too fast.
    """
    key = f"pace:{what}:{who}:{int(time.time()) // seconds}"
    cache.add(key, 0, seconds * 2)
    return bool(cache.incr(key) > most)
