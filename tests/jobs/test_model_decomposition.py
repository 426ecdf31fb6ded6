"""The graph by a model: where all agree, resumable, else by rules with the reason; and seats asked exactly once."""

import threading

import pytest
from django.db import connection

from auditing.models import Commitment, SeatAttempt
from auditing.selectors.clock import database_now
from auditing.services.intake import decomposition
from auditing.services.intake.decomposers import StepsOfJob
from auditing.services.model_tier import seats
from hdag.models import Decomposition
from hdag.store import content
from tests.doubles.chat_server import run_server
from tests.factories.models import OPEN, make_endpoint, model_seats
from tests.factories.worlds import make_world


@pytest.fixture
def server(monkeypatch):
    with run_server() as running:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", running.origin)
        yield running


def decomposed(world, **options):
    audit = world.submit(**options)
    Decomposition.objects.filter(pk=audit.job.pk).update(decomposer="llm")
    audit.job.refresh_from_db()
    assert decomposition.decompose(audit=audit), audit.failure
    job = Decomposition.objects.get(pk=audit.job.pk)
    return job, content.read_json(job.notes)["report"]


@pytest.mark.django_db(transaction=True)  # windows are asked side by side, each in a thread with its own connection
def test_a_model_makes_the_graph_where_endpoint_and_provider_agree(server):
    make_endpoint(server.url("oracle"), may_see="whole traces")
    job, report = decomposed(make_world(), whole_to_models=True)
    assert (job.decomposer, job.state, job.done_share) == ("llm", "done", 1.0)
    assert not any("by rules" in line for line in report)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("may_see", "agreed", "reason"),
    [
        ("whole traces", False, "did not agree"),
        ("segments only", True, "no enabled endpoint may see whole traces"),
    ],
)
def test_no_whole_trace_leaves_without_consent_and_the_report_says_why(server, may_see, agreed, reason):
    make_endpoint(server.url("consent"), may_see=may_see)
    _, report = decomposed(make_world(), whole_to_models=agreed)
    assert reason in report[0]
    assert server.stats("consent")["calls"] == 0


@pytest.mark.django_db
def test_finished_steps_are_kept_with_the_job():
    audit = make_world().submit()
    StepsOfJob(audit.job).keep("levels 0", {"blocks": []})
    StepsOfJob(audit.job).keep("segments 0", {"segments": []})
    assert StepsOfJob(audit.job).find("levels 0") == {"blocks": []}
    assert StepsOfJob(audit.job).find("tiers 0") is None


@pytest.mark.django_db
def test_a_worker_that_died_leaves_a_lease_and_the_next_one_seals_the_only_vote(server):
    make_endpoint(server.url("oracle"))
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    seat = model_seats(audit)[0]
    assert seats._claim(seat.pk, database_now()) is not None  # and then the worker is gone
    assert seats.ask_model(seat_id=seat.pk) == "nothing to do"
    type(seat).objects.filter(OPEN, pk=seat.pk).update(lease_until=database_now())
    assert seats.ask_model(seat_id=seat.pk) == "sealed"
    attempts = SeatAttempt.objects.filter(seat=seat).order_by("number").values_list("state", "failure")
    assert list(attempts) == [("no vote", "interrupted"), ("sealed", "")]


@pytest.mark.django_db(transaction=True)
def test_a_task_delivered_five_times_at_once_asks_once_and_seals_once(server):
    make_endpoint(server.url("oracle"), max_concurrency=9)
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    key, ends, start = model_seats(audit)[0].pk, [], threading.Barrier(5)

    def work():
        start.wait()
        try:
            ends.append(seats.ask_model(seat_id=key))
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ends) == ["nothing to do"] * 4 + ["sealed"]
    assert Commitment.objects.filter(seat=key).count() == SeatAttempt.objects.filter(seat=key).count() == 1
