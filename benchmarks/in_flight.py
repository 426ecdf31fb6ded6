"""The study `benchmark` on 200 ProcessBench traces with 8 calls in flight, at a server that takes 1 s a call.

Prints the calls, the seconds that they take at the least (calls / 8), the seconds that the run took, and the ratio,
which is to stay below 1.3. Run from the repository root: python -m benchmarks.in_flight [--traces 200] [--flight 8]
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SECONDS = 1.0
LIMIT = 1.3


def main() -> int:
    """Exit code 1 where the run took longer than LIMIT times the least."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", type=int, default=200)
    parser.add_argument("--flight", type=int, default=8)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")
    import django

    django.setup()
    from auditing.research.studies.benchmark import judge_traces
    from auditing.research.studies.instruments.coverage import Tally
    from auditing.research.studies.instruments.labelled import files_of, read_labelled
    from auditing.research.studies.instruments.model_tier import CountingClient, ModelTier
    from hdag.chat.address import read_allowlist
    from hdag.chat.book import MemoryBook
    from hdag.chat.cache import NoCache
    from hdag.chat.endpoint import EndpointSettings, MaySee
    from tests.doubles.chat_server import run_server

    paths = files_of(name="processbench", data=DATA)
    each = -(-options.traces // len(paths))
    items = [item for path in paths for item in read_labelled(name="processbench", path=path, most=each)]
    items = items[: options.traces]
    with run_server() as server:
        settings = EndpointSettings(
            "double",
            server.url(f"slow-{round(1000 * SECONDS)}"),
            "m-1",
            max_concurrency=options.flight,
            may_see=MaySee.TRACES,
        )
        allowed, tally = read_allowlist(server.origin), Tally(asks="double")
        with CountingClient(settings, MemoryBook(), NoCache(), allowed, tally=tally) as client:
            started = time.perf_counter()
            judge_traces(items, ModelTier(client, "benchmark"))
            took = time.perf_counter() - started
    coverage = tally.coverage()
    assert coverage is not None
    least = coverage.asked * SECONDS / options.flight
    print(f"{len(items)} traces, {coverage.asked} calls, {coverage.failed} failed, {options.flight} in flight")
    print(f"at the least {least:.1f} s, took {took:.1f} s, {took / least:.2f} times (limit {LIMIT})")
    return int(took > LIMIT * least or coverage.failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
