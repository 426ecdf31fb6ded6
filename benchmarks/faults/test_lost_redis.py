"""F7, F10: Redis is emptied, killed, stopped for a while; no bell rings; every audit still ends by the sweep."""

import os
import signal
import time

import redis

from benchmarks.faults.town import Town, small, started_town

TRACES = 2 if small() else 6
AWAY_SECONDS = 10 if small() else 60


def client_of(town: Town) -> redis.Redis:
    return redis.Redis.from_url(town.redis_url)


def test_a_redis_that_forgets_everything_costs_seconds_and_no_audit(tmp_path):
    with started_town(tmp_path) as town:
        for number in range(3):
            town.submit(TRACES, mark=f"flush {number} ")
            with client_of(town) as client:
                client.flushall()
        town.finish()


def test_a_killed_redis_costs_seconds_and_no_audit(tmp_path):
    with started_town(tmp_path) as town:
        town.submit(TRACES, mark="before ")
        os.kill(town.running.find("redis-server").pid, signal.SIGKILL)
        town.submit(TRACES, mark="after ")
        town.finish()


def test_a_redis_that_hangs_does_not_stop_the_taking_of_traces(tmp_path):
    with started_town(tmp_path) as town:
        process = town.running.find("redis-server")
        process.suspend()
        try:
            began = time.monotonic()
            town.submit(1, mark="hung ")
            while time.monotonic() - began < AWAY_SECONDS:
                time.sleep(0.5)
        finally:
            process.resume()
        town.finish()


def test_a_worker_killed_in_the_middle_finishes_every_audit_once(tmp_path):
    with started_town(tmp_path) as town:
        town.submit(TRACES * 2, mark="worker ")
        town.running.find("celery -A trustweb worker").kill()
        town.finish()
