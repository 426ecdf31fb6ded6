"""The draw through the programs of `manage.py serve`: rounds a second, and how soon other work starts beside it.

python -m benchmarks.draw_served [rounds]   (10000 unless said otherwise)

Rounds of people wait because their campaign has too few of them; then thirty more come. While the workers draw, traces
are handed in over HTTP one after the other, each timed until its audit has left its first stage.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.faults.world import World, started_world
from benchmarks.rates import cpu_seconds
from tests.tools.patience import wait_for

ROUNDS, STEPS, SEATS, NEWCOMERS = 10_000, 24, 5, 30
SETUP = f"""
import json
from dataclasses import replace
from tests.factories.worlds import make_user
from accounts.services.tokens import make_token
from auditing.core.policy import FAST, Grain
from auditing.research.importing.services import import_traces
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.policy_lab.services import publish_policy
from hdag.core.values import Trace
admin, provider = make_user("draw@example.org", "admin"), make_user("traces@example.org", "provider")
policy = replace(FAST, human=replace(FAST.human, k={SEATS}, commit_seconds=86_400), short_trace_characters=10**6,
                 grain=Grain.SEGMENT)
version = publish_policy(policy=policy, author=admin)
campaigns = [open_campaign(title=title, owner=admin, policy=version, guidelines="") for title in ("Draw", "Others")]
def trace(number):
    steps = [f"In flock {{number}}, hen {{step}} follows from what was said before." for step in range({STEPS})]
    return Trace(problem="How many?", thinking="\\n\\n".join(steps), answer="all", domain="other", title=str(number))
traces = [trace(number) for number in range(COUNT)]
import_traces(provider=provider, campaign=campaigns[0], traces=traces)
print(json.dumps([str(campaigns[1].id), make_token(user=provider, name="draw")[1]]))
"""
MORE_PEOPLE = f"""
import json
from django.conf import settings
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # nobody signs in with one
from tests.factories.worlds import make_user
from auditing.models import Round
people = [make_user(f"newcomer{{number}}@example.org", "reviewer") for number in range({NEWCOMERS})]
Round.objects.filter(stage="seated").update(due_at=None)
print(json.dumps(len(people)))
"""
PAUSE = 0.25  # seconds between traces that are handed in: a person's programs may send 600 requests a minute
WAITING = "SELECT count(*) FROM auditing_round WHERE stage = 'seated' AND tier = 'human'"
AT_WORK = "SELECT count(*) FROM auditing_audit WHERE stage IN ('submitted', 'decomposed', 'routed')"


def main() -> None:
    """Start the system, let rounds wait, let them be drawn."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as scratch, started_world(Path(scratch)) as world:
        campaign, token = world.python(SETUP.replace("COUNT", str(rounds // STEPS)), seconds=1_200)
        wait_for(lambda: not world.scalar(AT_WORK), 3_600.0)
        waiting, root = world.scalar(WAITING), world.running.process.pid
        print(f"{waiting} rounds wait, load {os.getloadavg()[0]:.1f}", flush=True)
        world.python(MORE_PEOPLE)
        before, began = cpu_seconds([root]), time.perf_counter()
        started: list[float] = []
        first = world.scalar(WAITING)
        while left := world.scalar(WAITING):
            if left == first:
                began = time.perf_counter()  # nobody has begun to draw
            started.append(_seconds_until_it_starts(world, campaign, token, len(started)))
            time.sleep(PAUSE)
        took, after = time.perf_counter() - began, cpu_seconds([root])
    cpu = {name: after[name] - before[name] for name in after}
    shares = ", ".join(f"{name} {1000 * spent / first:.2f}" for name, spent in cpu.items() if spent / first > 1e-5)
    print(
        f"{first} rounds drawn in {took:.1f} s: {first / took:.0f} a second, beside {len(started)} traces handed in; "
        f"a round costs {1000 * sum(cpu.values()) / first:.2f} ms of CPU ({shares})\n"
        f"an audit handed in meanwhile starts after {statistics.median(started):.2f} s in the median, "
        f"{max(started):.2f} s at most"
    )


def _seconds_until_it_starts(world: World, campaign: str, token: str, number: int) -> float:
    record: dict[str, Any] = {"campaign": campaign, "problem": f"What is {number} + 2?", "steps": ["It is that."]}
    began = time.perf_counter()
    audit = world.until_accepted("traces", {**record, "answer": str(number + 2)}, token).body["audit"]
    stage = "SELECT stage FROM auditing_audit WHERE id = %s"
    wait_for(lambda: world.scalar(stage, audit) != "submitted", 600.0)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
