"""A profile of one cycle (claim and seal over HTTP) and of one audit (the machine's corridor): where the CPU time goes.

python -m benchmarks.profile [cycle|audit] [count]   (cycle and 300; for an audit the count is of traces, 20)

The web server runs in this process as `manage.py serve` runs it (uvicorn, pool, every middleware), beside a client in
a thread of its own that is left out of the figures. A sampler reads the stack of the working thread every half
millisecond and writes the CPU time since its last look to the innermost known place in it.
Statements are timed at the client's end, so that what they wait for PostgreSQL is in them.
"""

import http.client
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.draw import postgres_seconds
from benchmarks.sampling import Statements, sampled, say_places
from tests.tools.services import own_services

SIZES = {"cycle": 300, "audit": 20}
STEPS = 24


def main() -> None:
    """Start PostgreSQL and Redis, profile, stop."""
    subject = sys.argv[1] if len(sys.argv) > 1 else "cycle"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else SIZES[subject]
    with own_services() as run_dir:
        os.environ["DJANGO_SETTINGS_MODULE"] = "trustweb.settings_test"  # benchmarks.rates names none
        os.environ["TRUST_DB_POOL"] = "1" if subject == "cycle" else ""
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        print(f"load {os.getloadavg()[0]:.1f}")
        {"cycle": profile_cycle, "audit": profile_audit}[subject](run_dir, count)


def profile_cycle(run_dir: Path, cycles: int) -> None:
    """Claim and seal, one client, as benchmarks.rates asks for them."""
    from accounts.services.tokens import make_token
    from benchmarks.rates import Product

    traces = 2 + cycles // 40
    world = _waiting(traces, reviewers=12, seats=4)
    tokens = [make_token(user=user, name="profile")[1] for user in world.reviewers]
    statements = Statements()
    _watch_statements(statements)
    with _served() as port:
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        product = Product(tokens, 1)
        cycle = partial(product.cycle, web, 0)
        for _ in range(12):
            cycle()  # plans, and what is loaded at first use
        statements.count.clear()
        statements.seconds.clear()
        before, database, began = _others_cpu(), postgres_seconds(run_dir), time.perf_counter()
        for _ in range(cycles):
            assert cycle() is not None, "the seats are used up"
        spent, took = _others_cpu() - before, time.perf_counter() - began
        database = postgres_seconds(run_dir) - database
        asked = statements.copy()
        with sampled({threading.get_ident()}) as seen:  # apart from the rest, because looking costs time too
            for _ in range(cycles):
                assert cycle() is not None, "the seats are used up"
        web.close()
    wall, database = 1000 * took / cycles, 1000 * database / cycles
    print(f"{cycles} cycles of claim and seal, {wall:.1f} ms each with the client; PostgreSQL {database:.1f} ms CPU")
    say_places(seen, 1000 * spent / cycles, "a cycle")
    asked.say(cycles, "a cycle")


def _waiting(traces: int, reviewers: int, seats: int) -> Any:
    """A world whose people have seats to vote on."""
    from auditing.core.policy import FAST
    from tests.factories.worlds import make_world

    human = replace(FAST.human, k=seats, commit_seconds=86_400)
    world = make_world(reviewers=reviewers, policy=replace(FAST, human=human, short_trace_characters=10**6))
    for number in range(traces):
        world.submit(trace=_trace(number))
    world.settle_machines()
    return world


def _trace(number: int) -> Any:
    from hdag.core.values import Trace

    steps = "\n\n".join(
        f"In flock {number}, hen {step} follows from what was said of the hens before it." for step in range(STEPS)
    )
    return Trace(problem="How many?", thinking=steps, answer="all", domain="other", title=str(number))


@contextmanager
def _served() -> Iterator[int]:
    """The web server as trustweb/serve/web.py starts it, in threads of this process; its port."""
    import uvicorn

    from accounts import broadcast
    from auditing import dispatch
    from trustweb.serve.web import configuration

    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    broadcast.gather()
    dispatch.gather()
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(configuration())
    thread = threading.Thread(target=partial(server.run, sockets=[listener]))
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def _others_cpu() -> float:
    """CPU seconds of this process so far, without this thread."""
    return time.process_time() - time.thread_time()


def _watch_statements(statements: Statements) -> None:
    """Time the statements of every connection that a request is given from now on."""
    from django.db.backends.signals import connection_created

    def watch(connection: Any, **_: Any) -> None:
        connection.execute_wrappers[:] = [statements]

    connection_created.connect(watch, weak=False)


def profile_audit(run_dir: Path, traces: int) -> None:
    """The machine's corridor, stage by stage: decompose, route, examine, up to the offered seats."""
    from django.db import connection

    from auditing.core.policy import FAST
    from auditing.models import Route
    from tests.factories.worlds import make_world

    world = make_world(reviewers=12, policy=replace(FAST, human=replace(FAST.human, k=3), short_trace_characters=10**6))
    statements = Statements()
    working = threading.get_ident()
    left_out = {thread.ident or 0 for thread in threading.enumerate()} - {working}
    before, database = time.thread_time(), postgres_seconds(run_dir)
    with connection.execute_wrapper(statements), sampled(left_out) as seen:
        for number in range(traces):
            world.submit(trace=_trace(number))
        world.settle_machines()
    spent, database = time.thread_time() - before, postgres_seconds(run_dir) - database
    segments = Route.objects.count()
    each, database = segments / traces, 1000 * database / traces
    print(f"{traces} audits of {each:.0f} segments, up to the offered seats; PostgreSQL {database:.0f} ms CPU an audit")
    say_places(seen, 1000 * spent / traces, "an audit")
    statements.say(traces, "an audit")


if __name__ == "__main__":
    main()
