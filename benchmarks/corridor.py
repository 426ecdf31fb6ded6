"""The corridor: what a segment costs from the import to the end of the machine's rounds, beside the cores in memory.

python -m benchmarks.corridor [traces] [beside]   (300 public traces, and 0 other audits that are stored already)
python -m benchmarks.corridor served [traces]     (through the programs of `manage.py serve`, as seconds and CPU)

Public traces lie in ../shared/data; without them, traces are made up. In memory: what `manage.py audit` does, in turn
with the corridor, for a machine is now faster, now slower. CPU time is that of this process and of PostgreSQL; it holds
on a machine that others use, seconds do not.
"""

import gc
import io
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.draw import postgres_seconds
from benchmarks.public_traces import records
from tests.tools.services import own_services

SIZES = (300, 0)
FIRST, IN_TURN = 20, 20  # traces that nobody measures, and of each turn
PER_FILE = 20  # public traces are taken from every file in turn
MACHINE = "SELECT count(*) FROM auditing_audit WHERE stage IN ('submitted', 'decomposed', 'routed')"
PREPARE = """
from tests.factories.worlds import make_user
from auditing.core.policy import DEFAULT
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.policy_lab.services import publish_policy
admin, provider = make_user("corridor@example.org", "admin"), make_user("traces@example.org", "provider")
policy = publish_policy(policy=DEFAULT, author=admin)
open_campaign(title="Corridor", owner=admin, policy=policy, guidelines="")
print(1)
"""
IMPORT = """
from accounts.models import User
from auditing.models import Campaign
from auditing.research.importing.services import import_traces, read_lines
provider, campaign = User.objects.get(email="traces@example.org"), Campaign.objects.get(title="Corridor")
traces = read_lines(lines=open(FILE, "rb")).traces
print(import_traces(provider=provider, campaign=campaign, traces=traces).opened)
"""


def main() -> None:
    """Measure in this process, or through the real programs."""
    if sys.argv[1:2] == ["served"]:
        _through_programs(_lines(int(sys.argv[2]) if len(sys.argv) > 2 else SIZES[0]))
        return
    sizes = [int(size) for size in sys.argv[1:]]
    traces, beside = [*sizes, *SIZES[len(sizes) :]]
    with own_services() as run_dir:
        _measure(run_dir, _lines(traces), beside)


def _lines(count: int) -> list[str]:
    """So many traces as lines of JSON, from every public set in turn."""
    sets: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name, record in records(per_file=PER_FILE):
        sets[name].append(record)
    longest = max(map(len, sets.values()), default=0)
    public = [some[number] for number in range(longest) for some in sets.values() if number < len(some)]
    different = {json.dumps(record, sort_keys=True): record for record in public}
    chosen = [*different.values(), *(_made_up(number) for number in range(count))][:count]
    return [json.dumps({"id": str(number), **record}) for number, record in enumerate(chosen)]


def _made_up(number: int) -> dict[str, Any]:
    steps = [f"Barn {step} of farm {number} has 12 * {step + 2} = {12 * (step + 2)} hens." for step in range(6)]
    return {"problem": f"How many hens has farm {number}?", "steps": steps}


def _measure(run_dir: Path, lines: list[str], beside: int) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from accounts import broadcast
    from auditing.core.policy import DEFAULT
    from tests.factories.worlds import make_world

    broadcast.gather()  # as in every process of a worker
    world = make_world(policy=DEFAULT, grain=DEFAULT.grain)
    first, lines = lines[:FIRST], lines[FIRST:]
    _in_memory(first)  # what is loaded and put together at first use
    _walk(world, first)
    if beside:
        _copy_audits(beside)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)  # as in the programs (trustweb/serve/warm.py); what is in memory gains as well
    in_memory = cpu = database = took = 0.0
    segments = statements = 0
    for start in range(0, len(lines), IN_TURN):
        some = lines[start : start + IN_TURN]
        seconds, made = _in_memory(some)
        in_memory, segments = in_memory + seconds, segments + made
        database_before, began, cpu_before = postgres_seconds(run_dir), perf_counter(), process_time()
        statements += _walk(world, some)
        cpu += process_time() - cpu_before
        database += postgres_seconds(run_dir) - database_before
        took += perf_counter() - began
    traces = len(lines)
    print(
        f"{traces} traces, {segments} segments, beside {beside} other audits, load {os.getloadavg()[0]:.1f}\n"
        f"in memory: {1000 * in_memory / segments:.2f} ms of CPU a segment\n"
        f"corridor: {1000 * cpu / segments:.2f} ms here and {1000 * database / segments:.2f} ms in PostgreSQL, "
        f"{(cpu + database) / in_memory:.1f} times the cores in memory; {statements / traces:.0f} statements a trace; "
        f"{traces / took:.1f} traces a second in one process, {traces / (cpu + database):.1f} a second of CPU",
        flush=True,
    )


def _in_memory(lines: list[str]) -> tuple[float, int]:
    """CPU seconds of `manage.py audit` for these lines, and how many segments it made of them."""
    from auditing.research.offline.one_trace import audit_line

    began = process_time()
    audited = [audit_line(line=line, where="benchmark") for line in lines]
    return process_time() - began, sum(len(record["segments"]) for record in audited)


def _walk(world: Any, lines: list[str]) -> int:
    """Import, then each audit to the end of the machine's rounds, as a worker does; returns how many statements."""
    from django.db import connection

    from auditing.models import Audit
    from auditing.research.importing.services import import_traces, read_lines
    from auditing.services.intake.submission import TOGETHER
    from auditing.tasks import advance_audit

    asked = 0

    def count(execute: Any, *statement: Any) -> Any:
        nonlocal asked
        asked += 1
        return execute(*statement)

    with connection.execute_wrapper(count):
        traces = read_lines(lines=io.BytesIO("\n".join(lines).encode())).traces
        import_traces(provider=world.provider, campaign=world.campaign, traces=traces)
        keys = list(Audit.objects.filter(stage="submitted").order_by("created").values_list("pk", flat=True))
        for start in range(0, len(keys), TOGETHER):
            advance_audit(*map(str, keys[start : start + TOGETHER]))
    return asked


def _copy_audits(count: int) -> None:
    """So many other audits with an open segment and its seat each, copied after one that is here."""
    from auditing.models import Auditor, Round
    from tests.tools.copies import copy_open_segments

    round = Round.objects.filter(seats__isnull=False).select_related("segment", "audit__trace")[0]
    auditor = Auditor.objects.get(seats__round=round)
    copy_open_segments(after=round, auditor=auditor, count=count, votes=0, tag="beside", an_audit=1)


def _through_programs(lines: list[str]) -> None:
    """From the import until no audit waits for a machine, with the programs of `manage.py serve`."""
    from benchmarks.faults.world import started_world
    from benchmarks.rates import cpu_seconds

    with tempfile.TemporaryDirectory() as scratch, started_world(Path(scratch)) as world:
        file = Path(scratch) / "traces.jsonl"
        file.write_text("\n".join(lines), encoding="utf-8")
        world.python(PREPARE)
        root = world.running.process.pid
        before, load = cpu_seconds([root]), os.getloadavg()[0]
        began = time.perf_counter()
        opened = world.python(IMPORT.replace("FILE", repr(str(file))))
        imported = time.perf_counter() - began
        while world.scalar(MACHINE):
            time.sleep(0.2)
        took = time.perf_counter() - began
        spent = cpu_seconds([root])
        segments = world.scalar("SELECT count(*) FROM hdag_segment")
    shares = ", ".join(f"{name} {spent[name] - before[name]:.1f}" for name in spent)
    print(
        f"{opened} traces, {segments} segments stored, load before {load:.1f}: {took:.1f} s from the import to the end "
        f"of the machine's rounds, {opened / took:.1f} traces a second ({imported:.1f} s until imported); CPU: {shares}"
    )


if __name__ == "__main__":
    main()
