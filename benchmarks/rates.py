"""Claim and seal through the real server, beside the floor under granian, in turn in one run: rates, p95, CPU.

python -m benchmarks.rates [repeats] [seconds]   (5 and 4 unless said otherwise)

`manage.py serve` with all its programs is asked over HTTP with tokens by closed-loop clients; the floor is
benchmarks/floor_app.py under granian (WSGI, two workers, four blocking threads), on the same PostgreSQL. The two take
turns, so that whatever else the machine does falls on both; the ratio is the claim.
"""

import base64
import contextlib
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import psutil
import psycopg

from auditing.client.sealing import seal_vote
from benchmarks.cycle_floor import FILL, TABLES
from benchmarks.faults.world import World, started_world
from tests.tools.patience import wait_for
from tests.tools.system import ROOT, find_free_port

CLIENTS = (1, 8, 32)
PEOPLE = 96
FLOOR_SEGMENTS = 60_000
LEAST_SHOWN = 0.05  # ms
RATIONALE: dict[str, Any] = {"reason": "", "criteria": {}}
TRACES, STEPS, SEATS = 90, 30, 4  # 10,800 votes: five turns use up two thirds, and nobody runs out of seats
SETUP = f"""
import json
from dataclasses import replace
from django.conf import settings
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # nobody signs in with one
from tests.factories.worlds import make_user
from accounts.services.tokens import make_token
from auditing.core.policy import FAST, Grain
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.policy_lab.services import publish_policy
admin = make_user("rates@example.org", "admin")
provider = make_user("traces@example.org", "provider")
people = [make_user(f"voter{{number}}@example.org", "reviewer") for number in range({PEOPLE})]
policy = replace(FAST, human=replace(FAST.human, k={SEATS}, commit_seconds=86_400), short_trace_characters=10**6,
                 grain=Grain.SEGMENT)
campaign = open_campaign(title="Rates", owner=admin, policy=publish_policy(policy=policy, author=admin), guidelines="")
tokens = [make_token(user=user, name="rates")[1] for user in (provider, *people)]
print(json.dumps([str(campaign.id), *tokens]))
"""


class Target(Protocol):
    """What a client does over and over."""

    name: str
    hands_out_once: bool  # whether it promises that an item goes to one person alone

    def cycle(self, web: http.client.HTTPConnection, client: int) -> str | None:
        """Take one item and vote on it; its name, or None when nothing is left."""
        ...


@dataclass
class Product:
    """Claim and seal as a reviewer's program does them, each cycle as another of the client's people.

    Nobody seals more than the 100 votes a minute that one person may.
    """

    tokens: list[str]
    clients: int
    name: str = "trust"
    hands_out_once: bool = True
    turns: Counter[int] = field(default_factory=Counter)

    def cycle(self, web: http.client.HTTPConnection, client: int) -> str | None:
        """POST /desk/next, seal, POST the commitment."""
        mine = self.tokens[client :: self.clients]
        for _ in mine:
            token = mine[self.turns[client] % len(mine)]
            self.turns[client] += 1
            desk = ask(web, "/api/v1/desk/next", None, {"Authorization": f"Bearer {token}"}, 200)
            if desk["seat"] is not None:
                break
        else:
            return None
        vote = seal_vote(sealing=desk["sealing"], vote="pass", confidence_bp=9000, rationale=RATIONALE)
        body = {
            "commitment": vote.commitment,
            "rationale_digest": vote.rationale_digest,
            "sealed": base64.b64encode(vote.sealed).decode(),
            "active_ms": 3_200,
        }
        receipt = ask(web, desk["sealing"]["url"], body, {"Authorization": f"Bearer {token}"}, 200)
        assert receipt["receipt"], receipt
        return str(desk["seat"])


class Floor:
    """The same two requests at two bare views."""

    name = "floor"
    hands_out_once = True

    def cycle(self, web: http.client.HTTPConnection, client: int) -> str | None:
        """POST /take, POST /close."""
        who = {"X-Who": str(client)}
        seat = ask(web, "/take", {}, who, 200)
        ask(web, "/close", {"seat": seat["seat"], "segment": seat["segment"]}, who, 201)
        return str(seat["seat"])


def ask(web: http.client.HTTPConnection, path: str, body: Any, headers: dict[str, str], wanted: int) -> Any:
    """One request on a connection that stays open; anything but the wanted status ends the run."""
    try:
        web.request("POST", path, json.dumps(body), {"Content-Type": "application/json", **headers})
    except BrokenPipeError:  # the server has closed a connection that rested; nothing of the request was read
        web.close()
        web.request("POST", path, json.dumps(body), {"Content-Type": "application/json", **headers})
    answer = web.getresponse()
    text = answer.read()
    assert answer.status == wanted, (answer.status, text[:300])
    return json.loads(text)


@dataclass
class Phase:
    """What one turn of one target measured."""

    rate: float  # cycles a second
    slow: float  # 95th percentile of a cycle, ms
    cpu: dict[str, float]  # ms a cycle by program
    twice: int = 0  # items that were handed out before
    failed: int = 0  # cycles that ended in an error
    cycles: int = 0


def measure(target: Target, port: int, clients: int, seconds: float, roots: list[int], taken: set[str]) -> Phase:
    """Closed-loop clients, each with one connection, for that long. Raises what a client met.

    Who promises to hand an item out once must keep it; of others, repeats and errors are counted.
    """
    webs = [http.client.HTTPConnection("127.0.0.1", port, timeout=60) for _ in range(clients)]
    for number, web in enumerate(webs):  # connected and warm before the clock starts
        target.cycle(web, number)
    before, began = cpu_seconds(roots), time.perf_counter()
    faults: Counter[str] = Counter()

    def work(number: int) -> list[float]:
        spans: list[float] = []
        while (start := time.perf_counter()) < began + seconds:
            item = target.cycle(webs[number], number)
            assert item is not None or not target.hands_out_once, "nothing is left"
            assert item not in taken or not target.hands_out_once, f"{item} was handed out twice"
            faults["failed"] += item is None
            faults["twice"] += item in taken
            taken.add(str(item))
            spans.append(time.perf_counter() - start)
        return spans

    with ThreadPoolExecutor(clients) as pool:
        spans = [span for some in pool.map(work, range(clients)) for span in some]
    lasted, after = time.perf_counter() - began, cpu_seconds(roots)
    for web in webs:
        web.close()
    cpu = {name: 1000 * (after[name] - before[name]) / len(spans) for name in after}
    slow = 1000 * statistics.quantiles(spans, n=20)[-1]
    return Phase(len(spans) / lasted, slow, cpu, faults["twice"], faults["failed"], len(spans))


PROGRAMS = (
    "trustweb.serve.web",
    "celery",
    "trustweb beat",
    "sequencer",
    "revealer",
    "witness",
    "granian",
    "redis",
    "postgres",
)


def cpu_seconds(roots: list[int]) -> Counter[str]:
    """CPU time so far by program, of everything below the roots."""
    spent: Counter[str] = Counter()
    for root in roots:
        for process in [psutil.Process(root), *psutil.Process(root).children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                title, times = " ".join(process.cmdline()), process.cpu_times()
                name = next((program for program in PROGRAMS if program in title), "serve")
                spent[name] += times.user + times.system
    return spent


def main() -> None:
    """Start the system and the floor, measure in turn, print a table."""
    repeats, seconds = (int(word) for word in [*sys.argv[1:], *("5", "4")[len(sys.argv) - 1 :]])
    with (
        tempfile.TemporaryDirectory() as scratch,
        started_world(Path(scratch)) as world,
        served_floor(world) as (floor_port, floor),
    ):
        tokens = prepare(world)
        port = urlsplit(world.running.url).port
        root = world.running.process.pid
        taken: dict[str, set[str]] = {"trust": set(), "floor": set()}
        print(f"load before: {os.getloadavg()[0]:.1f}; medians of {repeats} turns of {seconds} s")
        for clients in CLIENTS:
            turns: dict[str, list[Phase]] = {"trust": [], "floor": []}
            for _ in range(repeats):
                turns["floor"].append(measure(Floor(), floor_port, clients, seconds, [floor.pid, root], taken["floor"]))
                turns["trust"].append(measure(Product(tokens, clients), port, clients, seconds, [root], taken["trust"]))
            _say(clients, turns)
        print(f"load after: {os.getloadavg()[0]:.1f}; {len(taken['trust'])} votes, none handed out twice")


def _say(clients: int, turns: dict[str, list[Phase]]) -> None:
    rates = {name: statistics.median(phase.rate for phase in phases) for name, phases in turns.items()}
    for name, phases in turns.items():
        cpu = {key: statistics.median(phase.cpu.get(key, 0.0) for phase in phases) for key in phases[0].cpu}
        by_program = sorted(cpu.items(), key=lambda pair: -pair[1])
        shares = ", ".join(f"{key} {value:.1f}" for key, value in by_program if value > LEAST_SHOWN)
        slow = statistics.median(phase.slow for phase in phases)
        print(f"{clients:>3} clients, {name}: {rates[name]:.1f} cycles/s, p95 {slow:.0f} ms")
        print(f"      CPU {sum(cpu.values()):.1f} ms a cycle ({shares})")
    print(f"{clients:>3} clients: 1/{rates['floor'] / rates['trust']:.1f} of the floor", flush=True)


def prepare(world: World) -> list[str]:
    """People and seats enough for every turn; the tokens of the reviewers."""
    campaign, provider, *reviewers = world.python(SETUP)
    for number in range(TRACES):
        steps = [
            f"In flock {number}, hen {step} follows from what was said of the hens before it." for step in range(STEPS)
        ]
        problem = f"What do the hens of flock {number} do?"
        record = {"campaign": campaign, "problem": problem, "steps": steps, "answer": "They follow."}
        answer = world.until_accepted("traces", record, provider)
        assert answer.status == 201, answer
    wanted = TRACES * STEPS * SEATS * 9 // 10
    wait_for(lambda: world.scalar("SELECT count(*) FROM auditing_seat WHERE stage = 'offered'") >= wanted, 600.0)
    return list(reviewers)


@contextlib.contextmanager
def served_floor(world: World) -> Iterator[tuple[int, Any]]:
    """The floor under granian, on the same PostgreSQL: its port and its process."""
    address = urlsplit(world.database_url)
    server = f"postgres://postgres@{address.netloc.split('@')[-1]}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE floor")
    url = f"{server}/floor"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(TABLES)
        connection.execute(FILL.replace("%(count)s", str(FLOOR_SEGMENTS)))
    port = find_free_port()
    command = ["-m", "granian", "--interface", "wsgi", "--workers", "2", "--blocking-threads", "4", "--port", str(port)]
    floor = subprocess.Popen(
        [sys.executable, *command, "--no-access-log", "--log-level", "warning", "benchmarks.floor_app:application"],
        cwd=ROOT,
        env={**os.environ, "FLOOR_DATABASE_URL": url, "PYTHONPATH": str(ROOT)},
    )
    try:
        wait_for(lambda: _listens(port))
        yield port, floor
    finally:
        floor.terminate()
        floor.wait()


def _listens(port: int) -> bool:
    with (
        contextlib.suppress(OSError),
        contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=2)) as web,
    ):
        web.connect()
        return True
    return False


if __name__ == "__main__":
    main()
