"""F7, F10: Redis is emptied, killed, stopped for a while; no bell rings; every audit still ends by the sweep."""

import os
import signal
import time

import redis

from benchmarks.faults.world import World, small, started_world

TRACES = 2 if small() else 6
AT_ONCE = 12  # traces handed in while Redis hangs; more than the web server has threads
AWAY_SECONDS = 10 if small() else 60


def client_of(world: World) -> redis.Redis:
    return redis.Redis.from_url(world.redis_url)


def test_a_redis_that_forgets_everything_costs_seconds_and_no_audit(tmp_path):
    with started_world(tmp_path) as world:
        for number in range(3):
            world.submit(TRACES, mark=f"flush {number} ")
            with client_of(world) as client:
                client.flushall()
        world.finish()


def test_a_killed_redis_costs_seconds_and_no_audit(tmp_path):
    with started_world(tmp_path) as world:
        world.submit(TRACES, mark="before ")
        os.kill(world.running.find("redis-server").pid, signal.SIGKILL)
        began = time.monotonic()
        world.submit(1, mark="at once ")
        print(f"\na trace was taken {time.monotonic() - began:.1f} s after Redis was killed")
        world.submit(TRACES - 1, mark="after ")
        world.finish()


def test_a_redis_that_hangs_does_not_stop_the_taking_of_traces(tmp_path):
    with started_world(tmp_path) as world:
        process = world.running.find("redis-server")
        process.suspend()
        try:
            began = time.monotonic()
            for number in range(AT_ONCE):  # each is answered: nobody waits for Redis
                record = {"problem": f"Hung {number}: what is 2 + 2?", "steps": ["2 + 2 = 4."], "answer": "It is 4."}
                assert world.post("traces", record, world.provider).status in (201, 202)
            print(f"\n{AT_ONCE} traces were taken {time.monotonic() - began:.1f} s after Redis hung")
            while time.monotonic() - began < AWAY_SECONDS:
                time.sleep(0.5)
        finally:
            process.resume()
        world.finish()


def test_a_worker_killed_in_the_middle_finishes_every_audit_once(tmp_path):
    with started_world(tmp_path) as world:
        world.submit(TRACES * 2, mark="worker ")
        world.running.find("MainProcess] -active- (-A trustweb worker").kill()
        world.finish()
