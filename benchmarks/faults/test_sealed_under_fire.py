"""1,000 seats sealed by two competing tabs each, two sequencers, PostgreSQL killed (-9) three times meanwhile."""

import concurrent.futures
import json
import os
import random
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from auditing.services.ledger.publishing import file_reader
from auditing.translog import checkpoint, merkle, receipt, tiles
from auditing.translog.note import parse_vkey
from benchmarks.faults.world import Answer, World, small, started_world
from tests.tools.patience import wait_for
from tests.tools.system import ROOT, environment, run_command

PEOPLE, ROUNDS, KILLS = (6, 2, 1) if small() else (100, 10, 3)
MORE_PEOPLE = f"""
import json
from dataclasses import replace
from accounts.models import User
from accounts.services.tokens import make_token
from auditing.core.policy import FAST
from auditing.models import Campaign
from auditing.research.policy_lab.services import publish_policy
from tests.factories.worlds import make_user
admin = User.objects.get(email="admin@example.org")
policy = replace(FAST, human=replace(FAST.human, k={PEOPLE}, commit_seconds=3600), short_trace_characters=100000)
Campaign.objects.update(policy=publish_policy(policy=policy, author=admin))
people = [make_user(f"tab{{n}}@example.org", "reviewer") for n in range({PEOPLE} - 3)]
print(json.dumps({{one.email: make_token(user=one, name="tab")[1] for one in people}}))
"""
TABS = """
import base64, json
from auditing.core.voting.seal import read_point
from auditing.core.values import Choice
from auditing.models import Seat
from auditing.selectors.seating.rounds import reveal_point
from tests.factories.worlds import sealed_vote
key, out = read_point(point=reveal_point()), []
for seat in Seat.objects.filter(stage="offered", auditor__tier="human").select_related(
    "round__segment__block", "round__audit", "auditor__user"
):
    for choice in (Choice.PASS, Choice.FAIL):
        vote = sealed_vote(seat=seat, choice=choice, confidence=9000, reveal_key=key)
        body = {"commitment": vote.digest.hex(), "rationale_digest": vote.rationale_digest.hex(),
                "sealed": base64.b64encode(vote.sealed).decode()}
        out.append([seat.auditor.user.email, str(seat.pk), body])
print(json.dumps(out))
"""


def another_sequencer(run_dir: Path) -> subprocess.Popen[bytes]:
    """A second holder of the key, as a rolling restart has for a moment."""
    own = {
        "LEDGER_SIGNING_KEY_FILE": str(run_dir / "keys" / "ledger_signing_key"),
        "DATABASE_URL": json.loads((run_dir / "services.json").read_text())["database_sequencer_url"],
    }
    with (run_dir / "logs" / "second-sequencer.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "manage.py", "sequencer"],
            cwd=ROOT,
            env=environment(run_dir, **own),
            stdout=log,
            stderr=log,
        )


def kill_database(world: World) -> None:
    """-9 to the postmaster; whoever asks meanwhile gets 503 and asks again."""
    os.kill(world.running.find("bin/postgres").pid, signal.SIGKILL)


def seal_all(world: World, votes: list[Any]) -> dict[str, list[Answer]]:
    """Every tab of every seat at once, in a mixed order, while the database dies again and again."""
    random.Random(8).shuffle(votes)
    said: dict[str, list[Answer]] = {seat: [] for _, seat, _ in votes}

    def send(vote: Any) -> None:
        email, seat, body = vote
        said[seat].append(world.until_accepted(f"seats/{seat}/commitment", body, world.tokens[email], 300))

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        waiting = [pool.submit(send, vote) for vote in votes]
        for number in range(1, KILLS + 1):
            share = len(votes) * number / (KILLS + 1)
            wait_for(lambda share=share: sum(one.done() for one in waiting) > share, 600)
            kill_database(world)
        for one in waiting:
            one.result()
    return said


def test_every_acknowledged_commitment_stands_once_and_no_checkpoint_contradicts_another(tmp_path):
    with started_world(tmp_path) as world:
        world.tokens |= world.python(MORE_PEOPLE)
        for number in range(ROUNDS):
            world.submit(1, mark=f"fire {number} ")
        wait_for(lambda: world.scalar(OFFERED) >= PEOPLE * ROUNDS, 300)
        second = another_sequencer(tmp_path)
        try:
            votes = world.python(TABS)
            began = time.monotonic()
            said = seal_all(world, votes)
            took = time.monotonic() - began
            wait_for(lambda: world.scalar("SELECT count(*) FROM auditing_leaf WHERE index IS NULL") == 0, 120)
        finally:
            second.terminate()
            second.wait(30)
        assert second.returncode == 0, "the second sequencer ended by itself"
        check_answers(world, said)
        heads = check_heads(world, tmp_path)
        ran = run_command("ledger_fsck", "--only", "I1", "I2", "I3", "I4", "I12", run_dir=tmp_path)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        print(f"{len(said)} seats, {len(votes)} tabs, {KILLS} kills, {heads} checkpoints, {took:.0f} s")


def check_answers(world: World, said: dict[str, list[Answer]]) -> None:
    """One tab of each seat has its receipt, the other knows that it is late; table and log hold the receipted one."""
    key = parse_vkey(
        text=world.scalar("SELECT convert_from(value, 'UTF8') FROM auditing_publickey WHERE purpose = 'receipt'")
    )
    for seat, answers in said.items():
        codes = sorted(one.status for one in answers)
        assert codes == [200, 409], (seat, codes)
        (kept,) = (one.body for one in answers if one.status == 200)
        promised = receipt.open_receipt(data=kept["receipt"].encode(), key=key)
        assert (str(promised.subject), promised.digest.hex()) == (seat, kept["commitment"])
        assert world.is_accepted(seat, {"commitment": kept["commitment"]})


def check_heads(world: World, run_dir: Path) -> int:
    """Every pair of consecutive checkpoints is consistent, shown by proofs from the published tiles."""
    import psycopg

    with psycopg.connect(world.database_url) as connection:
        rows = connection.execute("SELECT size, root FROM auditing_checkpoint ORDER BY size").fetchall()
    read = file_reader(directory=run_dir / "ledger")
    for (size1, root1), (size2, root2) in pairwise(rows):
        nodes = tiles.node_reader(size=size2, read=read)
        proof = merkle.consistency_proof(size1=size1, size2=size2, read=nodes)
        merkle.verify_consistency(size1=size1, size2=size2, root1=bytes(root1), root2=bytes(root2), proof=proof)
    data = (run_dir / "ledger" / "checkpoint").read_bytes()
    key = parse_vkey(text=(run_dir / "ledger" / "vkey").read_text().strip())
    assert checkpoint.open_checkpoint(data=data, key=key).size == rows[-1][0]
    return len(rows)


OFFERED = (
    "SELECT count(*) FROM auditing_seat s JOIN auditing_auditor a ON a.id = s.auditor_id "
    "WHERE s.stage = 'offered' AND a.tier = 'human'"
)
RECEIPT_KEY = "SELECT convert_from(value, 'UTF8') FROM auditing_publickey WHERE purpose = 'receipt'"
