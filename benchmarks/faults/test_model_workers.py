"""F1, F2, F18 in the whole system: ill and healthy models, workers that die at named points and as a whole.

Real Celery workers, a real chat server; everything heals by itself (leases, the sweep), and each seat has one vote.
"""

import json
import time

from benchmarks.faults.world import small, started_world
from tests.doubles.chat_server import run_server
from tests.tools.patience import wait_for

TRACES = 2 if small() else 8
PATIENCE = 600.0
LEASE = 2 * 1.7 + 30  # judging: one attempt of an endpoint with two seconds, and half a minute
POINTS = "before_answer,after_answer,after_commit"
MODELS = ("oracle", "sometimes-500", "sometimes-hang", "chaos-3")
ENDPOINTS = """
import json
from auditing.services.seating.auditors import seat_endpoints
from hdag.models import Endpoint
from tests.factories.consents import agree_to_all
for name, url in json.loads('''ROWS'''):
    Endpoint.objects.create(name=name, base_url=url, model=f"{name}-1", family=name, price_in=1, price_out=1,
                            timeout_seconds=2, audit_cap=CAP)
seat_endpoints(seats=5)
agree_to_all()
print("true")
"""
CAP = "0.05"
OPEN_SEATS = (
    "SELECT count(*) FROM auditing_seat s JOIN auditing_round r ON r.id = s.round_id "
    "WHERE r.tier = 'llm' AND r.stage <> 'tallied' AND s.stage IN ('offered', 'held')"
)
SEATS = "SELECT count(*) FROM auditing_seat s JOIN auditing_round r ON r.id = s.round_id WHERE r.tier = 'llm'"
TWICE = {
    "a seat with two sealed attempts": "SELECT count(*) FROM (SELECT seat_id FROM auditing_seatattempt "
    "WHERE state = 'sealed' GROUP BY 1 HAVING count(*) > 1) x",
    "a commitment without its attempt": "SELECT count(*) FROM auditing_commitment c JOIN auditing_seat s "
    "ON s.id = c.seat_id JOIN auditing_round r ON r.id = s.round_id WHERE r.tier = 'llm' AND NOT EXISTS "
    "(SELECT 1 FROM auditing_seatattempt a WHERE a.seat_id = s.id AND a.state = 'sealed')",
    "an audit over its cap": "SELECT count(*) FROM (SELECT account FROM hdag_chatcall GROUP BY account "
    f"HAVING sum(cost) > {CAP}) x",
}


def hand_in(world, count):
    for number in range(count):
        steps = [f"In bag {n} of {number} he finds as many nuts as before." for n in range(5)]
        record = {"problem": f"Story {number} of the nuts?", "steps": steps, "answer": "Many."}
        world.until_accepted("traces", record, world.provider)


def test_models_that_fail_and_workers_that_die_leave_one_vote_a_seat(tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    with run_server() as server:
        changes = {"TRUST_CHAT_ALLOWED_ORIGINS": server.origin, "TRUST_CRASH_AT": POINTS}
        with started_world(tmp_path, TRUST_CRASH_MARKS=str(marks), **changes) as world:
            rows = [(name, server.url(name)) for name in MODELS]
            assert world.python(ENDPOINTS.replace("ROWS", json.dumps(rows)).replace("CAP", CAP))
            hand_in(world, TRACES)
            wait_for(lambda: len(list(marks.iterdir())) == 3, PATIENCE)
            world.running.find("MainProcess] -active- (-A trustweb worker").kill()  # the supervisor starts another
            began = time.monotonic()
            wait_for(lambda: world.scalar(SEATS) and not world.scalar(OPEN_SEATS), PATIENCE)
            took = time.monotonic() - began
            print(f"no model seat was open {took:.0f} s after the worker died; a lease lasts {LEASE:.0f} s")
            world.finish(PATIENCE)
            for name, query in TWICE.items():
                assert world.scalar(query) == 0, name
