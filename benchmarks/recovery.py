"""How long the system takes to start and to come back after kill -9, and what it costs while nobody uses it.

Real programs through `manage.py serve` in a run directory of its own. A program is back when it answers: the web server
a request, the worker the next sweep, the whole system a request after a start over the remains of a killed one. Memory
is PSS: pages that several processes share count once.
"""

import contextlib
import os
import signal
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import psutil

from tests.tools import system
from tests.tools.patience import wait_for

SETTLING_SECONDS = 20.0  # after a start, until nothing is left of it
IDLE_SECONDS = 30.0


def answers(url: str) -> bool:
    """Whether the web server says that it is healthy."""
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=30) as answer:
            return answer.status == 200
    except OSError:
        return False


def seconds_of(work: Callable[[], object]) -> float:
    """Wall-clock seconds."""
    began = time.monotonic()
    work()
    return time.monotonic() - began


def everything(running: system.System) -> list[psutil.Process]:
    """`serve` and all below it."""
    return [psutil.Process(running.process.pid), *running.processes()]


def idle_cost(running: system.System) -> tuple[float, float]:
    """Megabytes of PSS, and the share of a core that is used while nobody asks for anything."""

    time.sleep(SETTLING_SECONDS)
    before = {process.pid: process.cpu_times() for process in everything(running)}
    time.sleep(IDLE_SECONDS)
    used, memory = 0.0, 0.0
    for process in everything(running):
        with contextlib.suppress(psutil.NoSuchProcess):  # PostgreSQL's helpers come and go
            spent, earlier = process.cpu_times(), before.get(process.pid)
            used += sum(spent[:2]) - (sum(earlier[:2]) if earlier else 0)
            memory += process.memory_full_info().pss
    return memory / 2**20, used / IDLE_SECONDS


def kill_web(running: system.System) -> None:
    """Kill the web server and wait for an answer of the next one."""
    running.find("trustweb.serve.web").kill()
    wait_for(lambda: answers(running.url))


def kill_worker(running: system.System, log: Path) -> None:
    """Kill the worker and wait until the next one has finished a sweep."""
    running.find("MainProcess] -active- (-A trustweb worker").kill()
    done = log.read_bytes().count(b"succeeded")
    wait_for(lambda: log.read_bytes().count(b"succeeded") > done)


def kill_all(running: system.System) -> None:
    """kill -9 of every process of the tree, `serve` included."""
    for process in everything(running):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    running.process.wait()


def main() -> None:
    """Print one table."""
    rows: list[tuple[str, float, str]] = []
    with tempfile.TemporaryDirectory() as name:
        run_dir = Path(name)
        began = time.monotonic()
        with system.started_system(run_dir, TRUST_MANIFEST="1") as running:
            rows.append(("first start, with the demo", time.monotonic() - began, "s"))
            running.end(signal.SIGINT)
        began = time.monotonic()
        with system.started_system(run_dir, TRUST_MANIFEST="1") as running:
            rows.append(("second start", time.monotonic() - began, "s"))
            log = run_dir / "logs" / "worker.log"
            memory, cpu = idle_cost(running)
            rows += [("idle memory (PSS)", memory, "MB"), ("idle CPU", 100 * cpu, "% of a core")]
            rows.append(("web killed: an answer after", seconds_of(lambda: kill_web(running)), "s"))
            rows.append(("worker killed: a sweep after", seconds_of(lambda: kill_worker(running, log)), "s"))
            kill_all(running)
            began = time.monotonic()
            with system.started_system(run_dir, TRUST_MANIFEST="1") as again:
                wait_for(lambda: answers(again.url))
                rows.append(("all killed: an answer after", time.monotonic() - began, "s"))
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for label, value, unit in rows:
        print(f"{label:32} {value:8.1f} {unit}")


if __name__ == "__main__":
    main()
