"""Where a cycle (claim a seat, seal a vote) and the machine's part of an audit go: statements and CPU, by place.

python -m benchmarks.cycle [cycles] [traces]   (30 and 12 unless said otherwise)

Through the API with a token, every middleware included, in this process; PostgreSQL's CPU time stands beside. Counts
and CPU time hold on a machine that others use.
"""

import cProfile
import io
import logging
import os
import pstats
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.draw import postgres_seconds
from tests.tools.services import own_services

SIZES = (30, 12)
STEPS = 24
SHOWN = 40
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Start PostgreSQL and Redis, measure, stop."""
    sizes = [int(size) for size in sys.argv[1:]]
    with own_services() as run_dir:
        _measure(run_dir, *[*sizes, *SIZES[len(sizes) :]])


def _measure(run_dir: Path, cycles: int, traces: int) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    world = _world()
    _audits(world, run_dir, traces)
    world.settle_machines()
    _cycles(world, run_dir, cycles)


def _world() -> Any:
    from auditing.core.policy import FAST
    from tests.factories.worlds import make_world

    # Two seats a round and one voter: no window closes while the cycles are counted.
    return make_world(reviewers=2, policy=replace(FAST, human=replace(FAST.human, k=2), short_trace_characters=10**6))


def _audits(world: Any, run_dir: Path, traces: int) -> None:
    """Each machine stage of an audit: CPU and statements a segment."""
    from auditing.core.stages import AuditStage
    from auditing.models import Audit, Route
    from auditing.services import corridor
    from auditing.services.seating import windows
    from hdag.core.values import Trace

    for number in range(traces):
        steps = "\n\n".join(
            f"Flock {number} of barn {step}: 12 * {step + 2} = {12 * (step + 2)}." for step in range(STEPS)
        )
        world.submit(trace=Trace(problem="How many?", thinking=steps, answer="all", domain="other", title=str(number)))
    segments = 1
    rows: list[tuple[str, float, float, int]] = []
    for stage in (AuditStage.SUBMITTED, AuditStage.DECOMPOSED, AuditStage.ROUTED):
        verb = corridor.TRANSITIONS[stage]
        audits = list(
            Audit.objects.filter(stage=stage).select_related("trace__payload", "policy", "campaign", "decomposition")
        )
        rows.append((stage, *_cost(run_dir, partial(_carry_out, verb, audits))))
        segments = Route.objects.count() or segments
    world.sequence()
    keys = list(Audit.objects.values_list("pk", flat=True))
    now = _now()
    rows.append(("drawing", *_cost(run_dir, lambda: [windows.seat_audit(audit_id=key, now=now) for key in keys])))
    print(f"{traces} traces, {segments} routed segments; a segment costs:")
    for name, cpu, database, statements in rows:
        print(
            f"  out of {name}: {1000 * cpu / segments:.2f} ms here, "
            f"{1000 * database / segments:.2f} ms in PostgreSQL, {statements / traces:.0f} statements a trace",
            flush=True,
        )


def _carry_out(verb: Callable[..., bool], audits: list[Any]) -> None:
    for audit in audits:
        verb(audit=audit)


def _cycles(world: Any, run_dir: Path, cycles: int) -> None:
    """Claim and seal: CPU and statements a cycle, and where in the code each statement is made."""
    import httpx
    from django.core.wsgi import get_wsgi_application

    from accounts.services.tokens import make_token
    from benchmarks.cycle_floor import floor_cycle
    from tests.tools.reviewer import Reviewer

    logging.getLogger("httpx").setLevel(logging.WARNING)
    token = make_token(user=world.reviewers[0], name="cycle")[1]
    transport = httpx.WSGITransport(app=get_wsgi_application())
    headers = {"Authorization": f"Bearer {token}", "Host": "localhost"}
    reviewer = Reviewer(client=httpx.Client(transport=transport, base_url="http://localhost", headers=headers))
    _vote(reviewer)  # what is loaded at first use
    bodies: list[Any] = []
    places: Counter[str] = Counter()
    cpu = database = least = least_database = 0.0
    floor = floor_cycle()
    floor()
    for _ in range(cycles):
        with _counted(places, "claim"):
            claim = _cost(run_dir, lambda: bodies.append(reviewer.next_seat()))
        desk = bodies.pop()
        body = reviewer.sealed(desk)
        with _counted(places, "seal"):
            seal = _cost(run_dir, partial(_send, reviewer, desk, body))
        cpu, database = cpu + claim[0] + seal[0], database + claim[1] + seal[1]
        # In turn, so that whatever else the machine does falls on both.
        bare = _cost(run_dir, floor)
        least, least_database = least + bare[0], least_database + bare[1]
    total = sum(places.values())
    print(
        f"the floor, two bare views: {1000 * least / cycles:.1f} ms here, {1000 * least_database / cycles:.1f} ms in "
        f"PostgreSQL; a cycle costs {(cpu + database) / (least + least_database):.1f} times that"
    )
    print(
        f"a cycle of claim and seal: {1000 * cpu / cycles:.1f} ms here, "
        f"{1000 * database / cycles:.1f} ms in PostgreSQL, {total / cycles:.1f} statements:"
    )
    for place, count in places.most_common(SHOWN):
        print(f"  {count / cycles:5.2f}  {place}")
    _profile(reviewer, cycles)


def _profile(reviewer: Any, cycles: int) -> None:
    """The functions that take most of a cycle, by the time in them and below; cProfile doubles it."""
    profile = cProfile.Profile()
    for _ in range(cycles):
        desk = profile.runcall(reviewer.next_seat)
        if desk is None:
            raise SystemExit("the seats are used up: give fewer cycles or more traces")
        profile.runcall(_send, reviewer, desk, reviewer.sealed(desk))
    table = io.StringIO()
    pstats.Stats(profile, stream=table).sort_stats("cumulative").print_stats()
    print("under the profiler, ms a cycle in a function and what it calls:")
    ours = [line for line in table.getvalue().splitlines() if str(ROOT) in line and ".venv" not in line]
    for line in ours[:SHOWN]:
        *_, cumulative, _, place = line.split(None, 5)
        print(f"  {1000 * float(cumulative) / cycles:6.1f}  {place.replace(str(ROOT) + '/', '')}")


def _vote(reviewer: Any) -> None:
    desk = reviewer.next_seat()
    reviewer.vote(desk).raise_for_status()


def _send(reviewer: Any, desk: dict[str, Any], body: dict[str, Any]) -> None:
    reviewer.client.post(desk["sealing"]["url"], json=body).raise_for_status()


def _cost(run_dir: Path, work: Callable[[], object]) -> tuple[float, float, int]:
    """(CPU seconds here, CPU seconds of PostgreSQL, statements) of `work`."""
    places: Counter[str] = Counter()
    cpu, database = process_time(), postgres_seconds(run_dir)
    with _counted(places, ""):
        work()
    return process_time() - cpu, postgres_seconds(run_dir) - database, sum(places.values())


@contextmanager
def _counted(places: Counter[str], what: str) -> Iterator[None]:
    """Count the statements of this thread by the line of this project that asks."""
    from django.db import connection

    def count(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        if "SAVEPOINT" not in str(sql):
            places[f"{what}: {_place()}  {str(sql)[:44]}"] += 1
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield


def _place() -> str:
    frame: Any = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(str(ROOT)) and ".venv" not in name and name != __file__:
            return f"{Path(name).relative_to(ROOT)}:{frame.f_lineno}"
        frame = frame.f_back
    return "Django"


def _now() -> Any:
    from auditing.selectors.clock import database_now

    return database_now()


if __name__ == "__main__":
    main()
