"""F5: PostgreSQL is stopped fast, at once and by -9: 503 with Retry-After, then all goes on by itself."""

import os
import signal
import time

import pytest

from benchmarks.faults.world import World, small, started_world
from tests.tools.patience import wait_for

TRACES = 2 if small() else 6
FALLS = 2 if small() else 6
AT_WORK = "SELECT count(*) FROM auditing_audit WHERE stage IN ('submitted', 'decomposed', 'routed')"
MOVES = "SELECT count(*) FROM auditing_auditevent WHERE kind IN ('audit.decomposed', 'audit.routed', 'audit.auditing')"
WAYS = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT, "kill -9": signal.SIGKILL}


def answers_while_away(world: World, number: int) -> list[int]:
    """Signal the postmaster and ask until another one is there and the system answers as before.

    A stop lets queries that run come to their end: an answer proves nothing before the old postmaster is gone.
    """
    seen: list[int] = []
    postmaster = world.running.find("bin/postgres")
    os.kill(postmaster.pid, number)
    began = time.monotonic()

    def answers() -> bool:
        is_back = not postmaster.is_running() and world.takes_connections()
        answer = world.post("seats/00000000-0000-4000-8000-000000000000/commitment", {}, world.provider, seconds=15)
        seen.append(answer.status)
        assert answer.status != 503 or answer.retry_after == "5", answer
        return is_back and answer.status == 403

    wait_for(answers)
    print(f"\nsignal {number}: an answer {time.monotonic() - began:.1f} s after it")
    return seen


@pytest.mark.parametrize("way", WAYS)
def test_a_lost_database_is_503_and_comes_back_without_a_restart(tmp_path, way):
    with started_world(tmp_path) as world:
        world.submit(TRACES)
        votes = world.wait_for_seats(3)
        half = len(votes) // 2
        accepted = [one for one in votes[:half] if _is_sent(world, one)]
        web = world.running.find("trustweb.serve.web").pid
        seen = answers_while_away(world, WAYS[way])
        assert set(seen) <= {0, 403, 503}, seen
        assert world.running.find("trustweb.serve.web").pid == web
        assert all(world.is_accepted(seat, body) for _, seat, body in accepted)
        world.finish()


def test_machine_work_that_a_falling_server_forgets_is_done_again(tmp_path):
    """Decision 0054: those commits do not wait for the disk. Every audit is finished, nothing of it stands twice."""
    with started_world(tmp_path) as world:
        forgotten = 0
        for number in range(FALLS):
            world.submit(TRACES * 4, mark=f"fall {number} ")
            wait_for(lambda: world.scalar(AT_WORK), 60)
            seen = world.scalar(MOVES)
            answers_while_away(world, signal.SIGKILL)
            forgotten += max(0, seen - world.scalar(MOVES))
        world.finish(900)
        print(f"{FALLS} falls, {forgotten} moves at least were forgotten and made again")


def _is_sent(world: World, vote: tuple[str, str, dict]) -> bool:
    email, seat, body = vote
    return world.until_accepted(f"seats/{seat}/commitment", body, world.tokens[email]).status == 200
