"""F3, F4: the web process is killed while votes arrive; who asks again has exactly one vote and its receipt."""

import concurrent.futures
import signal
import time

import psutil

from benchmarks.faults.world import Answer, World, small, started_world
from tests.tools.patience import wait_for

TRACES, STRIKES = (2, 2) if small() else (24, 4)
PAUSE = 0.2 if small() else 1.0  # of each sender between two votes, so that the strikes fall among them


def strike(world: World, number: int) -> None:
    """Send the signal to a web process that answers, so that each strike ends another one."""
    wait_for(lambda: world.post("traces", {}, "no token", seconds=5).status == 401, 60)
    web: psutil.Process = world.running.find("trustweb.serve.web")
    web.send_signal(number)
    web.wait(15)


def send_under_fire(world: World, number: int) -> None:
    """Every open vote is sent while the web process gets the signal again and again; all are accepted."""
    votes = world.wait_for_seats(TRACES * 3)

    def send(email: str, seat: str, body: dict[str, str]) -> Answer:
        time.sleep(PAUSE)
        return world.until_accepted(f"seats/{seat}/commitment", body, world.tokens[email])

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(send, *vote) for vote in votes]
        for _ in range(STRIKES):
            strike(world, number)
        answers = [one.result() for one in sent]
    codes = [answer.status for answer in answers]
    assert set(codes) <= {200, 409}, codes  # 409: the window closed first, or its round was decided
    print(f"{len(votes)} votes, {codes.count(200)} accepted, {STRIKES} web processes ended by signal {number}")
    for (email, seat, body), answer in zip(votes, answers, strict=True):
        if answer.status == 200:
            assert world.is_accepted(seat, body)
            again = world.until_accepted(f"seats/{seat}/commitment", body, world.tokens[email])
            assert (again.status, again.body) == (200, answer.body)


def test_a_web_process_killed_while_votes_arrive_loses_none_and_doubles_none(tmp_path):
    with started_world(tmp_path) as world:
        world.submit(TRACES)
        send_under_fire(world, signal.SIGKILL)
        world.finish()


def test_a_rolling_restart_under_load_loses_no_vote(tmp_path):
    with started_world(tmp_path) as world:
        world.submit(TRACES)
        send_under_fire(world, signal.SIGTERM)
        world.finish()
