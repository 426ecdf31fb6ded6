"""One REDIS_URL, said in the dialect of each library that uses it."""

from urllib.parse import parse_qs, urlsplit

from django.core.exceptions import ImproperlyConfigured

_SCHEMES = frozenset({"redis", "rediss", "unix"})


def for_cache(url: str) -> str:
    """Address for Django's cache.

    >>> for_cache("redis://host:6379/0")
    'redis://host:6379/0'
    """
    if urlsplit(url).scheme not in _SCHEMES:
        raise ImproperlyConfigured(
            "REDIS_URL must begin with redis://, rediss:// or unix://, for example redis://localhost:6379/0."
        )
    return url


def for_channels(url: str) -> str:
    """Address for channels-redis, which hands it to redis-py unchanged."""
    return for_cache(url)


def for_celery(url: str) -> str:
    """Address for kombu, which writes a Unix socket in its own way.

    >>> for_celery("unix:///run/redis.sock?db=2")
    'redis+socket:///run/redis.sock?virtual_host=2'
    """
    parts = urlsplit(for_cache(url))
    if parts.scheme != "unix":
        return url
    return f"redis+socket://{parts.path}?virtual_host={parse_qs(parts.query).get('db', ['0'])[0]}"
