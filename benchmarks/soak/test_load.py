"""Traces and votes without a pause: no 500, no growing backlog, no leak; figures are printed (pytest -s)."""

import os
import statistics
import time

import psutil

from benchmarks.faults.world import World, started_world

SECONDS = float(os.environ.get("TRUST_SOAK_SECONDS", "120"))
LARGEST_GROWTH = 1.5


def memory(world: World) -> int:
    """Bytes of all processes of the system, PostgreSQL's shared pages counted once (USS)."""
    total = 0
    for process in world.running.processes():
        try:
            total += process.memory_full_info().uss
        except psutil.Error:
            continue
    return total


def test_the_system_takes_traces_and_votes_without_a_pause(tmp_path):
    waits: list[float] = []
    with started_world(tmp_path) as world:
        world.submit(5, mark="warm ")
        before, number, deadline = memory(world), 0, time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            began = time.monotonic()
            world.submit(1, mark=f"soak {number} ")
            waits.append(time.monotonic() - began)
            number += 1
            if number % 20 == 0:
                world.finish()
        world.finish()
        grown = memory(world) / before
    print(
        f"traces {number} in {SECONDS:.0f} s; submit p50 {statistics.median(waits) * 1000:.0f} ms, "
        f"max {max(waits) * 1000:.0f} ms; memory x{grown:.2f}"
    )
    assert grown < LARGEST_GROWTH
