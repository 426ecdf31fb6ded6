"""The p95 of claim and seal through the real server beside few and beside many open segments, with the floor's.

python -m benchmarks.beside [many] [repeats] [seconds]   (1,000,000, 5 and 4 unless said otherwise)

One system: its people's seats are measured beside 1,000 open segments of others, then segments are copied inside
PostgreSQL until there are as many as asked, and the same is measured again. Beside each turn stands one of the floor,
so that what the machine did meanwhile can be told from what the segments did. What the copying leaves to PostgreSQL,
dead rows and pages to be written, is done before anything is measured: a system grows to a million in weeks.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.faults.world import World, started_world
from benchmarks.rates import Floor, Phase, Product, measure, prepare, served_floor
from tests.tools.system import ROOT, environment

FEW = 1_000
CLIENTS = (1, 8)
# The copies are offered to somebody who votes on nothing here.
COPY = """
from auditing.models import Auditor, Round
from django.db import connection
from tests.tools.copies import copy_open_segments
round = Round.objects.filter(tier="human", stage="committing").select_related("segment", "audit__trace").first()
auditor = Auditor.objects.filter(user__email="reviewer0@example.org").first()
auditor = auditor or Auditor.objects.filter(tier="human").order_by("-pk")[0]
copy_open_segments(after=round, auditor=auditor, count=COUNT, votes=0, tag="TAG")
with connection.cursor() as cursor:
    cursor.execute("VACUUM (ANALYZE)")
    cursor.execute("CHECKPOINT")
"""


def main() -> None:
    """Start the system and the floor, measure, copy, measure again, compare."""
    words = sys.argv[1:]
    many, repeats, seconds = (int(word) for word in [*words, *("1000000", "5", "4")[len(words) :]])
    with (
        tempfile.TemporaryDirectory() as scratch,
        started_world(Path(scratch)) as world,
        served_floor(world) as (floor_port, floor),
    ):
        tokens = prepare(world)
        taken: dict[str, set[str]] = {"trust": set(), "floor": set()}
        slow: dict[tuple[int, int], tuple[float, float]] = {}
        for count in (FEW, many):
            _copy(world, count - (FEW if count == many else 0), f"b{count}")
            print(f"beside {count} open segments of others; load {os.getloadavg()[0]:.1f}", flush=True)
            for clients in CLIENTS:
                turns: dict[str, list[Phase]] = {"trust": [], "floor": []}
                roots = [world.running.process.pid]
                port = urlsplit(world.running.url).port or 0
                for _ in range(repeats):
                    bare = measure(Floor(), floor_port, clients, seconds, [floor.pid, *roots], taken["floor"])
                    turns["floor"].append(bare)
                    own = measure(Product(tokens, clients), port, clients, seconds, roots, taken["trust"])
                    turns["trust"].append(own)
                slow[count, clients] = _say(clients, turns)
        for clients in CLIENTS:
            ratio, floors = (slow[many, clients][place] / slow[FEW, clients][place] for place in (0, 1))
            print(
                f"{clients} clients: p95 {ratio:.2f} times (asked: 1.2), that of the floor meanwhile {floors:.2f} times"
            )
        print(f"{len(taken['trust'])} votes, none handed out twice")


def _copy(world: World, count: int, tag: str) -> None:
    """`count` more open segments; a million takes minutes."""
    code = COPY.replace("COUNT", str(count)).replace("TAG", tag)
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", code],
        cwd=ROOT,
        env=environment(world.run_dir, DATABASE_URL=_owner(world)),
        check=True,
        timeout=7_200,
    )


def _owner(world: World) -> str:
    """Copies are made without looking at foreign keys, which only the owner of the server may."""
    address = urlsplit(world.database_url)
    return f"postgres://postgres@{address.netloc.split('@')[-1]}{address.path}" + (
        f"?{address.query}" if address.query else ""
    )


def _say(clients: int, turns: dict[str, list[Phase]]) -> tuple[float, float]:
    own, floor = (statistics.median(phase.slow for phase in turns[name]) for name in ("trust", "floor"))
    rate = statistics.median(phase.rate for phase in turns["trust"])
    cpu = statistics.median(sum(phase.cpu.values()) for phase in turns["trust"])
    print(
        f"{clients:>3} clients: p95 {own:.0f} ms, floor {floor:.0f} ms; {rate:.1f} cycles/s, CPU {cpu:.1f} ms a cycle"
    )
    return own, floor


if __name__ == "__main__":
    main()
