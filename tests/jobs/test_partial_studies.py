"""Studies say how much was answered: nothing is printed as measured that was not, and a second run fills the holes."""

import io
import json
from collections import Counter

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from auditing.research.models import StudyPiece
from auditing.research.studies import services
from auditing.research.tasks import run_study
from hdag.models import ChatCall, Endpoint
from tests.doubles.chat_server import run_server
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db(transaction=True)
TRACES = 12


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture
def data(tmp_path):
    """A ProcessBench of twelve traces of three steps; the second step of every other one is wrong."""
    folder = tmp_path / "data" / "processbench"
    folder.mkdir(parents=True)
    records = [
        {
            "id": f"t{number}",
            "problem": f"Anna has {number} pens and buys some more.",
            "steps": [f"First, she has {number} pens.", f"Then her friend {number} looks on.", "So she is glad."],
            "label": 1 if number % 2 else -1,
        }
        for number in range(TRACES)
    ]
    (folder / "gsm8k.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return tmp_path / "data"


@pytest.fixture
def endpoint_of(server, monkeypatch):
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)

    def make(behaviour):
        money = {"audit_cap": 100, "daily_cap": 100, "retries": 0}
        return Endpoint.objects.create(
            name="ours", base_url=server.url(behaviour), model="m-1", may_see="whole traces", **money
        )

    return make


def study(data, tmp_path):
    """(what was printed, exit code)"""
    out = io.StringIO()
    try:
        call_command("study", "benchmark", option=["endpoint=ours"], out=tmp_path / "out", data=data, stdout=out)
    except CommandError as error:
        return out.getvalue(), error.returncode
    return out.getvalue(), 0


def calls():
    return Counter(ChatCall.objects.filter(account="study:benchmark").values_list("state", flat=True))


def test_a_server_that_refuses_everything_fails_the_study_in_its_first_line(endpoint_of, data, tmp_path):
    endpoint_of("400")
    printed, code = study(data, tmp_path)
    first = printed.splitlines()[0]
    assert code != 0
    assert first.startswith("partial: ours: asked 12, answered 0, abstained 0, failed 12, coverage 0.0 %")
    assert "rejected" in first
    assert "F1" not in printed


def test_a_study_with_holes_is_partial_to_the_call_and_a_second_run_fills_only_them(endpoint_of, data, tmp_path):
    endpoint_of("flaky-9-400")
    printed, code = study(data, tmp_path)
    made = calls()
    report = json.loads((tmp_path / "out" / "benchmark.json").read_text())
    coverage = report["coverage"]
    assert code != 0
    assert (coverage["answered"], coverage["failed"]) == (made["done"], made["failed"])
    assert made["failed"] > 0
    assert printed.startswith("partial: ")
    assert all(table["title"].startswith("Partial: ") for table in report["tables"])
    assert "partial" in (tmp_path / "out" / "benchmark.html").read_text()
    printed, code = study(data, tmp_path)
    assert (code, printed.split(":")[0]) == (0, "complete")
    # Every step was answered exactly once over both runs: what was answered before was not asked again.
    assert calls()["done"] == 3 * TRACES


def test_a_run_on_the_page_is_partial_and_may_go_on(endpoint_of, data, settings):
    settings.STUDY_DATA_DIR = data
    endpoint_of("flaky-7-400")
    owner = make_user("researcher@example.org", "researcher")
    run = services.ask(owner=owner, study="benchmark", seed=1, full=False, options={"endpoint": "ours"})
    run_study(str(run.pk))
    client = Client()
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    assert b"partial: ours: asked" in client.get(f"/research/studies/{run.pk}").content
    assert StudyPiece.objects.exists()
    assert services.take_up(row=run)
    run_study(str(run.pk))
    assert b"complete: ours: asked 36, answered 36" in client.get(f"/research/studies/{run.pk}").content
    assert not StudyPiece.objects.exists()
    assert not services.take_up(row=run)


def test_as_many_calls_are_in_flight_as_the_endpoint_allows(endpoint_of, data, tmp_path, server):
    endpoint_of("oracle")
    Endpoint.objects.update(base_url=server.url("together-4-1"), max_concurrency=4)
    study(data, tmp_path)
    assert server.stats("together-4-1")["most at once"] == 4
