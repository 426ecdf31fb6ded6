"""Four requests with one Idempotency-Key at once have one effect."""

import threading

import pytest

from accounts.services import request_keys
from tests.factories.worlds import make_user


@pytest.mark.django_db(transaction=True)
def test_two_at_once_have_one_effect() -> None:
    from django.db import connection

    user, outcomes = make_user("p@example.org", "provider"), list[str]()
    start = threading.Barrier(4)

    def ask() -> None:
        start.wait()
        try:
            outcomes.append(str(request_keys.begin(user=user, key="k", digest=b"d" * 32)))
        except request_keys.StillRunningError:
            outcomes.append("wait")
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(outcomes) == ["None", "wait", "wait", "wait"]
