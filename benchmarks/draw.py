"""The draw: CPU, statements and time a round, for traces whose people's rounds all wait for it.

python -m benchmarks.draw [traces] [reviewers] [short]   (40, 30 and 0; a trace has 24 steps)

short: traces of at most so many characters are shown whole; 0 measures the disclosure budget with the draw.
CPU time is that of this process and of PostgreSQL; it holds on a machine that others use, seconds do not.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from tests.tools.services import own_services

SIZES = (40, 30, 0)


def main() -> None:
    """Start PostgreSQL and Redis, measure, stop."""
    sizes = [int(size) for size in sys.argv[1:]]
    with own_services() as run_dir:
        _measure(run_dir, *[*sizes, *SIZES[len(sizes) :]])


def _measure(run_dir: Path, traces: int, reviewers: int, short: int) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    world = _waiting(traces, reviewers, short)
    world.sequence()  # from now on the seed is known
    from accounts import broadcast

    broadcast.gather()  # as in every process of a worker
    _draw_all(run_dir)


def _waiting(traces: int, reviewers: int, short: int) -> Any:
    """A world whose people's rounds all wait for the draw, their lists not yet in the ledger."""
    from auditing.core.policy import FAST
    from hdag.core.values import Trace
    from tests.factories.worlds import make_world

    policy = replace(FAST, human=replace(FAST.human, k=3), short_trace_characters=short)
    world = make_world(reviewers=reviewers, policy=policy)
    for number in range(traces):
        steps = "\n\n".join(f"Then we look at flock {number} of barn {step} and count it." for step in range(24))
        world.submit(trace=Trace(problem="How many?", thinking=steps, answer="all", domain="other", title=str(number)))
    while world.walk():
        pass
    return world


def _draw_all(run_dir: Path) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from auditing.models import Round, Seat

    waiting = Round.objects.filter(tier="human", stage="seated")
    Round.objects.filter(stage="seated").update(due_at=None)
    before = waiting.count()
    started, cpu, database = perf_counter(), process_time(), postgres_seconds(run_dir)
    with CaptureQueriesContext(connection) as asked:
        _sweep_until_drawn(waiting)
    rounds = before - waiting.count()
    took = perf_counter() - started
    print(
        f"{rounds} of {before} rounds, {Seat.objects.filter(round__tier='human').count()} seats: "
        f"{rounds / took:.0f} rounds a second; a round costs {1000 * (process_time() - cpu) / rounds:.1f} ms CPU here, "
        f"{1000 * (postgres_seconds(run_dir) - database) / rounds:.1f} ms in PostgreSQL, "
        f"{len(asked) / rounds:.1f} statements",
        flush=True,
    )


def _sweep_until_drawn(waiting: Any) -> None:
    from auditing.selectors.clock import database_now
    from auditing.services import corridor

    left = waiting.filter(due_at=None).count()
    while left:
        corridor.advance_due(now=database_now())
        left = waiting.filter(due_at=None).count()


def postgres_seconds(run_dir: Path) -> float:
    """CPU seconds of every PostgreSQL process of this run: they work in its directory."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "comm").read_text().strip() == "postgres" and _is_below(process / "cwd", run_dir):
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        except OSError:
            continue  # it ended meanwhile, or is somebody else's
    return ticks / os.sysconf("SC_CLK_TCK")


def _is_below(link: Path, folder: Path) -> bool:
    return str(link.resolve()).startswith(str(folder.resolve()))


if __name__ == "__main__":
    main()
