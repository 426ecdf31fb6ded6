"""A running system with people and traces in it, reached as users reach it (HTTP) and checked in its database."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests.tools.patience import wait_for
from tests.tools.system import ROOT, System, environment, started_system

SETUP = """
import base64, json, sys
from tests.factories.worlds import make_user, sealed_vote
from accounts.services.tokens import make_token
from auditing.core.policy import FAST
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.policy_lab.services import publish_policy
from dataclasses import replace
admin = make_user("admin@example.org", "admin")
provider = make_user("provider@example.org", "provider")
people = [make_user(f"reviewer{n}@example.org", "reviewer") for n in range(3)]
policy = replace(FAST, human=replace(FAST.human, k=3, commit_seconds=3600), short_trace_characters=100000)
open_campaign(title="Faults", owner=admin, policy=publish_policy(policy=policy, author=admin), guidelines="")
print(json.dumps([make_token(user=one, name="fault")[1] for one in (provider, *people)]))
"""
VOTES = """
import base64, json
from cryptography.hazmat.primitives.asymmetric import ec
from auditing.core.voting.seal import read_point
from auditing.core.values import Choice
from auditing.models import Seat
from auditing.selectors.seating.rounds import reveal_point
from tests.factories.worlds import sealed_vote
out = []
key = read_point(point=reveal_point())
open_seats = Seat.objects.filter(stage__in=("offered", "held"), round__stage="committing", auditor__tier="human")
for seat in open_seats.select_related("round__segment__block", "round__audit", "auditor__user")[:LIMIT]:
    vote = sealed_vote(seat=seat, choice=Choice.PASS, confidence=9000, reveal_key=key)
    body = {"commitment": vote.digest.hex(), "rationale_digest": vote.rationale_digest.hex(),
            "sealed": base64.b64encode(vote.sealed).decode()}
    out.append([seat.auditor.user.email, str(seat.pk), body])
print(json.dumps(out))
"""


@dataclass
class Answer:
    """What a client saw."""

    status: int
    retry_after: str | None
    body: Any


class World:
    """The system, its people's tokens, and its database."""

    def __init__(self, running: System, run_dir: Path) -> None:
        self.running, self.run_dir = running, run_dir
        found = json.loads((run_dir / "services.json").read_text(encoding="utf-8"))
        self.database_url, self.redis_url = found["database_url"], found["redis_url"]
        provider, *reviewers = self.python(SETUP)
        self.provider = provider
        self.tokens = {f"reviewer{number}@example.org": token for number, token in enumerate(reviewers)}

    def python(self, code: str, seconds: float = 120.0) -> Any:
        """Run code inside Django beside the system; its last printed line is JSON."""
        ran = subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", code],
            cwd=ROOT,
            env=environment(self.run_dir),
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr[-2_000:]
        return json.loads(ran.stdout.strip().splitlines()[-1])

    def post(self, path: str, body: Any, token: str, seconds: float = 20.0) -> Answer:
        """One request; status 0 when the connection broke before an answer."""
        request = urllib.request.Request(
            f"{self.running.url}/api/v1/{path}",
            json.dumps(body).encode(),
            method="POST",
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                return Answer(answer.status, None, json.loads(answer.read()))
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.headers.get("Retry-After"), error.read().decode(errors="replace"))
        except OSError as error:
            return Answer(0, None, str(error))

    def submit(self, count: int, mark: str = "") -> None:
        """Hand in `count` different traces, trying again like a client that was told to."""
        for number in range(count):
            problem, steps = f"World {mark}{number}: what is {number} + 2?", [f"{number} + 2 = {number + 2}."]
            record = {"problem": problem, "steps": steps, "answer": f"It is {number + 2}."}
            self.until_accepted("traces", record, self.provider)

    def until_accepted(self, path: str, body: Any, token: str, seconds: float = 60.0) -> Answer:
        """Try again until the answer is final; a 500 is a failure at once."""
        deadline = time.monotonic() + seconds
        while True:
            answer = self.post(path, body, token)
            assert answer.status != 500, answer
            assert answer.status != 503 or answer.retry_after, answer
            if answer.status not in (0, 503):
                return answer
            assert time.monotonic() < deadline, answer
            time.sleep(0.1)

    def wait_for_seats(self, count: int, seconds: float = 90.0) -> list[Any]:
        """Votes, ready to be sent, for at least `count` open seats."""
        wait_for(lambda: self.scalar(OPEN_SEATS) >= count, seconds)
        return list(self.python(VOTES.replace("LIMIT", "500")))

    def scalar(self, query: str, *arguments: Any) -> Any:
        """One value of the database, on a connection of our own."""
        with psycopg.connect(self.database_url, connect_timeout=5) as connection:
            row = connection.execute(query, arguments).fetchone()
        assert row is not None
        return row[0]

    def takes_connections(self) -> bool:
        """Whether the database lets us in at this moment."""
        try:
            return bool(self.scalar("SELECT true"))
        except psycopg.OperationalError:
            return False

    def is_accepted(self, seat: str, body: dict[str, str]) -> bool:
        """Whether exactly this commitment stands, with exactly one leaf."""
        stored = self.scalar("SELECT max(encode(digest, 'hex')) FROM auditing_commitment WHERE seat_id = %s", seat)
        leaves = self.scalar(
            "SELECT count(*) FROM auditing_leaf WHERE kind = 'vote.commit' AND convert_from(body, 'UTF8') LIKE %s",
            f"%{body['commitment']}%",
        )
        return bool(stored == body["commitment"] and leaves == 1)

    def finish(self, seconds: float = 240.0) -> None:
        """Everybody votes on every seat until every audit is recorded; then the invariants."""
        deadline = time.monotonic() + seconds
        while self.scalar(OPEN_AUDITS):
            assert time.monotonic() < deadline, self.scalar("SELECT string_agg(stage, ' ') FROM auditing_audit")
            for email, seat, body in self.python(VOTES.replace("LIMIT", "60")) if self.scalar(OPEN_SEATS) else []:
                self.until_accepted(f"seats/{seat}/commitment", body, self.tokens[email])
            time.sleep(0.5)
        self.check_invariants()

    def check_invariants(self) -> None:
        """I2 to I5 and I7 of docs/threats.md 6.3, in SQL."""
        for name, query in INVARIANTS.items():
            assert self.scalar(query) == 0, name


OPEN_SEATS = (
    "SELECT count(*) FROM auditing_seat s JOIN auditing_round r ON r.id = s.round_id JOIN auditing_auditor a "
    "ON a.id = s.auditor_id WHERE s.stage IN ('offered', 'held') AND r.stage = 'committing' AND a.tier = 'human'"
)
OPEN_AUDITS = "SELECT count(*) FROM auditing_audit WHERE stage <> 'recorded'"
INVARIANTS = {
    "an audit failed": "SELECT count(*) FROM auditing_audit WHERE stage = 'failed'",
    "a computer round was examined twice": "SELECT count(*) FROM (SELECT segment_id, audit_id FROM auditing_round "
    "WHERE tier = 'computer' GROUP BY 1, 2 HAVING count(*) > 1) x",
    "a door was opened twice": "SELECT count(*) FROM (SELECT audit_id, kind FROM auditing_auditevent "
    "WHERE starts_with(kind, 'audit.') GROUP BY 1, 2 HAVING count(*) > 1) x",
    "a commitment without exactly one leaf": "SELECT count(*) FROM auditing_commitment c WHERE 1 <> (SELECT count(*) "
    "FROM auditing_leaf l WHERE l.kind = 'vote.commit' AND convert_from(l.body, 'UTF8') "
    "LIKE '%%' || encode(c.digest, 'hex') || '%%')",
    "more seats than places": "SELECT count(*) FROM (SELECT s.round_id FROM auditing_seat s JOIN auditing_round r "
    "ON r.id = s.round_id WHERE s.stage IN ('committed', 'revealed') GROUP BY s.round_id, r.k "
    "HAVING count(*) > r.k) x",
    "a gap in the log": "SELECT coalesce(max(index) + 1 - count(index), 0) FROM auditing_leaf",
    "points out of nothing": "SELECT coalesce(sum(amount), 0) FROM auditing_posting",
}


@contextmanager
def started_world(run_dir: Path, **changes: str) -> Iterator[World]:
    """Start `serve --empty` and settle people in it."""
    with started_system(run_dir, "--empty", PYTHONPATH=str(ROOT), **changes) as running:
        yield World(running, run_dir)


def small() -> bool:
    """Whether TRUST_FAULTS=small asks for the quick instances."""
    return os.environ.get("TRUST_FAULTS") == "small"
