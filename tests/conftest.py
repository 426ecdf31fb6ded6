"""Fixtures of all rooms."""

import pytest


@pytest.fixture(autouse=True)
def _fresh_rate_limits(request: pytest.FixtureRequest) -> None:
    """Rate limits of one test must not reach the next; a flush would reach the other test process."""
    if not {"db", "transactional_db"} & set(request.fixturenames):
        return
    import redis
    from django.conf import settings

    with redis.Redis.from_url(settings.REDIS_URL) as client:
        stale = list(client.scan_iter(match=f"{settings.CACHES['default']['KEY_PREFIX']}:*"))
        if stale:
            client.delete(*stale)
