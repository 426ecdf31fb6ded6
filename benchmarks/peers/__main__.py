"""Claim and seal beside other annotation systems and the floor, in turn in one run.

python -m benchmarks.peers [repeats] [seconds] [peer ...]   (5, 4 and all of potato, label_studio, doccano)

Each peer is installed from PyPI into a virtual environment of its own under .run/peers at first use. Who hands the
same item out twice, or answers with an error, is told so: such cycles count for its rate all the same.
"""

import contextlib
import importlib
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.faults.world import started_world
from benchmarks.rates import CLIENTS, Floor, Phase, Product, measure, prepare, served_floor
from tests.tools.system import ROOT, find_free_port

PEERS = ("potato", "label_studio", "doccano")
ON_POSTGRESQL = ("doccano",)  # ours: its part of a cycle counts, with what our programs do meanwhile


def main() -> None:
    """Start ours, the floor and the peers; measure in turn; print a table."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    repeats, seconds = [*numbers, *(5, 4)[len(numbers) :]]
    names = [word for word in sys.argv[1:] if not word.isdigit()] or PEERS
    with contextlib.ExitStack() as stack:
        world = stack.enter_context(started_world(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        floor_port, floor = stack.enter_context(served_floor(world))
        tokens, root = prepare(world), world.running.process.pid
        ours = (urlsplit(world.running.url).port, [root])
        places: dict[str, tuple[Any, int, list[int]]] = {}
        for name in names:
            place = ROOT / ".run" / "peers" / name
            place.mkdir(parents=True, exist_ok=True)
            port = find_free_port()
            peer = importlib.import_module(f"benchmarks.peers.{name}")
            target, pid = stack.enter_context(peer.serve(place, port, world.database_url))
            places[target.name] = target, port, [pid, root] if name in ON_POSTGRESQL else [pid]
        print(f"load before: {os.getloadavg()[0]:.1f}; medians of {repeats} turns of {seconds} s", flush=True)
        for clients in CLIENTS:
            targets = {
                "floor": (Floor(), floor_port, [floor.pid, root]),
                "trust": (Product(tokens, clients), *ours),
                **places,
            }
            _compare(clients, targets, repeats, seconds)
        print(f"load after: {os.getloadavg()[0]:.1f}")


_TAKEN: dict[str, set[str]] = {}


def _compare(clients: int, targets: dict[str, tuple[Any, Any, list[int]]], repeats: int, seconds: int) -> None:
    turns: dict[str, list[Phase]] = {name: [] for name in targets}
    for _ in range(repeats):
        for name, (target, port, roots) in targets.items():
            taken = _TAKEN.setdefault(name, set())
            turns[name].append(measure(target, port, clients, seconds, roots, taken))
    ours = statistics.median(phase.rate for phase in turns["trust"])
    for name, phases in turns.items():
        rate = statistics.median(phase.rate for phase in phases)
        cpu = statistics.median(sum(phase.cpu.values()) for phase in phases)
        twice, failed = sum(phase.twice for phase in phases), sum(phase.failed for phase in phases)
        faults = f"; {twice} items handed out twice, {failed} answers with an error" if twice or failed else ""
        if failed > sum(phase.cycles for phase in phases) / 2:  # how fast it refuses is no rate
            print(f"{clients:>3} clients, {name}: no rate{faults}", flush=True)
            continue
        print(
            f"{clients:>3} clients, {name}: {rate:.1f} cycles/s, CPU {cpu:.1f} ms a cycle, "
            f"ours is {ours / rate:.2f} times{faults}",
            flush=True,
        )


if __name__ == "__main__":
    main()
