"""The draw through the programs of `manage.py serve`: rounds a second, and how soon other work starts beside it.

python -m benchmarks.draw_served [rounds]   (10000 unless said otherwise)

Rounds of people wait because their campaign is paused; then it goes on. While the workers draw, traces are handed in to
another campaign over HTTP, one after the other, each timed until its audit has left its first stage.
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

ROUNDS, STEPS, SEATS, PEOPLE = 10_000, 24, 5, 30
SETUP = f"""
import json
from dataclasses import replace
from django.conf import settings
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # nobody signs in with one
from tests.factories.worlds import make_user
from accounts.services.tokens import make_token
from auditing.core.policy import FAST, Grain
from auditing.research.importing.services import import_traces
from auditing.research.campaigns.services.campaigns import open_campaign, set_state
from auditing.research.policy_lab.services import publish_policy
from auditing.selectors.clock import database_now
from hdag.core.values import Trace
admin, provider = make_user("draw@example.org", "admin"), make_user("traces@example.org", "provider")
people = [make_user(f"more{{number}}@example.org", "reviewer") for number in range({PEOPLE})]
policy = replace(FAST, human=replace(FAST.human, k={SEATS}, commit_seconds=86_400), short_trace_characters=10**6,
                 grain=Grain.SEGMENT)
version = publish_policy(policy=policy, author=admin)
campaigns = [open_campaign(title=title, owner=admin, policy=version, guidelines="") for title in ("Draw", "Others")]
set_state(campaign=campaigns[0], state="paused", actor=admin, now=database_now())
def trace(number):
    steps = [f"In flock {{number}}, hen {{step}} follows from what was said before." for step in range({STEPS})]
    return Trace(problem="How many?", thinking="\\n\\n".join(steps), answer="all", domain="other", title=str(number))
traces = [trace(number) for number in range(COUNT)]
import_traces(provider=provider, campaign=campaigns[0], traces=traces)
print(json.dumps([*(str(campaign.id) for campaign in campaigns), make_token(user=provider, name="draw")[1]]))
"""
GO_ON = """
import json, sys
from auditing.models import Campaign
from auditing.research.campaigns.services.campaigns import set_state
from auditing.selectors.clock import database_now
campaign = Campaign.objects.get(title="Draw")
print(json.dumps(set_state(campaign=campaign, state="open", actor=campaign.owner, now=database_now())))
"""
PAUSE = 0.25  # seconds between traces that are handed in: a person's programs may send 600 requests a minute
WAITING = """
SELECT count(*) FROM auditing_round JOIN auditing_audit ON auditing_audit.id = audit_id
WHERE auditing_round.stage = 'seated' AND tier = 'human' AND campaign_id = %s
"""  # not those of the traces that are handed in meanwhile: there is always one of them
TOOK = """
SELECT extract(epoch FROM max(auditing_round.stage_since)
                          - (SELECT max(event.at) FROM auditing_auditevent event WHERE kind = 'campaign.open'))
FROM auditing_round JOIN auditing_audit ON auditing_audit.id = audit_id
WHERE auditing_round.stage = 'committing' AND tier = 'human' AND campaign_id = %s
"""  # seconds from the end of the pause to the last draw, by the database's clock
AT_WORK = "SELECT count(*) FROM auditing_audit WHERE stage IN ('submitted', 'decomposed', 'routed')"


def main() -> None:
    """Start the system, let rounds wait, let them be drawn."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as scratch, started_world(Path(scratch)) as world:
        draw, others, token = world.python(SETUP.replace("COUNT", str(rounds // STEPS)), seconds=1_200)
        wait_for(lambda: not world.scalar(AT_WORK), 3_600.0)
        first, root = world.scalar(WAITING, draw), world.running.process.pid
        print(f"{first} rounds wait, load {os.getloadavg()[0]:.1f}", flush=True)
        before = cpu_seconds([root])
        world.python(GO_ON)
        started = [_seconds_until_it_starts(world, others, token, 0)]
        while world.scalar(WAITING, draw):
            time.sleep(PAUSE)
            started.append(_seconds_until_it_starts(world, others, token, len(started)))
        took, after = float(world.scalar(TOOK, draw)), cpu_seconds([root])
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
