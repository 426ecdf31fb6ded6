"""F3, F4: the web process is killed while votes arrive; who asks again has exactly one vote and its receipt."""

import concurrent.futures
import signal
import time

from benchmarks.faults.town import Town, small, started_town

TRACES = 2 if small() else 6


def send_under_fire(town: Town, number: int, strikes: int) -> None:
    """Every open vote is sent at once while the web process gets the signal again and again; all are accepted."""
    votes = town.wait_for_seats(6)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(town.until_accepted, f"seats/{seat}/commitment", body, town.tokens[email])
                for email, seat, body in votes]  # fmt: skip
        for _ in range(strikes):
            town.running.find("trustweb.web").send_signal(number)
            time.sleep(1.2)
        answers = [one.result() for one in sent]
    codes = {answer.status for answer in answers}
    assert codes <= {200, 409}, codes  # 409: the window closed first, or its round was decided
    for (email, seat, body), answer in zip(votes, answers, strict=True):
        if answer.status == 200:
            assert town.is_accepted(seat, body)
            again = town.until_accepted(f"seats/{seat}/commitment", body, town.tokens[email])
            assert (again.status, again.body) == (200, answer.body)


def test_a_web_process_killed_while_votes_arrive_loses_none_and_doubles_none(tmp_path):
    with started_town(tmp_path) as town:
        town.submit(TRACES)
        send_under_fire(town, signal.SIGKILL, strikes=2)
        town.finish()


def test_a_rolling_restart_under_load_loses_no_vote(tmp_path):
    with started_town(tmp_path) as town:
        town.submit(TRACES)
        send_under_fire(town, signal.SIGTERM, strikes=2)
        town.finish()
